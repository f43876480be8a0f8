import { t } from '@lingui/core/macro';
import { Checkbox, Paper, Skeleton, Table } from '@mantine/core';
import { replaceEqualDeep } from '@tanstack/react-query';
import {
  flexRender,
  getCoreRowModel,
  type Row,
  type RowData,
  type Table as TableModel,
  useReactTable,
} from '@tanstack/react-table';
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import classes from './data-table.module.css';
import { type ChosenPart, Head, alignmentOf, type Sort } from './data-table-head.js';
import { useDensity } from './density.js';

export type { Sort } from './data-table-head.js';

/** How a column looks. */
type ColumnLook = {
  isSortable?: boolean;
  /** Left out on screens narrower than this. */
  hideBelow?: 'xs' | 'sm' | 'md' | 'lg';
  align?: 'end';
  /** A CSS width; the column without a width takes the remaining space. */
  width?: string;
};

export type Column<Item> = ColumnLook & {
  id: string;
  header: string | (() => ReactNode);
  cell: (item: Item) => ReactNode;
};

declare module '@tanstack/react-table' {
  // The library's own parameters, which a declaration that is merged with its repeats.
  // oxlint-disable-next-line no-unused-vars, typescript/consistent-type-definitions
  interface ColumnMeta<TData extends RowData, TValue> extends ColumnLook {}
}

/** Ids of rows that have just changed. Each row subscribes by itself: the table is not rendered again for a row. */
export type FreshRows = {
  has: (id: string) => boolean;
  subscribe: (listener: () => void) => () => void;
};

export type DataTableProps<Item> = {
  /** What the table lists, for people who cannot see it. */
  caption: string;
  columns: Column<Item>[];
  /** The rows of this page; undefined while the first rows are loading. */
  rows: readonly Item[] | undefined;
  rowId: (item: Item) => string;
  /** The number of placeholder rows while they load. */
  expectedRows?: number;
  /** Whether the rows are from the previous request, while the next one is in progress. */
  isStale?: boolean;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
  /** Ids of the chosen rows; they may be on other pages. */
  selection?: ReadonlySet<string>;
  onSelect?: (selection: ReadonlySet<string>) => void;
  hiddenColumns?: ReadonlySet<string>;
  /** The rows that have just changed, which are highlighted for a moment. */
  freshRows?: FreshRows;
  /** Whether the table is narrower than the page. It then scrolls sideways if necessary, together with its head. */
  isBoxed?: boolean;
  /** Shown instead of the table if there are no rows. */
  empty: ReactNode;
};

const noRows: never[] = [];
const noneFresh: FreshRows = { has: () => false, subscribe: () => () => undefined };

/** A page of a list, which the service sorts and pages. Rows can be selected, and are updated in place. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { columns, rows, rowId, hiddenColumns, expectedRows = 8, empty } = props;
  const definitions = useMemo(
    () =>
      columns.map(({ id, header, cell, ...look }) => ({
        id,
        header,
        cell: ({ row }: { row: Row<Item> }) => cell(row.original),
        meta: look,
      })),
    [columns],
  );
  const table = useReactTable({
    data: (rows as Item[] | undefined) ?? noRows,
    columns: definitions,
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    state: { columnVisibility: Object.fromEntries(Array.from(hiddenColumns ?? [], (id) => [id, false])) },
  });
  const [density] = useDensity();
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const choose = useCallback((ids: readonly string[], isChosen: boolean) => {
    const { selection, onSelect } = latest.current;
    const next = new Set(selection);
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    onSelect?.(next);
  }, []);
  const chooseAll = useCallback(
    (isChosen: boolean) => choose(latest.current.rows?.map(latest.current.rowId) ?? [], isChosen),
    [choose],
  );
  const sortBy = useCallback((sort: Sort) => latest.current.onSort?.(sort), []);
  const visible = table
    .getVisibleLeafColumns()
    .map(({ id }) => id)
    .join();
  if (rows?.length === 0) return <>{empty}</>;
  return (
    <Paper withBorder className={classes['frame']} data-boxed={props.isBoxed === true}>
      <div className={classes['scroll']} tabIndex={0} role="group" aria-label={t`${props.caption}, table`}>
        <Table
          highlightOnHover
          data-density={density}
          className={classes['table'] ?? ''}
          verticalSpacing={density === 'compact' ? 3 : 'xs'}
          horizontalSpacing={density === 'compact' ? 'sm' : 'md'}
          aria-busy={!rows || props.isStale === true}
        >
          <Table.Caption className={classes['caption']}>{props.caption}</Table.Caption>
          <Head
            table={table as TableModel<unknown>}
            columns={columns}
            visible={visible}
            chosen={chosenPart(props)}
            sortField={props.sort?.field}
            isDescending={props.sort?.descending ?? false}
            onSort={props.onSort && sortBy}
            onChooseAll={chooseAll}
          />
          <Table.Tbody data-stale={props.isStale === true} className={classes['body']}>
            {rows
              ? table
                  .getRowModel()
                  .rows.map((row) => (
                    <BodyRow
                      key={row.id}
                      row={row as Row<unknown>}
                      columns={columns}
                      visible={visible}
                      isChosen={props.selection?.has(row.id)}
                      freshRows={props.freshRows ?? noneFresh}
                      onChoose={choose}
                    />
                  ))
              : Array.from({ length: expectedRows }, (_, index) => (
                  <SkeletonRow key={index} table={table} props={props} />
                ))}
          </Table.Tbody>
        </Table>
      </div>
    </Paper>
  );
}

/**
 * Returns whether two items look the same. A list that was loaded again may have equal items with keys in another
 * order.
 */
function isSame(before: unknown, after: unknown): boolean {
  return before === after || replaceEqualDeep(before, after) === before;
}

type BodyRowProps = {
  row: Row<unknown>;
  /** As the table received them. */
  columns: unknown;
  /** The ids of the visible columns. */
  visible: string;
  /** Undefined if rows cannot be chosen. */
  isChosen: boolean | undefined;
  freshRows: FreshRows;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
};

/**
 * A row is rendered again only if its item or the columns change, since moving assets change one row of fifty, many
 * times a second.
 */
const BodyRow = memo(
  function BodyRow({ row, isChosen, freshRows, onChoose }: BodyRowProps) {
    const isFresh = useSyncExternalStore(freshRows.subscribe, () => freshRows.has(row.id));
    return (
      <Table.Tr data-row={row.id} data-chosen={isChosen ?? false} data-fresh={isFresh}>
        {isChosen !== undefined && (
          <Table.Td className={classes['choice']}>
            <Checkbox
              aria-label={t`Choose this row`}
              checked={isChosen}
              onChange={() => onChoose([row.id], !isChosen)}
            />
          </Table.Td>
        )}
        {row.getVisibleCells().map((cell) => (
          <Table.Td key={cell.id} {...alignmentOf(cell.column)}>
            {flexRender(cell.column.columnDef.cell, cell.getContext())}
          </Table.Td>
        ))}
      </Table.Tr>
    );
  },
  ({ row: before, ...one }, { row: after, ...other }) =>
    isSame(before.original, after.original) &&
    (['columns', 'visible', 'isChosen', 'freshRows', 'onChoose'] as const).every((name) => one[name] === other[name]),
);

type SkeletonRowProps<Item> = { table: TableModel<Item>; props: DataTableProps<Item> };

function SkeletonRow<Item>({ table, props }: SkeletonRowProps<Item>) {
  return (
    <Table.Tr>
      {props.selection && <Table.Td className={classes['choice']} />}
      {table.getVisibleLeafColumns().map((column) => (
        <Table.Td key={column.id} {...alignmentOf(column)}>
          <Skeleton height={12} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function chosenPart<Item>({ rows = [], rowId, selection }: DataTableProps<Item>): ChosenPart | undefined {
  if (!selection) return undefined;
  const chosen = rows.filter((row) => selection.has(rowId(row))).length;
  if (chosen === 0) return 'none';
  return chosen === rows.length ? 'all' : 'some';
}
