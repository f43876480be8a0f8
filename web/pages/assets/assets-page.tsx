import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useSession } from '../../session/context.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { SelectionBar } from '../../ui/selection-bar.js';
import { useIsPhone } from '../../ui/use-is-phone.js';
import { startOfDay } from '../../ui/formats.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { AssetFilters } from './asset-filters.js';
import { AssetTable, type TableTotals, useTableTotals } from './asset-table.js';
import { useColumns } from './column-choice.js';
import { SavedViews } from './saved-views.js';
import { type AssetSearch, filterInput, nothingAsked, sortOf } from './search.js';
import { useAssetSearch } from './use-asset-search.js';
import { type BulkAction, useBulk } from './use-bulk.js';
import { lazyPart } from '../../ui/lazy-part.js';

/** Loaded when they are first needed. */
const ListTools = lazyPart(() => import('./list-tools.js'), 'ListTools');
const BulkBar = lazyPart(() => import('./bulk-bar.js'), 'BulkBar');
const BulkReport = lazyPart(() => import('./bulk-report.js'), 'BulkReport');
const BulkEdit = lazyPart(() => import('./bulk-edit.js'), 'BulkEdit');

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
            <ButtonLink to="/assets/new" leftSection={<IconPlus size={18} aria-hidden />} aria-keyshortcuts="n">
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
  const [search, changeSearch] = useAssetSearch();
  // Fixed for one visit to the page, so that the day does not change while somebody reads the list.
  const [midnightMs] = useState(() => startOfDay(Date.now()));
  const [columns, setColumns] = useColumns();
  const asked = { search, columns, midnightMs };
  const totals = useTableTotals(asked);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [isEditing, setEditing] = useState(false);
  const [isFiltering, setFiltering] = useState(false);
  const isPhone = useIsPhone();
  const { run, start, dismiss } = useBulk();
  const chosenIds = [...chosen.keys()].map(Number);

  async function act(action: BulkAction, ids: readonly number[]): Promise<void> {
    const { failures } = await start(action, ids);
    const failed = new Set(failures.map(({ id }) => String(id)));
    setChosen((before) => new Map([...before].filter(([id]) => failed.has(id))));
  }

  if (totals.error && !totals.data) return <ProblemState error={totals.error} onRetry={() => void totals.refetch()} />;
  return (
    <Stack gap="xs">
      <AssetFilters
        search={search}
        onChange={changeSearch}
        isOpen={isFiltering}
        onToggle={() => setFiltering(!isFiltering)}
      />
      {totals.error && <ProblemState error={totals.error} onRetry={() => void totals.refetch()} />}
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
            {totals.data && countText(totals.data, search)}
          </Text>
        </Group>
        {(isFiltering || !isPhone) && (
          <Suspense>
            <ListTools
              filter={filterInput(search, midnightMs)}
              total={totals.data?.total_is_exact ? totals.data.total_count : undefined}
              columns={columns}
              onColumns={setColumns}
            />
          </Suspense>
        )}
      </Group>
      <AssetTable {...asked} chosen={chosen} onChoose={setChosen} onChange={changeSearch} />
      {(chosen.size > 0 || run) && (
        <SelectionBar>
          <Suspense>
            {run && (
              <BulkReport
                run={run}
                nameOf={(id) => chosen.get(String(id))}
                onRetry={(ids) => void act(run.action, ids)}
                onDismiss={dismiss}
              />
            )}
            {chosen.size > 0 && (
              <BulkBar
                ids={chosenIds}
                isBusy={run?.isOver === false}
                onAct={(action) => act(action, chosenIds)}
                onEdit={() => setEditing(true)}
                onClear={() => setChosen(new Map())}
              />
            )}
          </Suspense>
        </SelectionBar>
      )}
      {totals.data && totals.data.total_count > 0 && (
        <Pager
          limit={totals.data.limit}
          offset={totals.data.offset}
          total={totals.data.reachable_count}
          isAtLeast={!totals.data.total_is_exact || totals.data.reachable_count < totals.data.total_count}
          unit="asset"
          onPage={(offset) => changeSearch({ offset: offset || undefined })}
          onLimit={(limit) => changeSearch({ limit })}
        />
      )}
    </Stack>
  );
}

function countText(
  { total_count: total, total_is_exact: isExact, reachable_count: reachable }: TableTotals,
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
