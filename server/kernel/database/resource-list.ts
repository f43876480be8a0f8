import { Prisma } from '../../../generated/prisma/client.js';
import { allOf, deepOffsetMin, orderBy, type Paging } from '../lists.js';
import type { SortItem } from '../validation/parameters.js';
import { effective } from './columns.js';
import { countOutsideWindow, effectiveCount } from './counts.js';
import { type ListQuery, listQuery } from './list-query.js';
import type { PageAnchors } from './page-anchors.js';
import { directionOf } from './position-order.js';
import { columnsOf, lastText, searchedRows, textSearch } from './text-search.js';

const tables = {
  asset: { name: 'assets', alias: 'a' },
  location: { name: 'locations', alias: 'l' },
} as const;

export type ResourceListRequest = {
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

/** The parts of a statement that returns a page of a REST list. */
export type ResourceList = {
  /** Common table expressions that end with `page (id)` and `counts`. */
  found: Prisma.Sql;
  /** The `ORDER BY` terms. */
  order: Prisma.Sql;
  /** Remembers where the page began, given a row of the answer. */
  remember(counts: ListCounts | undefined): void;
};

/** Collects a page if a filter narrows the list; otherwise seeks or scans. Only effective rows are listed (contract 2.8). */
export function resourceList(orgId: number, request: ResourceListRequest): ResourceList {
  const { kind, filter, sort, paging, anchors } = request;
  const { name, alias } = tables[kind];
  const { include_deleted: includeDeleted, is_active: isActive, q } = filter;
  const narrowing = request.narrowing.filter((condition) => condition !== undefined);
  const r = Prisma.raw(alias);
  const shown = [
    effective(alias),
    isActive === undefined ? undefined : Prisma.sql`${r}.is_active = ${isActive}`,
    ...narrowing,
  ];
  const order = orderBy(sort, {
    column: (field) => Prisma.raw(`${alias}.${field}`),
    id: Prisma.raw(`${alias}.id`),
    unique: includeDeleted ? undefined : 'external_key',
  });
  const scan: ListQuery = {
    alias,
    order,
    paging,
    source: Prisma.raw(`${name} ${alias}`),
    conditions: [
      Prisma.sql`${r}.org_id = ${orgId}`,
      includeDeleted ? undefined : Prisma.sql`${r}.deleted_at IS NULL`,
      ...shown,
    ],
    columns: Prisma.raw(`${alias}.id`),
    total: effectiveCount(orgId, { kind, includeDeleted, isActive }),
  };
  const foundBy = (list: ListQuery) => ({ found: listQuery(list), order, remember: () => undefined });

  const columns = sort.map(({ field }) => field);
  if (q !== undefined) {
    const search = textSearch(orgId, q);
    return foundBy({
      order,
      paging,
      columns: Prisma.raw(`${alias}.id`),
      total: 'apart',
      given: searchedRows({ orgId, search, table: name, conditions: allOf(shown), includeDeleted, columns }),
      source: Prisma.raw(`matched ${alias}`),
    });
  }
  if (narrowing.length > 0) return foundBy({ ...scan, columns: columnsOf(alias, columns), total: undefined });
  const [first] = sort;
  const isByLiveKey = first?.field === 'external_key' && !includeDeleted && isActive === undefined;
  if (!anchors || !isByLiveKey || paging.offset < deepOffsetMin) return foundBy(scan);
  const { list, remember } = seek(orgId, { kind, scan, paging, anchors, descending: first.descending });
  return { ...foundBy(list), remember };
}

type SeekRequest = Required<Pick<ResourceListRequest, 'kind' | 'paging' | 'anchors'>> & {
  scan: ListQuery;
  descending: boolean;
};

/**
 * Returns a scan by key for a large offset. Begins at the start, or at a known anchor if nothing has changed since. On
 * the narrowest index, skips the rows before the offset that are neither deleted nor flagged as expired. Then counts the
 * few skipped rows that are not effective, and skips the same number again.
 */
function seek(orgId: number, { kind, scan, paging, anchors, descending }: SeekRequest) {
  const { source } = scan;
  const { alias } = tables[kind];
  const r = Prisma.raw(alias);
  const keyOrder = { orgId, descending };
  const { version = -1, position = 0, key = null } = anchors.before(keyOrder, paging.offset) ?? {};
  const unflagged = Prisma.sql`${r}.org_id = ${orgId} AND ${r}.deleted_at IS NULL AND NOT ${r}.is_expired`;
  const before = Prisma.raw(descending ? '>' : '<');
  const notBefore = Prisma.raw(descending ? '<=' : '>=');
  const anchor = Prisma.sql`(SELECT external_key FROM anchor)`;
  const passed = Prisma.sql`${unflagged} AND ${r}.external_key ${before} ${anchor}`;
  const list: ListQuery = {
    ...scan,
    given: Prisma.sql`
      start AS MATERIALIZED (
        SELECT c.version,
               CASE WHEN c.version = ${version} THEN ${key}::text ELSE ${descending ? lastText : ''} END AS external_key,
               CASE WHEN c.version = ${version} THEN ${position}::bigint ELSE 0 END AS position
          FROM (SELECT coalesce(sum(changes), 0)::float8 AS version
                  FROM row_counts WHERE org_id = ${orgId} AND kind = ${kind}) c
      ), anchor AS MATERIALIZED (
        SELECT ${r}.external_key
          FROM ${source}
         WHERE ${unflagged} AND ${r}.external_key ${notBefore} (SELECT external_key FROM start)
         ORDER BY ${r}.external_key ${directionOf(descending)}
         LIMIT 1
        OFFSET ${paging.offset}::bigint - (SELECT position FROM start)
      )`,
    conditions: [...(scan.conditions ?? []), Prisma.sql`${r}.external_key ${notBefore} ${anchor}`],
    paging: { limit: paging.limit, offset: countOutsideWindow(source, alias, passed) },
    furtherCounts: Prisma.sql`, (SELECT version FROM start) AS version, ${anchor} AS anchor_key`,
  };
  const remember = (answer: ListCounts | undefined) => {
    if (answer?.version === undefined || !answer.anchor_key) return;
    anchors.add(keyOrder, { version: answer.version, position: paging.offset, key: answer.anchor_key });
  };
  return { list, remember };
}
