import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { countOutsideWindow } from '../../kernel/database/counts.js';
import { listPage } from '../../kernel/database/list-page.js';
import type { Anchor, PageAnchors } from '../../kernel/database/page-anchors.js';
import { type CountedRow, deepOffsetMin, type Paging } from '../../kernel/lists.js';
import type { SortItem } from '../../kernel/validation/parameters.js';
import { type AssetRow, assetRow } from './view.js';

export const assetSortFields = ['external_key', 'name', 'created_at', 'updated_at'] as const;

export type AssetSortField = (typeof assetSortFields)[number];

const sortColumns: Record<AssetSortField, Prisma.Sql> = {
  external_key: Prisma.raw('a.external_key'),
  name: Prisma.raw('a.name'),
  created_at: Prisma.raw('a.created_at'),
  updated_at: Prisma.raw('a.updated_at'),
};

export type AssetFilter = {
  external_key?: string[];
  is_active?: boolean;
  q?: string;
  include_deleted: boolean;
};

type ListCounts = {
  total_count: number;
  /** Only of a page at a large offset: the version of the order and the key at the offset, null beyond the end. */
  version?: number;
  anchor_key?: string | null;
};

export type AssetListRequest = {
  filter: AssetFilter;
  sort: readonly SortItem<AssetSortField>[];
  paging: Paging;
  /** Keys of the list by key. Their version is the sum of `row_counts.changes` when they were read. */
  anchors: PageAnchors<string>;
};

/**
 * Returns a page of the assets list with the count of all matches. The page is found with an index alone and only its
 * own rows are read, so a page at a large offset costs index entries, not rows.
 */
export async function listAssetRows(
  db: Database,
  orgId: number,
  { filter, sort, paging, anchors }: AssetListRequest,
): Promise<CountedRow<AssetRow>[]> {
  const list = listPage(orgId, {
    ...{ kind: 'asset', filter, sort, sortColumns, unique: 'external_key', paging },
    narrowing: [filter.external_key && Prisma.sql`a.external_key = ANY(${filter.external_key}::text[])`],
  });
  const keyOrder = { orgId, descending: sort[0]?.descending ?? false };
  const { conditions, order } = list;
  const canSeek = list.strategy === 'scan' && isSeekable(filter, sort, paging);
  const seek = canSeek
    ? seekPage(orgId, { ...keyOrder, conditions, order, paging, known: anchors.before(keyOrder, paging.offset) })
    : undefined;
  // The rows are fetched one by one: a plan that serves every page takes it for longer than it is, and would read all.
  const rows = await db.$queryRaw<CountedRow<AssetRow, ListCounts>[]>`
    WITH ${seek?.page ?? list.ctes}
    SELECT counted.*, ${assetRow}
      FROM (SELECT ${list.total} AS total_count ${seek?.columns ?? Prisma.empty}) counted
      LEFT JOIN (
        page CROSS JOIN LATERAL (
          SELECT * FROM assets r WHERE r.org_id = ${orgId} AND r.id = page.id OFFSET 0
        ) a
      ) ON true
     ORDER BY ${order}`;
  const { version, anchor_key: key } = rows[0] ?? {};
  if (version !== undefined && key) anchors.add(keyOrder, { version, position: paging.offset, key });
  return rows;
}

/** Returns whether a page is worth the two steps of `seekPage`, which support only the default order and filter. */
function isSeekable(filter: AssetFilter, sort: readonly SortItem<AssetSortField>[], { offset }: Paging): boolean {
  return (
    offset >= deepOffsetMin &&
    !filter.include_deleted &&
    filter.is_active === undefined &&
    sort[0]?.field === 'external_key'
  );
}

type SeekRequest = {
  conditions: Prisma.Sql;
  order: Prisma.Sql;
  descending: boolean;
  paging: Paging;
  known: Anchor<string> | undefined;
};

/**
 * Returns a page at a large offset of a list by key. From the start, or from a known anchor if nothing has changed since, skips as
 * many rows that are neither deleted nor flagged as expired on the narrowest index as the offset says. Counts the few
 * of them that are not effective, and skips as many more.
 */
function seekPage(orgId: number, { conditions, order, descending, paging, known }: SeekRequest) {
  const unflagged = Prisma.sql`a.org_id = ${orgId} AND a.deleted_at IS NULL AND NOT a.is_expired`;
  const before = Prisma.raw(descending ? '>' : '<');
  const notBefore = Prisma.raw(descending ? '<=' : '>=');
  const anchor = Prisma.sql`(SELECT external_key FROM anchor)`;
  const passed = Prisma.sql`${unflagged} AND a.external_key ${before} ${anchor}`;
  const { version = -1, position = 0, key = null } = known ?? {};
  const page = Prisma.sql`
    start AS MATERIALIZED (
      SELECT c.version,
             CASE WHEN c.version = ${version} THEN ${key}::text ELSE ${descending ? '\u{10FFFF}' : ''} END AS external_key,
             CASE WHEN c.version = ${version} THEN ${position}::bigint ELSE 0 END AS position
        FROM (SELECT coalesce(sum(changes), 0)::float8 AS version
                FROM row_counts WHERE org_id = ${orgId} AND kind = 'asset') c
    ), anchor AS MATERIALIZED (
      SELECT a.external_key
        FROM assets a
       WHERE ${unflagged} AND a.external_key ${notBefore} (SELECT external_key FROM start)
       ORDER BY a.external_key ${Prisma.raw(descending ? 'DESC' : 'ASC')}
       LIMIT 1
      OFFSET ${paging.offset}::bigint - (SELECT position FROM start)
    ), page AS MATERIALIZED (
      SELECT a.id
        FROM assets a
       WHERE ${conditions} AND a.external_key ${notBefore} ${anchor}
       ORDER BY ${order}
       LIMIT ${paging.limit}
      OFFSET ${countOutsideWindow(Prisma.sql`assets a`, 'a', passed)}
    )`;
  const columns = Prisma.sql`, (SELECT version FROM start) AS version, ${anchor} AS anchor_key`;
  return { page, columns };
}
