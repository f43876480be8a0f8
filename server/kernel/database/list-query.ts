import { Prisma } from '../../../generated/prisma/client.js';
import { allOf } from '../lists.js';

// How lists find a page. `listQuery` finds the rows of a page, and the statement of the list looks up what it returns of these rows
// alone. There are three strategies:
//
// - collect: reads all that the conditions leave by the index of the narrowest one, counts it and sorts it.
// - scan: reads the index of the order until the page is full, and checks other conditions row by row.
// - seek: a scan that starts close to the offset, at a key that the process remembers (`page-anchors.ts`).
//
// The REST lists (`resource-list.ts`, `reports/queries.ts`) return exact counts: they collect if a filter narrows the list.
// Otherwise they scan, and triggers keep the count. The assets by key and the report by time also seek. The app's table of assets
// (`assets/table-queries.ts`) may stop counting: it collects up to a limit, and scans if there is more.

export type PageQuery = {
  /** What follows `FROM`. */
  source: Prisma.Sql;
  conditions?: readonly (Prisma.Sql | undefined)[];
  /** All columns of the source by default. */
  columns?: Prisma.Sql;
  /** The `ORDER BY` terms. */
  order: Prisma.Sql;
  /** Exports have no offset: each page begins after the last key of the page before. */
  paging: { limit: number; offset?: number | Prisma.Sql };
};

export type ListQuery = PageQuery & {
  /** Common table expressions that the other parts use. */
  given?: Prisma.Sql | undefined;
  /**
   * The number of rows on all pages; `apart` counts them without their page. By default the rows are collected as `matched`, whose
   * columns `order` uses, and counted.
   */
  total?: Prisma.Sql | 'apart' | undefined;
  /** What `order` calls a row of `matched`, if it has a name for it. */
  alias?: string;
  /** Follows `total_count` in the statement of `counts`: further columns, after a comma, or a `FROM`. */
  furtherCounts?: Prisma.Sql | undefined;
};

/** Returns a query for the rows of a page, in their order. */
export function pageQuery(page: PageQuery): Prisma.Sql {
  return Prisma.sql`${rowsOf(page)} ${windowOf(page)}`;
}

/**
 * Returns the beginning of a statement that returns a page of a list: common table expressions that end with `page`, in its
 * order, and `counts (total_count)`, one row. The statement looks up further columns of the page row by row: a generic plan
 * overestimates the page, and would read whole tables.
 */
export function listQuery({ given, total, alias = '', furtherCounts = Prisma.empty, ...list }: ListQuery): Prisma.Sql {
  const found = total
    ? Prisma.sql`page AS MATERIALIZED (${pageQuery(list)})`
    : Prisma.sql`matched AS MATERIALIZED (${rowsOf(list)}),
      page AS MATERIALIZED (SELECT * FROM matched ${Prisma.raw(alias)} ${windowOf(list)})`;
  const count = total === 'apart' ? countOf(list.source, list.conditions) : (total ?? countOf(Prisma.raw('matched')));
  return Prisma.sql`
    WITH RECURSIVE ${given ? Prisma.sql`${given},` : Prisma.empty} ${found},
      counts AS (SELECT ${count} AS total_count ${furtherCounts})`;
}

/** Returns the number of rows of a source. */
export function countOf(source: Prisma.Sql, conditions?: PageQuery['conditions']): Prisma.Sql {
  return Prisma.sql`(SELECT count(*)::float8 FROM ${source} ${whereOf(conditions)})`;
}

function rowsOf({ columns = Prisma.raw('*'), source, conditions }: PageQuery): Prisma.Sql {
  return Prisma.sql`SELECT ${columns} FROM ${source} ${whereOf(conditions)}`;
}

function whereOf(conditions: PageQuery['conditions'] = []): Prisma.Sql {
  const isAny = conditions.some((condition) => condition !== undefined);
  return isAny ? Prisma.sql`WHERE ${allOf(conditions)}` : Prisma.empty;
}

function windowOf({ order, paging }: PageQuery): Prisma.Sql {
  const skipped = paging.offset === undefined ? Prisma.empty : Prisma.sql`OFFSET ${paging.offset}`;
  return Prisma.sql`ORDER BY ${order} LIMIT ${paging.limit} ${skipped}`;
}
