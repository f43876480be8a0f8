import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { saveFile } from '../../exports/collect-export.js';
import { labelThings } from '../../labels/things.js';
import { labelAddress } from '../../scanning/scan-value.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { SearchField } from '../../ui/search-field.js';
import { LocalLinks, Notes, Options, OutputButtons, useLabelOptions } from './options.js';
import { Preview } from './preview.js';
import { Printing } from './printing.js';
import { isChosen } from './search.js';
import { type Labeled, labelsMax, useLabeled } from './use-labeled.js';

/** Labels with a code for assets or locations, on sheets or a roll: previewed, printed, or saved as a PDF. */
export function LabelsPage() {
  return (
    <Page title={t`Labels`} description={t`Print labels for assets and locations`}>
      <Stack gap="lg">
        <Choice />
        <Chosen />
      </Stack>
    </Page>
  );
}

function Chosen() {
  const search = useSearch({ from: '/app/labels' });
  const { data, error, refetch } = useLabeled(search);
  if (!isChosen(search)) return <Start />;
  if (data) return <Labels labeled={data} />;
  return error ? <ProblemState error={error} onRetry={() => void refetch()} /> : <Skeleton height={420} />;
}

/** The choices before anything is selected: all, or a selection in a list. The filter above is the third. */
function Start() {
  const { kind = 'assets' } = useSearch({ from: '/app/labels' });
  const navigate = useNavigate({ from: '/labels' });
  return (
    <EmptyState
      icon={IconTag}
      title={t`What do you want to print?`}
      action={
        <Group justify="center">
          <Button onClick={() => void navigate({ search: (before) => ({ ...before, all: true }), replace: true })}>
            {kind === 'assets' ? t`All assets` : t`All locations`}
          </Button>
          <ButtonLink to={kind === 'assets' ? '/assets' : '/locations'} variant="default">
            <Trans>Select in the list</Trans>
          </ButtonLink>
        </Group>
      }
    >
      {kind === 'assets'
        ? t`Type in the filter above, print labels for all assets, or select some in the list first.`
        : t`Type in the filter above, print labels for all locations, or select some in the list first.`}
    </EmptyState>
  );
}

/** Returns whether the labels are for assets or locations. */
function Choice() {
  const search = useSearch({ from: '/app/labels' });
  const navigate = useNavigate({ from: '/labels' });
  const chosen = search.ids?.split(',').length;
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label={t`Print labels for`}
        data={[
          { value: 'assets', label: t`Assets` },
          { value: 'locations', label: t`Locations` },
        ]}
        value={search.kind ?? 'assets'}
        onChange={(kind) => void navigate({ search: kind === 'locations' ? { kind } : {}, replace: true })}
      />
      {chosen === undefined ? (
        <SearchField
          key={search.kind}
          label={t`Filter`}
          q={search.q ?? ''}
          onSearch={(q) => void navigate({ search: ({ kind }) => ({ kind, ...(q !== '' && { q }) }), replace: true })}
        />
      ) : (
        <>
          <Text>
            <Trans>{quantity(chosen, search.kind === 'locations' ? 'location' : 'asset')} selected</Trans>
          </Text>
          <Button variant="subtle" onClick={() => void navigate({ search: ({ kind }) => ({ kind }), replace: true })}>
            <Trans>Change selection</Trans>
          </Button>
        </>
      )}
    </Group>
  );
}

function Labels({ labeled: { rows, hasMore } }: { labeled: Labeled }) {
  const [options, change] = useLabelOptions();
  const [firstCell, setFirstCell] = useState(0);
  const { format, kind, content } = options;
  const { kind: of = 'assets' } = useSearch({ from: '/app/labels' });
  const { things, notes } = useMemo(
    () => labelThings(rows, { format, kind, content, addressOf: (id) => labelAddress(of, id) }),
    [rows, format, kind, content, of],
  );

  const savePdf = useMutation({
    mutationFn: async () => {
      const { labelsPdf } = await import('../../labels/pdf.js');
      saveFile(labelsPdf(things, format, firstCell), 'labels.pdf');
    },
  });

  return (
    <>
      <FormProblem error={savePdf.error} />
      {things.length === 0 ? (
        <EmptyState icon={IconTag} title={t`Nothing to print`}>
          <Trans>Create an asset or location first, or change the filter.</Trans>
        </EmptyState>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Stack gap="md">
            <Group justify="space-between" gap="xs">
              <Text aria-live="polite">{quantity(things.length, 'label')}</Text>
              <Group gap="xs">
                <OutputButtons isReady={things.length > 0} isBusy={savePdf.isPending} onPdf={() => savePdf.mutate()} />
              </Group>
            </Group>
            {hasMore && (
              <Alert color="yellow" title={t`Only the first ${numberText(labelsMax)} labels`}>
                <Trans>Use the filter, or select some in the list and print their labels.</Trans>
              </Alert>
            )}
            <Options options={options} onChange={change} firstCell={firstCell} onFirstCell={setFirstCell} />
            <LocalLinks options={options} />
            <Notes notes={notes} />
          </Stack>
          <Preview things={things} format={format} firstCell={firstCell} />
        </SimpleGrid>
      )}
      <Printing things={things} format={format} firstCell={firstCell} />
    </>
  );
}
