import { Prisma } from '../../../generated/prisma/client.js';
import { allOf, deepOffsetMin, orderBy, type Paging } from '../lists.js';
import type { SortItem } from '../validation/parameters.js';
import { effective } from './columns.js';
import { countOutsideWindow, effectiveCount } from './counts.js';
import type { PageAnchors } from './page-anchors.js';
import { directionOf } from './position-order.js';
import { columnsOf, lastText, searchedRows, textSearch } from './text-search.js';

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
//   Otherwise they scan, and triggers keep the count. The list of assets by key also seeks.
// - The report of positions (`reports/queries.ts`) makes the same choice, with strategies of its own there, and the
//   keys that it seeks by time in `reports/page-starts.ts`.
// - The app's table of assets (`assets/table-queries.ts`) may stop counting. It collects up to a limit, and scans if there
//   is more.

const tables = {
  asset: { name: 'assets', alias: 'a' },
  location: { name: 'locations', alias: 'l' },
} as const;

export type ListQuery = {
  kind: keyof typeof tables;
  filter: { is_active?: boolean; q?: string; include_deleted: boolean };
  /** Further conditions on an asset `a` or a location `l` that leave few rows. */
  narrowing: readonly (Prisma.Sql | undefined)[];
  /** Each field is a column. */
  sort: readonly SortItem<string>[];
  paging: Paging;
  /** Keys of the list by key, if it seeks. Their version is the sum of `row_counts.changes` when they were read. */
  anchors?: PageAnchors<string>;
};

/** The columns of `counts`. */
export type ListCounts = {
  total_count: number;
  /** Only if the list seeks: the version of the order and the key at the offset, null beyond the end. */
  version?: number;
  anchor_key?: string | null;
};

/**
 * The parts of a statement that returns a page of a REST list. The statement looks up the rows of the page one by one: a generic plan
 * overestimates the page, and would read the whole table.
 */
export type ListStatement = {
  /** Common table expressions that end with `page (id)`. */
  page: Prisma.Sql;
  /** A select list, with the exact number of all matches. */
  counts: Prisma.Sql;
  /** The `ORDER BY` terms. */
  order: Prisma.Sql;
  /** Remembers where the page began, given a row of the answer. */
  remember(counts: ListCounts | undefined): void;
};

/** Collects a page if a filter narrows the list; otherwise seeks or scans. Only effective rows are listed (contract 2.8). */
export function listQuery(orgId: number, query: ListQuery): ListStatement {
  const { kind, filter, sort, paging, anchors } = query;
  const { name, alias } = tables[kind];
  const { include_deleted: includeDeleted, is_active: isActive, q } = filter;
  const narrowing = query.narrowing.filter((condition) => condition !== undefined);
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
    column: (field) => Prisma.raw(`${alias}.${field}`),
    id: Prisma.raw(`${alias}.id`),
    unique: includeDeleted ? undefined : 'external_key',
  });
  const window = Prisma.sql`ORDER BY ${order} LIMIT ${paging.limit} OFFSET ${paging.offset}`;
  const remember = () => undefined;

  if (q !== undefined || narrowing.length > 0) {
    const columns = sort.map(({ field }) => field);
    const matched =
      q === undefined
        ? Prisma.sql`matched AS MATERIALIZED (SELECT ${columnsOf(alias, columns)} FROM ${table} ${r} WHERE ${conditions})`
        : searchedRows({
            ...{ orgId, table: name, conditions: shown, includeDeleted, columns },
            search: textSearch(orgId, q),
          });
    return {
      page: Prisma.sql`${matched}, page AS MATERIALIZED (SELECT ${r}.id FROM matched ${r} ${window})`,
      counts: Prisma.sql`(SELECT count(*)::float8 FROM matched) AS total_count`,
      order,
      remember,
    };
  }

  const counts = Prisma.sql`${effectiveCount({ kind, orgId, includeDeleted, isActive })} AS total_count`;
  const [first] = sort;
  const isByLiveKey = first?.field === 'external_key' && !includeDeleted && isActive === undefined;
  if (anchors && isByLiveKey && paging.offset >= deepOffsetMin) {
    const seek = seekPage(orgId, { kind, paging, anchors, conditions, order, descending: first.descending });
    return { ...seek, counts: Prisma.sql`${counts}, ${seek.counts}`, order };
  }

  return {
    page: Prisma.sql`page AS MATERIALIZED (SELECT ${r}.id FROM ${table} ${r} WHERE ${conditions} ${window})`,
    counts,
    order,
    remember,
  };
}

type SeekRequest = Required<Pick<ListQuery, 'kind' | 'paging' | 'anchors'>> & {
  conditions: Prisma.Sql;
  order: Prisma.Sql;
  descending: boolean;
};

/**
 * Returns a page at a large offset of a list by key. From the start, or from a known anchor if nothing has changed since, skips as
 * many rows that are neither deleted nor flagged as expired on the narrowest index as the offset says. Counts the few
 * of them that are not effective, and skips as many more.
 */
function seekPage(orgId: number, request: SeekRequest): Omit<ListStatement, 'order'> {
  const { kind, paging, anchors, conditions, order, descending } = request;
  const { name, alias } = tables[kind];
  const r = Prisma.raw(alias);
  const table = Prisma.raw(`${name} ${alias}`);
  const keyOrder = { orgId, descending };
  const { version = -1, position = 0, key = null } = anchors.before(keyOrder, paging.offset) ?? {};
  const unflagged = Prisma.sql`${r}.org_id = ${orgId} AND ${r}.deleted_at IS NULL AND NOT ${r}.is_expired`;
  const before = Prisma.raw(descending ? '>' : '<');
  const notBefore = Prisma.raw(descending ? '<=' : '>=');
  const anchor = Prisma.sql`(SELECT external_key FROM anchor)`;
  const passed = Prisma.sql`${unflagged} AND ${r}.external_key ${before} ${anchor}`;
  return {
    page: Prisma.sql`
      start AS MATERIALIZED (
        SELECT c.version,
               CASE WHEN c.version = ${version} THEN ${key}::text ELSE ${descending ? lastText : ''} END AS external_key,
               CASE WHEN c.version = ${version} THEN ${position}::bigint ELSE 0 END AS position
          FROM (SELECT coalesce(sum(changes), 0)::float8 AS version
                  FROM row_counts WHERE org_id = ${orgId} AND kind = ${kind}) c
      ), anchor AS MATERIALIZED (
        SELECT ${r}.external_key
          FROM ${table}
         WHERE ${unflagged} AND ${r}.external_key ${notBefore} (SELECT external_key FROM start)
         ORDER BY ${r}.external_key ${directionOf(descending)}
         LIMIT 1
        OFFSET ${paging.offset}::bigint - (SELECT position FROM start)
      ), page AS MATERIALIZED (
        SELECT ${r}.id
          FROM ${table}
         WHERE ${conditions} AND ${r}.external_key ${notBefore} ${anchor}
         ORDER BY ${order}
         LIMIT ${paging.limit}
        OFFSET ${countOutsideWindow(table, alias, passed)}
      )`,
    counts: Prisma.sql`(SELECT version FROM start) AS version, ${anchor} AS anchor_key`,
    remember(answer) {
      if (answer?.version === undefined || !answer.anchor_key) return;
      anchors.add(keyOrder, { version: answer.version, position: paging.offset, key: answer.anchor_key });
    },
  };
}
