import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { DataTable, type Sort } from '../../ui/data-table.js';
import { assetColumns, detailColumn } from './asset-columns.js';
import type { ColumnChoice } from './column-choice.js';
import { NoAssets } from './no-assets.js';
import { type AssetSearch, defaultSort, sortOf, sortText, tableInput } from './search.js';
import type { ChangeSearch } from './use-asset-search.js';
import { useFreshRows } from './use-fresh-rows.js';

type Table = Outputs['assets']['table'];

/** The answer for a page of the list, without its rows. */
export type TableTotals = Omit<Table, 'data'>;

const totalsOf = ({ data: _, ...totals }: Table): TableTotals => totals;

export type Asked = { search: AssetSearch; columns: ColumnChoice; midnightMs: number };

function useTableOptions({ search, columns, midnightMs }: Asked) {
  const shown = { midnightMs, detailColumns: columns.details, withBattery: !columns.hidden.includes('battery') };
  return useTRPC().assets.table.queryOptions(tableInput(search, shown), {
    placeholderData: keepPreviousData,
    // Outdated requests are canceled, which is not possible for a call in a batch.
    trpc: { abortOnUnmount: true, context: { alone: true } },
  });
}

/**
 * Returns the list without its rows: a component that uses it is not rendered again when an asset of the list moves.
 */
export function useTableTotals(asked: Asked) {
  return useQuery({ ...useTableOptions(asked), select: totalsOf });
}

/** The columns that a list of assets that are away always has. */
const awayColumns = ['belongs_to', 'located_since'];

export type AssetTableProps = Asked & {
  /** The selected assets, on this page and others: their names by id. */
  chosen: ReadonlyMap<string, string>;
  onChoose: (chosen: ReadonlyMap<string, string>) => void;
  onChange: ChangeSearch;
};

/**
 * The rows of a page of the list, updated live. A separate component, so that the rest of the page is not rendered
 * again when assets move.
 */
export function AssetTable({ chosen, onChoose, onChange, ...asked }: AssetTableProps) {
  const { search, columns } = asked;
  const table = useQuery(useTableOptions(asked));
  const rows = table.data?.data;
  const freshRows = useFreshRows(rows);
  const shownColumns = useMemo(() => [...assetColumns, ...columns.details.map(detailColumn)], [columns.details]);
  const hiddenColumns = useMemo(() => {
    const isShown = (id: string) => search.away === true && awayColumns.includes(id);
    return new Set(columns.hidden.filter((id) => !isShown(id)));
  }, [columns.hidden, search.away]);
  const selection = useMemo(() => new Set(chosen.keys()), [chosen]);

  /** Keeps the names of selected assets for messages after their page is no longer shown. */
  function choose(ids: ReadonlySet<string>): void {
    const names = new Map(rows?.map((row) => [String(row.id), `${row.name} (${row.external_key})`]));
    onChoose(new Map(Array.from(ids, (id) => [id, chosen.get(id) ?? names.get(id) ?? id])));
  }

  return (
    <DataTable
      caption={t`Assets`}
      columns={shownColumns}
      rows={rows}
      rowId={({ id }) => String(id)}
      expectedRows={20}
      isStale={table.isPlaceholderData}
      sort={sortOf(search.sort ?? '') ?? defaultSort}
      onSort={(sort) => onChange({ sort: sortParameter(sort) })}
      selection={selection}
      onSelect={choose}
      hiddenColumns={hiddenColumns}
      freshRows={freshRows}
      empty={<NoAssets search={search} onClear={() => onChange({ offset: undefined })} />}
    />
  );
}

function sortParameter(sort: Sort): string | undefined {
  const text = sortText(sort);
  return text === sortText(defaultSort) ? undefined : text;
}
