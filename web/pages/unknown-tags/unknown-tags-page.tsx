import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Paper, Stack } from '@mantine/core';
import { IconQuestionMark } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterPanel } from '../../ui/filter-panel.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { quantity } from '../../ui/quantity.js';
import { ProblemState } from '../../ui/problem-state.js';
import { SearchField } from '../../ui/search-field.js';
import { SelectionBar } from '../../ui/selection-bar.js';
import { AttachDialog } from './attach-dialog.js';
import { CreateManyDialog } from './create-many-dialog.js';
import { DismissChosen } from './dismiss.js';
import { MakeAssetDialog } from './make-asset-dialog.js';
import type { UnknownTagsSearch } from './search.js';
import { unknownColumns } from './unknown-columns.js';
import { idOf, type UnknownValue } from './unknown-value.js';

const limit = 50;
const refetchMs = 3000;
const nobody: ReadonlySet<string> = new Set();

/** Tags that were read but are not attached, with actions to attach them or create assets. */
export function UnknownTagsPage() {
  return (
    <Page title={t`Unknown tags`} description={t`Tags read but not assigned to an asset or a location.`}>
      <UnknownTags />
    </Page>
  );
}

type Act = { kind: 'make' | 'attach'; value: UnknownValue } | { kind: 'create-many' };

function UnknownTags() {
  const trpc = useTRPC();
  const { can } = useSession();
  const { q, reader, offset = 0 } = useSearch({ from: '/app/unknown-tags' });
  const navigate = useNavigate({ from: '/unknown-tags' });
  const [selection, setSelection] = useState(nobody);
  const [act, setAct] = useState<Act>();
  const filter = { ...(q !== undefined && { q }), ...(reader !== undefined && { reader }) };
  const found = useQuery(
    trpc.scans.unknownValues.queryOptions(
      { limit, offset, ...(q !== undefined && { q }), ...(reader !== undefined && { reader_id: reader }) },
      { placeholderData: keepPreviousData, refetchInterval: refetchMs },
    ),
  );
  const show = (search: UnknownTagsSearch) => void navigate({ search, replace: true });

  if (found.isError && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  const isUnfiltered = q === undefined && reader === undefined;
  if (found.data?.total_count === 0 && isUnfiltered) return <NothingUnknown />;
  const mayWrite = can('manager');
  const columns = unknownColumns({
    ...(mayWrite && {
      onMake: (value) => setAct({ kind: 'make', value }),
      onAttach: (value) => setAct({ kind: 'attach', value }),
    }),
  });
  return (
    <Stack>
      <FilterPanel count={[q, reader].filter((part) => part !== undefined).length}>
        <Group gap="sm">
          <SearchField
            aria-label={t`Search unknown tags`}
            placeholder={t`Search by value`}
            spellCheck={false}
            q={q ?? ''}
            onSearch={(text) => show({ ...(text !== '' && { q: text }), ...(reader !== undefined && { reader }) })}
          />
          <ReaderFilter
            value={reader}
            onChange={(next) => show({ ...(q !== undefined && { q }), ...(next !== undefined && { reader: next }) })}
          />
        </Group>
      </FilterPanel>
      <DataTable
        caption={t`Unknown tags`}
        columns={columns}
        rows={found.data?.data}
        rowId={idOf}
        isStale={found.isPlaceholderData}
        {...(mayWrite && { selection, onSelect: setSelection })}
        empty={
          <EmptyState icon={IconQuestionMark} title={t`No matching tags`}>
            <Trans>Try another value, or all readers.</Trans>
          </EmptyState>
        }
      />
      {selection.size > 0 && (
        <SelectionBar>
          <Paper withBorder p="xs" role="region" aria-label={t`Selected tags`}>
            <Group gap="sm">
              <Button onClick={() => setAct({ kind: 'create-many' })}>
                <Trans>Create {quantity(selection.size, 'asset')}</Trans>
              </Button>
              <DismissChosen chosen={selection} onDone={() => setSelection(nobody)} />
            </Group>
          </Paper>
        </SelectionBar>
      )}
      <Pager
        limit={limit}
        offset={offset}
        total={found.data?.total_count ?? 0}
        isAtLeast={found.data?.is_more ?? false}
        unit="unknown tag"
        onPage={(next) => show({ ...filter, ...(next > 0 && { offset: next }) })}
      />
      {act?.kind === 'create-many' && (
        <CreateManyDialog
          chosen={selection}
          onClose={() => setAct(undefined)}
          onDone={() => {
            setAct(undefined);
            setSelection(nobody);
          }}
        />
      )}
      {act?.kind === 'make' && <MakeAssetDialog tag={act.value} onClose={() => setAct(undefined)} />}
      {act?.kind === 'attach' && <AttachDialog tag={act.value} onClose={() => setAct(undefined)} />}
    </Stack>
  );
}

function NothingUnknown() {
  return (
    <EmptyState icon={IconQuestionMark} title={t`No unknown tags`}>
      <Trans>Tags that are read but not assigned to an asset or a location appear here.</Trans>
    </EmptyState>
  );
}

const readersMax = 200;

function ReaderFilter({ value, onChange }: { value: number | undefined; onChange: (id: number | undefined) => void }) {
  const trpc = useTRPC();
  const readers = useQuery(trpc.readers.overview.queryOptions({ limit: readersMax }));
  return (
    <NativeSelect
      aria-label={t`Reader`}
      value={value ?? ''}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange(chosen === '' ? undefined : Number(chosen));
      }}
      data={[
        { value: '', label: t`All readers` },
        ...(readers.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  );
}
