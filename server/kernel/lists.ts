import { z } from 'zod';
import { Prisma } from '../../generated/prisma/client.js';
import { describedAs } from './validation/failure.js';
import { idMax } from './validation/fields.js';
import { integerParameter, type SortItem } from './validation/parameters.js';

export const pageSizeDefault = 50;
export const pageSizeMax = 200;

/** From this offset on, skipping rows costs more than reading the page. */
export const deepOffsetMin = 2000;

/** The two parameters that page every list (contract 4). */
export const pagingFields = {
  limit: integerParameter({ min: 1, max: pageSizeMax }).default(pageSizeDefault),
  offset: integerParameter({ min: 0, max: idMax }).default(0),
};

/** The input of a list that is only paged. */
export const pagingInput = z.strictObject(pagingFields).prefault({});

export type Paging = { limit: number; offset: number };

/** The list envelope (contract 1.3). */
export type ListOf<Item> = { data: Item[]; limit: number; offset: number; total_count: number };

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    limit: z.int().meta(describedAs({ type: 'integer', minimum: 1, maximum: pageSizeMax })),
    offset: z.int().meta(describedAs({ type: 'integer', minimum: 0, maximum: idMax })),
    total_count: z.int().meta(describedAs({ type: 'integer', minimum: 0 })),
  });
}

/**
 * A row of a statement that joins the rows of a page to the count of the whole list. Beyond the end of the list there
 * is one row, with nulls in all columns except the counts.
 */
export type CountedRow<Row, Counts = { total_count: number }> = Counts & (Row | { [Column in keyof Row]: null });

/** Returns the rows of a page without the row that only has the counts. */
export function rowsOfPage<Row extends { id: number | string }, Counts>(
  rows: readonly CountedRow<Row, Counts>[],
): Row[] {
  return rows.filter(({ id }) => id !== null) as Row[];
}

/**
 * Returns a page of views of rows that each have `total_count`. A view names the fields that it takes: copies of the rows without
 * the count would take longer than the views.
 */
export function pageOfViews<Row extends { id: number | string }, Item>(
  rows: readonly CountedRow<Row>[],
  paging: Paging,
  view: (row: Row) => Item,
): ListOf<Item> {
  return {
    data: rowsOfPage(rows).map(view),
    limit: paging.limit,
    offset: paging.offset,
    total_count: rows[0]?.total_count ?? 0,
  };
}

/** Returns a page of rows that each have `total_count`, which the items do not have. */
export function pageOf<Row extends { id: number | string }, Item>(
  rows: readonly CountedRow<Row>[],
  paging: Paging,
  itemOf: (row: Row) => Item,
): ListOf<Item> {
  return pageOfViews(rows, paging, ({ total_count: _count, ...row }: Row & { total_count?: number }) =>
    itemOf(row as Row),
  );
}

/** The orders of a list: the column of a field, the id that ends every order, and a unique column. */
type Ordering<Field extends string> = {
  column(field: Field): Prisma.Sql;
  id: Prisma.Sql;
  unique?: Field | undefined;
};

/**
 * Returns the `ORDER BY` terms of a validated order. Every order ends in `id` ascending, so that pages never overlap.
 * An order with a unique column ends there, because nothing after that column matters and the shorter order matches an
 * index.
 */
export function orderBy<Field extends string>(
  sort: readonly SortItem<Field>[],
  { column, id, unique }: Ordering<Field>,
): Prisma.Sql {
  const decisive = sort.findIndex(({ field }) => field === unique);
  const terms = (decisive === -1 ? sort : sort.slice(0, decisive + 1)).map(
    ({ field, descending }) => Prisma.sql`${column(field)} ${Prisma.raw(descending ? 'DESC' : 'ASC')}`,
  );
  return Prisma.join(decisive === -1 ? [...terms, Prisma.sql`${id} ASC`] : terms, ', ');
}

/** Joins the defined conditions with AND. */
export function allOf(conditions: readonly (Prisma.Sql | undefined)[]): Prisma.Sql {
  const present = conditions.filter((condition) => condition !== undefined);
  return Prisma.join(present, ' AND ');
}

/**
 * Returns a `LIKE` pattern for a substring, in which `%`, `_` and the backslash are ordinary characters. `fold_case`
 * may be applied to the pattern: characters that it would turn into one of the three are replaced here first.
 */
export function likePattern(text: string): string {
  return `%${text.normalize('NFKC').replaceAll(/[\\%_]/g, '\\$&')}%`;
}
