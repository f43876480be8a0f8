import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconBox, IconFileUpload, IconPlus, IconZoomQuestion } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { DataTable, type Sort } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { startOfDay } from '../../ui/formats.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { assetColumns, detailColumn } from './asset-columns.js';
import { AssetFilters } from './asset-filters.js';
import { ExportButton } from '../../exports/export-button.js';
import { ColumnChooser, useColumns } from './column-chooser.js';
import { RecentEdits } from './recent-edits.js';
import { SavedViews } from './saved-views.js';
import {
  type AssetSearch,
  defaultSort,
  filterInput,
  isFiltered,
  nothingAsked,
  sortOf,
  sortText,
  tableInput,
} from './search.js';
import { useAssetSearch } from './use-asset-search.js';
import { type BulkAction, useBulk } from './use-bulk.js';
import { useFreshRows } from './use-fresh-rows.js';

/** Loaded when they are first needed. */
const BulkBar = lazy(() => import('./bulk-bar.js').then(({ BulkBar: component }) => ({ default: component })));
const BulkReport = lazy(() => import('./bulk-report.js').then(({ BulkReport: component }) => ({ default: component })));
const BulkEdit = lazy(() => import('./bulk-edit.js').then(({ BulkEdit: component }) => ({ default: component })));

type Table = Outputs['assets']['table'];

/** Lists the assets of the organization, with filters, sorting, export and bulk changes. */
export function AssetsPage() {
  const { can } = useSession();
  return (
    <Page
      title={t`Assets`}
      actions={
        can('manager') && (
          <>
            <ButtonLink variant="default" to="/import">{t`Import`}</ButtonLink>
            <ButtonLink to="/assets/new" leftSection={<IconPlus size={18} aria-hidden />}>
              <Trans>New asset</Trans>
            </ButtonLink>
          </>
        )
      }
    >
      <AssetList />
    </Page>
  );
}

function AssetList() {
  const trpc = useTRPC();
  const [search, changeSearch] = useAssetSearch();
  // Fixed for one visit of the page, so that the day does not change while somebody reads the list.
  const [midnightMs] = useState(() => startOfDay(Date.now()));
  const [columns, setColumns] = useColumns();
  const table = useQuery(
    trpc.assets.table.queryOptions(tableInput(search, { midnightMs, detailColumns: columns.details }), {
      placeholderData: keepPreviousData,
      // Outdated requests are canceled, which is not possible for a call in a batch.
      trpc: { abortOnUnmount: true, context: { alone: true } },
    }),
  );
  const shownColumns = useMemo(() => [...assetColumns, ...columns.details.map(detailColumn)], [columns.details]);
  const freshRows = useFreshRows(table.data?.data);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [isEditing, setEditing] = useState(false);
  const { can } = useSession();
  const { run, start, dismiss } = useBulk();
  const selection = new Set(chosen.keys());
  const chosenIds = [...chosen.keys()].map(Number);

  /** Keeps the names of selected assets for messages after their page is no longer shown. */
  function choose(ids: ReadonlySet<string>): void {
    const rows = new Map(table.data?.data.map((row) => [String(row.id), `${row.name} (${row.external_key})`]));
    setChosen(new Map(Array.from(ids, (id) => [id, chosen.get(id) ?? rows.get(id) ?? id])));
  }

  async function act(action: BulkAction, ids: readonly number[]): Promise<void> {
    const { failures } = await start(action, ids);
    const failed = new Set(failures.map(({ id }) => String(id)));
    setChosen((before) => new Map([...before].filter(([id]) => failed.has(id))));
  }

  if (table.error && !table.data) return <ProblemState error={table.error} onRetry={() => void table.refetch()} />;
  return (
    <Stack gap="xs">
      <AssetFilters search={search} onChange={changeSearch} />
      {table.error && <ProblemState error={table.error} onRetry={() => void table.refetch()} />}
      {chosen.size > 0 && (
        <Suspense>
          <BulkBar
            ids={chosenIds}
            isBusy={run?.isOver === false}
            onAct={(action) => act(action, chosenIds)}
            onEdit={() => setEditing(true)}
            onClear={() => setChosen(new Map())}
          />
        </Suspense>
      )}
      {run && (
        <Suspense>
          <BulkReport
            run={run}
            nameOf={(id) => chosen.get(String(id))}
            onRetry={(ids) => void act(run.action, ids)}
            onDismiss={dismiss}
          />
        </Suspense>
      )}
      {isEditing && (
        <Suspense>
          <BulkEdit
            ids={chosenIds}
            onEdit={(changes) => void act(changes, chosenIds)}
            onClose={() => setEditing(false)}
          />
        </Suspense>
      )}
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <SavedViews
            search={search}
            columns={columns}
            onShow={(view, shown) => {
              changeSearch({ ...nothingAsked, ...view });
              setColumns(shown);
            }}
          />
          <Text size="sm" c="dimmed" aria-live="polite">
            {table.data && countText(table.data, search)}
          </Text>
        </Group>
        <Group gap="xs">
          {can('manager') && <RecentEdits />}
          <ExportButton
            size="xs"
            scope={{ kind: 'assets', filter: filterInput(search, midnightMs) }}
            total={table.data?.total_is_exact ? table.data.total_count : undefined}
          />
          <ColumnChooser choice={columns} onChange={setColumns} />
        </Group>
      </Group>
      <DataTable
        caption={t`Assets`}
        columns={shownColumns}
        rows={table.data?.data}
        rowId={({ id }) => String(id)}
        expectedRows={20}
        isStale={table.isPlaceholderData}
        sort={sortOf(search.sort ?? '') ?? defaultSort}
        onSort={(sort) => changeSearch({ sort: sortParameter(sort) })}
        selection={selection}
        onSelect={choose}
        hiddenColumns={new Set(columns.hidden)}
        freshRows={freshRows}
        empty={<NoAssets search={search} onClear={() => changeSearch({ offset: undefined })} />}
      />
      {table.data && table.data.total_count > 0 && (
        <Pager
          limit={table.data.limit}
          offset={table.data.offset}
          total={table.data.reachable_count}
          isAtLeast={!table.data.total_is_exact || table.data.reachable_count < table.data.total_count}
          unit="asset"
          onPage={(offset) => changeSearch({ offset: offset || undefined })}
          onLimit={(limit) => changeSearch({ limit })}
        />
      )}
    </Stack>
  );
}

function sortParameter(sort: Sort): string | undefined {
  const text = sortText(sort);
  return text === sortText(defaultSort) ? undefined : text;
}

function countText(
  { total_count: total, total_is_exact: isExact, reachable_count: reachable }: Table,
  search: AssetSearch,
) {
  const assets = quantity(total, 'asset');
  const number = isExact ? assets : t`More than ${assets}`;
  const isByTime = sortOf(search.sort ?? '')?.field === 'asset_last_seen';
  const count = isByTime ? t`${number} (never seen not included)` : number;
  return reachable < total
    ? t`${count}. Only the first ${numberText(reachable)} can be shown; use filters to see others`
    : count;
}

function NoAssets({ search, onClear }: { search: AssetSearch; onClear: () => void }) {
  const { can } = useSession();
  if (search.offset !== undefined) {
    return (
      <EmptyState
        icon={IconZoomQuestion}
        title={t`This page is past the end of the list`}
        action={<Button onClick={onClear}>{t`Go to first page`}</Button>}
      />
    );
  }
  if (isFiltered(search)) {
    return (
      <EmptyState icon={IconZoomQuestion} title={t`No matching assets`}>
        <Trans>Search by name, key, description or tag. Short searches match the start of names and keys.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconBox}
      title={t`No assets yet`}
      action={
        can('manager') && (
          <Group justify="center">
            <ButtonLink to="/assets/new" leftSection={<IconPlus size={18} aria-hidden />}>
              <Trans>Create your first asset</Trans>
            </ButtonLink>
            <ButtonLink variant="default" to="/import" leftSection={<IconFileUpload size={18} aria-hidden />}>
              <Trans>Import from a file</Trans>
            </ButtonLink>
          </Group>
        )
      }
    >
      <Trans>
        An asset is something you want to track. Give it a name and a tag; each read of the tag updates its location.
      </Trans>
    </EmptyState>
  );
}
