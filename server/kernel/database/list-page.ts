import { Prisma } from '../../../generated/prisma/client.js';
import { allOf, orderBy, type Paging } from '../lists.js';
import type { SortItem } from '../validation/parameters.js';
import { effective } from './columns.js';
import { effectiveCount } from './counts.js';
import { columnsOf, searchedRows, textSearch } from './text-search.js';

// How lists find a page. Each list finds the ids of a page with one of three strategies, and then looks up the rows of
// that page alone. Functions are named after the strategy:
//
// - collect: reads everything that the filter leaves by the index of its narrowest part, counts it and sorts it. For
//   filters that leave few rows.
// - scan: reads the index of the requested order from its beginning until the page is full, and checks other conditions
//   row by row. For lists without a filter, or with one that leaves most rows.
// - seek: a scan that starts close to the offset, for pages far down: at a key that the process remembers
//   (`page-anchors.ts`).
//
// The lists differ in what they promise, and so in the tables that they read:
//
// - The REST lists of assets and locations (this file) return exact counts: they collect if a filter narrows the list.
//   Otherwise they scan, and triggers keep the count. The list of assets by key also seeks (`assets/list-queries.ts`).
// - The report of positions (`reports/queries.ts`) makes the same choice. Its strategies are in `reports/page.ts`, and the
//   keys that it seeks by time in `reports/page-starts.ts`.
// - The app's table of assets (`assets/table-queries.ts`) may stop counting. It collects up to a limit, and scans if there
//   is more.

const tables = {
  asset: { name: 'assets', alias: 'a' },
  location: { name: 'locations', alias: 'l' },
} as const;

export type ListPageRequest<Field extends string> = {
  kind: keyof typeof tables;
  filter: { is_active?: boolean; q?: string; include_deleted: boolean };
  /** Further conditions on an asset `a` or a location `l` that leave few rows. */
  narrowing: readonly (Prisma.Sql | undefined)[];
  sort: readonly SortItem<Field>[];
  sortColumns: Record<Field, Prisma.Sql>;
  /** The column that is unique among live rows. */
  unique: Field;
  paging: Paging;
};

/** The parts of a statement that returns a page of the REST list of assets or locations. */
export type ListPage = {
  strategy: 'collect' | 'scan';
  /** Common table expressions that end with `page (id)`. */
  ctes: Prisma.Sql;
  /** The number of all matches, exact. */
  total: Prisma.Sql;
  /** The `ORDER BY` terms. */
  order: Prisma.Sql;
  /** All conditions of the list but the search. */
  conditions: Prisma.Sql;
};

/** Collects a page if a filter narrows the list, otherwise scans. Only effective rows are listed (contract 2.8). */
export function listPage<Field extends string>(orgId: number, request: ListPageRequest<Field>): ListPage {
  const { kind, filter, sort, paging } = request;
  const { name, alias } = tables[kind];
  const { include_deleted: includeDeleted, is_active: isActive, q } = filter;
  const narrowing = request.narrowing.filter((condition) => condition !== undefined);
  const [table, r] = [Prisma.raw(name), Prisma.raw(alias)];
  const shown = allOf([
    effective(alias),
    isActive === undefined ? undefined : Prisma.sql`${r}.is_active = ${isActive}`,
    ...narrowing,
  ]);
  const conditions = allOf([
    Prisma.sql`${r}.org_id = ${orgId}`,
    includeDeleted ? undefined : Prisma.sql`${r}.deleted_at IS NULL`,
    shown,
  ]);
  const order = orderBy(sort, {
    columns: request.sortColumns,
    id: Prisma.raw(`${alias}.id`),
    unique: includeDeleted ? undefined : request.unique,
  });
  const window = Prisma.sql`ORDER BY ${order} LIMIT ${paging.limit} OFFSET ${paging.offset}`;
  if (q === undefined && narrowing.length === 0) {
    return {
      ...{ strategy: 'scan', order, conditions },
      ctes: Prisma.sql`page AS MATERIALIZED (SELECT ${r}.id FROM ${table} ${r} WHERE ${conditions} ${window})`,
      total: effectiveCount({ kind, orgId, includeDeleted, isActive }),
    };
  }
  const columns = sort.map(({ field }) => field);
  const matched =
    q === undefined
      ? Prisma.sql`matched AS MATERIALIZED (SELECT ${columnsOf(alias, columns)} FROM ${table} ${r} WHERE ${conditions})`
      : searchedRows({
          ...{ orgId, table: name, conditions: shown, includeDeleted, columns },
          search: textSearch(orgId, q),
        });
  return {
    ...{ strategy: 'collect', order, conditions },
    ctes: Prisma.sql`${matched}, page AS MATERIALIZED (SELECT ${r}.id FROM matched ${r} ${window})`,
    total: Prisma.sql`(SELECT count(*)::float8 FROM matched)`,
  };
}
