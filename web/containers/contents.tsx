import { t } from '@lingui/core/macro';
import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChecklist, IconHistory, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { useSession } from '../session/context.js';
import { AssetSelect } from '../ui/asset-select.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { AnchorLink } from '../ui/links.js';
import { Pager } from '../ui/pager.js';
import { ProblemState } from '../ui/problem-state.js';
import { numberText } from '../ui/quantity.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import { problemOf } from '../api/errors.js';
import { notifications } from '@mantine/notifications';
import { ContentsCheck } from './contents-check.js';
import { ScanIntoButton } from './scan-into-button.js';
import { PastContents } from './past-contents.js';
import { Suggestions } from './suggestions.js';
import { TakeOutButton } from './take-out-button.js';
import { useContaining } from './use-containing.js';
import type { NamedAsset } from './words.js';

type Content = Outputs['containers']['contents']['data'][number];
type Summary = Outputs['containers']['summary'];

const pageSize = 25;
const pauseMs = 200;

const texts = {
  title: t`Contents`,
  find: t`Find in the contents`,
  findHint: t`Name, key or tag`,
  nothing: t`Nothing is in it`,
  noMatch: t`Nothing in it matches`,
  add: t`Put an asset in`,
};

/** What is in an asset that holds others; renders nothing for an asset of another kind without contents. */
export function Contents({ asset }: { asset: NamedAsset }) {
  const trpc = useTRPC();
  const summary = useQuery(trpc.containers.summary.queryOptions({ asset_id: asset.id }));
  if (!summary.data || (!summary.data.holds_assets && summary.data.count === 0)) return null;
  return <Shown asset={asset} summary={summary.data} />;
}

function Shown({ asset, summary }: { asset: NamedAsset; summary: Summary }) {
  const { can } = useSession();
  const [tool, setTool] = useState<'check' | 'past'>();
  const turn = (wanted: 'check' | 'past') => setTool(tool === wanted ? undefined : wanted);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="contents">
      <Stack gap="sm">
        <Group justify="space-between" mih={30}>
          <Title order={2} size="h4" id="contents">
            {texts.title}
            <Badge ml="xs" size="lg" component="span" data-testid="contents-count">
              {numberText(summary.count)}
            </Badge>
          </Title>
          <Group gap="xs">
            {can('operator') && <ScanIntoButton container={asset} />}
            {can('operator') && (
              <Button
                size="xs"
                variant="default"
                aria-expanded={tool === 'check'}
                leftSection={<IconChecklist size={16} aria-hidden />}
                onClick={() => turn('check')}
              >
                {t`Check contents`}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              aria-expanded={tool === 'past'}
              leftSection={<IconHistory size={16} aria-hidden />}
              onClick={() => turn('past')}
            >
              {t`Earlier contents`}
            </Button>
          </Group>
        </Group>
        <Elsewhere summary={summary} />
        {tool === 'check' && <ContentsCheck container={asset} />}
        {tool === 'past' && <PastContents container={asset} />}
        <Listed asset={asset} count={summary.count} />
        {can('operator') && <AddField container={asset} />}
        {can('manager') && <Suggestions container={asset} />}
      </Stack>
    </Paper>
  );
}

/** Where contents are that their own reads place elsewhere than the container was last. */
function Elsewhere({ summary: { elsewhere } }: { summary: Summary }) {
  if (elsewhere.length === 0) return null;
  return (
    <Text size="sm" component="div" role="status">
      {t`It was last seen here, and some of its contents elsewhere:`}{' '}
      {elsewhere.map(({ location, count }, index) => (
        <span key={location.id}>
          {index > 0 && ', '}
          <AnchorLink to="/locations/$locationId" params={{ locationId: String(location.id) }} inherit>
            <UserText>{location.name}</UserText>
          </AnchorLink>
          {` (${numberText(count)})`}
        </span>
      ))}
    </Text>
  );
}

function columnsFor(containerId: number, canTakeOut: boolean): Column<Content>[] {
  const columns: Column<Content>[] = [
    {
      id: 'name',
      header: t`Asset`,
      cell: (row) => (
        <>
          <AnchorLink to="/assets/$assetId" params={{ assetId: String(row.id) }} fw={550}>
            <UserText>{row.name}</UserText>
          </AnchorLink>
          {row.is_elsewhere && row.location && (
            <Text size="xs" c="dimmed" component="div">
              <UserText>{t`Read at ${row.location.name}`}</UserText>
            </Text>
          )}
        </>
      ),
    },
    { id: 'external_key', header: t`Key`, hideBelow: 'sm', cell: (row) => <UserText>{row.external_key}</UserText> },
    {
      id: 'since',
      header: t`In it since`,
      hideBelow: 'xs',
      cell: (row) => (
        <>
          <When at={row.since} />
          {row.put_in_by && (
            <Text size="xs" c="dimmed" component="div">
              <UserText>{row.put_in_by.name}</UserText>
            </Text>
          )}
        </>
      ),
    },
  ];
  if (!canTakeOut) return columns;
  return [
    ...columns,
    {
      id: 'out',
      header: () => <VisuallyHidden>{t`Take out`}</VisuallyHidden>,
      align: 'end',
      cell: (row) => <TakeOutButton asset={row} containerId={containerId} isInList />,
    },
  ];
}

function Listed({ asset, count }: { asset: NamedAsset; count: number }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), pauseMs);
  const [page, setPage] = useState({ q, offset: 0 });
  const offset = page.q === q ? page.offset : 0;
  const canTakeOut = can('operator');
  const columns = useMemo(() => columnsFor(asset.id, canTakeOut), [asset.id, canTakeOut]);
  const input = { container_id: asset.id, limit: pageSize, offset, ...(q === '' ? {} : { q }) };
  const found = useQuery(trpc.containers.contents.queryOptions(input, { placeholderData: keepPreviousData }));
  if (found.error && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  const total = found.data?.total_count ?? 0;
  return (
    <>
      {(count > pageSize || typed !== '') && (
        <TextInput
          type="search"
          aria-label={texts.find}
          placeholder={texts.findHint}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={255}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={found.data?.data}
        rowId={({ id }) => String(id)}
        expectedRows={Math.min(count, 3)}
        isStale={found.isPlaceholderData}
        isBoxed
        empty={<Text c="dimmed">{q === '' ? texts.nothing : texts.noMatch}</Text>}
      />
      {total > pageSize && (
        <Pager
          limit={pageSize}
          offset={offset}
          total={total}
          unit="asset"
          onPage={(next) => setPage({ q, offset: next })}
        />
      )}
    </>
  );
}

/** Puts the assets in that a person chooses, one after another. */
function AddField({ container }: { container: NamedAsset }) {
  const { putIn } = useContaining();
  return (
    <AssetSelect
      label={texts.add}
      value={null}
      onChange={(choice) => {
        if (!choice) return;
        putIn(container, [choice.id]).catch((error: unknown) => {
          const { title, detail } = problemOf(error);
          notifications.show({ color: 'red', title, message: detail });
        });
      }}
    />
  );
}
