import { t } from '@lingui/core/macro';
import { Checkbox, Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import { type Column, flexRender, type Table as TableModel } from '@tanstack/react-table';
import { memo, type ReactNode } from 'react';
import classes from './data-table.module.css';

export type Sort<Field extends string = string> = { field: Field; descending: boolean };

/** How many rows of the page are chosen. */
export type ChosenPart = 'none' | 'some' | 'all';

type HeadProps = {
  table: TableModel<unknown>;
  /** As the table received them. */
  columns: unknown;
  /** The ids of the visible columns. */
  visible: string;
  /** Undefined if rows cannot be chosen. */
  chosen: ChosenPart | undefined;
  sortField: string | undefined;
  isDescending: boolean;
  onSort: ((sort: Sort) => void) | undefined;
  onChooseAll: (isChosen: boolean) => void;
};

/** Like the rows, rendered again only if something in it changes. */
export const Head = memo(
  function Head({ table, chosen, sortField, isDescending, onSort, onChooseAll }: HeadProps) {
    const sort = sortField === undefined ? undefined : { field: sortField, descending: isDescending };
    return (
      <Table.Thead className={classes['head']}>
        {table.getHeaderGroups().map((group) => (
          <Table.Tr key={group.id}>
            {chosen && (
              <Table.Th className={classes['choice']}>
                <Checkbox
                  aria-label={t`Choose all on this page`}
                  checked={chosen === 'all'}
                  indeterminate={chosen === 'some'}
                  onChange={(event) => onChooseAll(event.currentTarget.checked)}
                />
              </Table.Th>
            )}
            {group.headers.map((header) => (
              <Table.Th
                key={header.id}
                {...alignmentOf(header.column)}
                aria-sort={
                  sort?.field === header.column.id ? (sort.descending ? 'descending' : 'ascending') : undefined
                }
              >
                {header.column.columnDef.meta?.isSortable && onSort ? (
                  <SortButton field={header.column.id} sort={sort} onSort={onSort}>
                    {flexRender(header.column.columnDef.header, header.getContext())}
                  </SortButton>
                ) : (
                  flexRender(header.column.columnDef.header, header.getContext())
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        ))}
      </Table.Thead>
    );
  },
  (one, other) =>
    (['columns', 'visible', 'chosen', 'sortField', 'isDescending', 'onSort'] as const).every(
      (name) => one[name] === other[name],
    ),
);

type SortButtonProps = { field: string; sort: Sort | undefined; onSort: (sort: Sort) => void; children: ReactNode };

function SortButton({ field, sort, onSort, children }: SortButtonProps) {
  const isSorted = sort?.field === field;
  const Arrow = isSorted ? (sort.descending ? IconArrowDown : IconArrowUp) : IconSelector;
  return (
    <UnstyledButton
      className={classes['sort']}
      data-sorted={isSorted}
      onClick={() => onSort({ field, descending: isSorted ? !sort.descending : false })}
    >
      {children}
      <Arrow size={14} aria-hidden />
    </UnstyledButton>
  );
}

/** Returns the width, the alignment and the smallest screen of a column, for its cells. */
export function alignmentOf<Item>(column: Column<Item>) {
  const { hideBelow, align, width } = column.columnDef.meta ?? {};
  return {
    'data-hide-below': hideBelow,
    ...(align === 'end' ? { ta: 'end' as const } : {}),
    ...(width === undefined ? {} : { w: width }),
  };
}
