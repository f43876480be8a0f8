import { LocationLink, ReaderLink } from '../../ui/object-links.js';
import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Badge, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconAntenna, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterPanel } from '../../ui/filter-panel.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { SearchField } from '../../ui/search-field.js';
import { SelectionBar } from '../../ui/selection-bar.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { formatNames, type ReaderState, type ReaderStatus } from '../../readers/formats.js';
import { ReaderBulkBar } from './bulk-bar.js';
import { LocationAccuracy } from './location-accuracy.js';
import { StatusLight, statusNames } from './reader-status.js';
import { type ReadersSearch, readersSearch, readerSortOf } from './search.js';
import { Sparkline } from './sparkline.js';

const limit = 50;
const nothing: ReadonlySet<string> = new Set();
const byName = { field: 'name', descending: false };
const refetchMs = 5000;

/** The readers with their status, and a button to add one. */
export function ReadersPage() {
  const { can } = useSession();
  const isAdmin = can('admin');
  const newReader = isAdmin && (
    <ButtonLink
      to="/readers/new"
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
    >{t`Add reader`}</ButtonLink>
  );
  return (
    <Page
      title={t`Readers`}
      description={t`Fixed readers and gateways, and their connection status.`}
      {...(newReader && { actions: newReader })}
    >
      <ReaderList isAdmin={isAdmin} />
      <LocationAccuracy />
    </Page>
  );
}

function ReaderList({ isAdmin }: { isAdmin: boolean }) {
  const trpc = useTRPC();
  const search = useSearch({ from: '/app/readers' });
  const { q, status, sort: order, offset = 0 } = search;
  const [selection, setSelection] = useState(nothing);
  const navigate = useNavigate({ from: '/readers' });
  const found = useQuery(
    trpc.readers.overview.queryOptions(
      { limit, offset, ...(q !== undefined && { q }), ...(status && { status }), ...(order && { sort: order }) },
      { placeholderData: keepPreviousData, refetchInterval: refetchMs },
    ),
  );
  const show = ({ q: text, status: shown, sort, offset: begin }: Partial<Record<keyof ReadersSearch, unknown>>) =>
    void navigate({
      search: readersSearch({ q: text, status: shown, sort, offset: begin === 0 ? undefined : begin }),
      replace: true,
    });
  const sort = order === undefined ? byName : readerSortOf(order);

  if (found.isError && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  const all = found.data && Object.values(found.data.counts).reduce((sum, count) => sum + count, 0);
  const isUnfiltered = q === undefined && status === undefined;
  if (found.data && all === 0 && isUnfiltered) return <NoReaders isAdmin={isAdmin} />;
  return (
    <Stack>
      <FilterPanel count={[q, status].filter((part) => part !== undefined).length}>
        <Group gap="sm" align="flex-end">
          <SearchField
            aria-label={t`Search readers`}
            placeholder={t`Search by name`}
            q={q ?? ''}
            onSearch={(text) => show({ ...search, q: text, offset: 0 })}
          />
          <StatusFilter
            counts={found.data?.counts}
            value={status}
            onChange={(next) => show({ ...search, status: next, offset: 0 })}
          />
        </Group>
      </FilterPanel>
      <DataTable
        caption={t`Readers`}
        columns={isAdmin ? adminColumns : columns}
        rows={found.data?.data}
        rowId={({ id }) => String(id)}
        isStale={found.isPlaceholderData}
        sort={sort}
        onSort={({ field, descending }) => show({ ...search, sort: `${descending ? '-' : ''}${field}`, offset: 0 })}
        {...(isAdmin && { selection, onSelect: setSelection })}
        empty={
          <EmptyState icon={IconAntenna} title={t`No reader matches`}>{t`Try another name or status.`}</EmptyState>
        }
      />
      {isAdmin && selection.size > 0 && (
        <SelectionBar>
          <ReaderBulkBar ids={[...selection].map(Number)} onClear={() => setSelection(nothing)} />
        </SelectionBar>
      )}
      <Pager
        limit={limit}
        offset={offset}
        total={found.data?.total_count ?? 0}
        unit="reader"
        onPage={(next) => show({ ...search, offset: next })}
      />
    </Stack>
  );
}

function NoReaders({ isAdmin }: { isAdmin: boolean }) {
  return (
    <EmptyState
      icon={IconAntenna}
      title={t`No readers yet`}
      action={isAdmin ? <ButtonLink to="/readers/new">{t`Add your first reader`}</ButtonLink> : undefined}
    >
      {isAdmin
        ? t`Add a reader to get the address, user name and password to enter in it. Its light turns green when the first read arrives.`
        : t`Ask an administrator to add a reader. Until then, assets are located by handheld scans.`}
    </EmptyState>
  );
}

type StatusFilterProps = {
  counts: Record<ReaderStatus, number> | undefined;
  value: ReaderStatus | undefined;
  onChange: (status: ReaderStatus | undefined) => void;
};

/** The statuses with at least one reader, with the number of readers. */
function StatusFilter({ counts, value, onChange }: StatusFilterProps) {
  const statuses = (Object.keys(statusNames) as ReaderStatus[]).filter(
    (status) => status === value || (counts?.[status] ?? 0) > 0,
  );
  return (
    <NativeSelect
      aria-label={t`Status`}
      value={value ?? 'all'}
      onChange={(event) => onChange(statuses.find((status) => status === event.currentTarget.value))}
      data={[
        { value: 'all', label: t`All statuses` },
        ...statuses.map((status) => ({
          value: status,
          label: `${statusNames[status]} (${numberText(counts?.[status] ?? 0)})`,
        })),
      ]}
    />
  );
}

const columns: Column<ReaderState>[] = [
  {
    id: 'name',
    header: t`Reader`,
    isSortable: true,
    cell: (row) => (
      <>
        <UserText>{row.name}</UserText>
        <Text size="xs" c="dimmed">
          {formatNames[row.format].label}
        </Text>
      </>
    ),
  },
  {
    id: 'status',
    header: t`Status`,
    isSortable: true,
    cell: (row) => (
      <>
        <StatusLight status={row.status} />
        {row.status === 'refused' && row.last_refusal_reason && (
          <Text size="xs" c="dimmed">
            <UserText>{row.last_refusal_reason}</UserText>
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'last_message_at',
    header: t`Last message`,
    isSortable: true,
    cell: (row) => <When at={row.last_message_at} />,
  },
  {
    id: 'location',
    header: t`Location`,
    isSortable: true,
    hideBelow: 'md',
    cell: (row) =>
      row.location ? (
        <LocationLink id={row.location.id} name={row.location.name} size="sm" />
      ) : (
        <Text c="dimmed" size="sm">{t`none`}</Text>
      ),
  },
  {
    id: 'rate',
    header: t`Reads/min`,
    isSortable: true,
    hideBelow: 'sm',
    align: 'end',
    cell: (row) => numberText(row.reads_per_minute),
  },
  { id: 'hour', header: t`Last hour`, hideBelow: 'lg', cell: (row) => <Sparkline values={row.reads_by_minute} /> },
  {
    id: 'rejected_24h',
    header: t`Rejected, 24 h`,
    isSortable: true,
    hideBelow: 'sm',
    align: 'end',
    cell: (row) =>
      row.rejected_24h > 0 ? (
        <Badge color="orange">{numberText(row.rejected_24h)}</Badge>
      ) : (
        <Text c="dimmed" size="sm">
          0
        </Text>
      ),
  },
];

const [, ...others] = columns;

/** The same columns, with a link to each reader's page. */
const adminColumns: Column<ReaderState>[] = [
  {
    id: 'name',
    header: t`Reader`,
    isSortable: true,
    cell: (row) => (
      <>
        <ReaderLink id={row.id} name={row.name} />
        <Text size="xs" c="dimmed">
          {formatNames[row.format].label}
        </Text>
      </>
    ),
  },
  ...others,
];
