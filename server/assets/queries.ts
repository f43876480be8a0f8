import { Prisma } from '../../generated/prisma/client.js';
import { type Author, authoredBy } from '../activity/author.js';
import { assignments, type ResourceChanges } from '../database/assignments.js';
import type { Database } from '../database/client.js';
import { currentInstant, effective, instant } from '../database/columns.js';
import { countOutsideWindow, effectiveCount } from '../database/counts.js';
import { mintedKey } from '../database/minted-key.js';
import { allOf, deepOffsetMin, likePattern, orderBy, type Paging } from '../lists.js';
import { insertTags, isFree } from '../tags/queries.js';
import type { SortItem } from '../validation/parameters.js';
import { metadataText } from '../validation/resource-fields.js';
import type { CreateAsset } from './schemas.js';
import { type AssetRow, assetColumns, assetRow } from './view.js';

/** The live asset of that id, or undefined. */
export async function findAsset(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  assetId: number,
): Promise<AssetRow | undefined> {
  const rows = await db.$queryRaw<AssetRow[]>`
    SELECT ${assetRow} FROM assets a WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL`;
  return rows[0];
}

export async function assetExists(db: Pick<Database, '$queryRaw'>, orgId: number, assetId: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM assets WHERE org_id = ${orgId} AND id = ${assetId} AND deleted_at IS NULL`;
  return rows.length > 0;
}

/** As `findAsset`, holding the row until the end of the transaction. */
export async function lockAsset(
  tx: Pick<Database, '$queryRaw'>,
  orgId: number,
  assetId: number,
): Promise<AssetRow | undefined> {
  const rows = await tx.$queryRaw<AssetRow[]>`
    SELECT ${assetRow} FROM assets a WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL FOR NO KEY UPDATE OF a`;
  return rows[0];
}

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

export type AssetListRow = Omit<AssetRow, 'id'> & { id: number | null; total_count: number };

/**
 * A page of the assets list with the count of all that match. The page is found on an index alone and only its own rows
 * are read, so a deep page costs index entries, not rows.
 */
export async function listAssetRows(
  db: Database,
  orgId: number,
  { filter, sort, paging }: { filter: AssetFilter; sort: readonly SortItem<AssetSortField>[]; paging: Paging },
): Promise<AssetListRow[]> {
  const conditions = allOf([
    Prisma.sql`a.org_id = ${orgId}`,
    filter.include_deleted ? undefined : Prisma.sql`a.deleted_at IS NULL`,
    effective('a'),
    filter.is_active === undefined ? undefined : Prisma.sql`a.is_active = ${filter.is_active}`,
    filter.external_key && Prisma.sql`a.external_key = ANY(${filter.external_key}::text[])`,
    filter.q === undefined ? undefined : matches(orgId, filter.q, filter.include_deleted),
  ]);
  const order = orderBy(sort, {
    columns: sortColumns,
    id: Prisma.raw('a.id'),
    unique: filter.include_deleted ? undefined : 'external_key',
  });
  const window = Prisma.sql`ORDER BY ${order} LIMIT ${paging.limit} OFFSET ${paging.offset}`;
  const isNarrowed = filter.external_key || filter.q !== undefined;
  let page = Prisma.sql`page AS MATERIALIZED (SELECT a.id FROM assets a WHERE ${conditions} ${window})`;
  if (isNarrowed) {
    page = Prisma.sql`
      matched AS MATERIALIZED (
        SELECT a.id, a.external_key, a.name, a.created_at, a.updated_at FROM assets a WHERE ${conditions}
      ), page AS MATERIALIZED (SELECT a.id FROM matched a ${window})`;
  } else if (isDeep(filter, sort, paging)) {
    page = deepPage(orgId, { conditions, order, descending: sort[0]?.descending ?? false, paging });
  }
  const total = isNarrowed
    ? Prisma.sql`(SELECT count(*)::float8 FROM matched)`
    : effectiveCount({ kind: 'asset', orgId, includeDeleted: filter.include_deleted, isActive: filter.is_active });
  // The rows are fetched one by one: a plan that serves every page takes it for longer than it is, and would read all.
  return db.$queryRaw<AssetListRow[]>`
    WITH ${page}
    SELECT counted.total_count, ${assetRow}
      FROM (SELECT ${total} AS total_count) counted
      LEFT JOIN (
        page CROSS JOIN LATERAL (
          SELECT * FROM assets r WHERE r.org_id = ${orgId} AND r.id = page.id OFFSET 0
        ) a
      ) ON true
     ORDER BY ${order}`;
}

/** Whether a page is worth the two steps of `deepPage`, which are for the order and the filter that a walk through all has. */
function isDeep(filter: AssetFilter, sort: readonly SortItem<AssetSortField>[], { offset }: Paging): boolean {
  return (
    offset >= deepOffsetMin &&
    !filter.include_deleted &&
    filter.is_active === undefined &&
    sort[0]?.field === 'external_key'
  );
}

type DeepPage = { conditions: Prisma.Sql; order: Prisma.Sql; descending: boolean; paging: Paging };

/**
 * A page by key, far down. As many live rows are passed on the narrowest index as are to be skipped, effective or not; of
 * those the few that are not effective are counted, and that many more are skipped from there.
 */
function deepPage(orgId: number, { conditions, order, descending, paging }: DeepPage): Prisma.Sql {
  const live = Prisma.sql`a.org_id = ${orgId} AND a.deleted_at IS NULL`;
  const before = Prisma.raw(descending ? '>' : '<');
  const notBefore = Prisma.raw(descending ? '<=' : '>=');
  const anchor = Prisma.sql`(SELECT external_key FROM anchor)`;
  const passed = Prisma.sql`${live} AND a.external_key ${before} ${anchor}`;
  return Prisma.sql`
    anchor AS MATERIALIZED (
      SELECT a.org_id, a.external_key FROM assets a WHERE ${live} ORDER BY ${order} LIMIT 1 OFFSET ${paging.offset}
    ), page AS MATERIALIZED (
      SELECT a.id
        FROM assets a
       WHERE ${conditions} AND a.external_key ${notBefore} ${anchor}
       ORDER BY ${order}
       LIMIT ${paging.limit}
      OFFSET ${countOutsideWindow(Prisma.sql`assets a`, 'a', passed)}
    )`;
}

/** Substring search over the three texts of an asset and the values of its live tags, ignoring case (spec §4, `q`). */
function matches(orgId: number, q: string, includeDeleted: boolean): Prisma.Sql {
  const pattern = Prisma.sql`fold_case(${likePattern(q)})`;
  const live = includeDeleted ? Prisma.empty : Prisma.sql`AND s.deleted_at IS NULL`;
  return Prisma.sql`a.id IN (
    SELECT s.id FROM assets s
     WHERE s.org_id = ${orgId} ${live} AND search_text(s.name, s.external_key, s.description) LIKE ${pattern}
    UNION
    SELECT t.asset_id FROM tags t
     WHERE t.org_id = ${orgId} AND t.deleted_at IS NULL AND t.asset_id IS NOT NULL AND fold_case(t.value) LIKE ${pattern})`;
}

/**
 * Inserts an asset with its tags; without a key of its own it gets the lowest free one. Undefined where the key or a tag is
 * taken.
 */
export async function insertAsset(
  db: Database,
  orgId: number,
  { asset, author }: { asset: CreateAsset; author: Author },
): Promise<AssetRow | undefined> {
  const tags = asset.tags ?? [];
  const rows = await db.$queryRaw<AssetRow[]>`
    WITH made AS (
      INSERT INTO assets (org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, created_at, updated_at)
      SELECT ${orgId}, ${asset.external_key ?? mintedKey('asset', orgId)}, ${asset.name}, ${asset.description ?? null},
             ${asset.is_active ?? true}, ${metadataText(asset.metadata ?? {})}::json,
             coalesce(${instant(asset.valid_from ?? null)}, clock.now), ${instant(asset.valid_to ?? null)}, clock.now, clock.now
        FROM (SELECT ${currentInstant} AS now) clock
       WHERE ${authoredBy(author)} AND ${isFree('asset', orgId, { externalKey: asset.external_key, tags })}
      RETURNING *
    ), attached AS (${insertTags('asset', tags)})
    SELECT ${assetColumns('a')},
           (SELECT coalesce(json_agg(json_build_object('id', id, 'tag_type', tag_type, 'value', value) ORDER BY id), '[]')
              FROM attached) AS tags
      FROM made a`;
  return rows[0];
}

/** Changes a live asset and moves its concurrency token on; undefined where there is no such asset. */
export async function changeAsset(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { assetId, changes, author }: { assetId: number; changes: ResourceChanges; author: Author },
): Promise<AssetRow | undefined> {
  const rows = await db.$queryRaw<AssetRow[]>`
    UPDATE assets a
       SET ${assignments('a', changes)}
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL AND ${authoredBy(author)}
    RETURNING ${assetRow}`;
  return rows[0];
}

/** Retires the asset and its tags together; false where there is no such live asset. */
export async function retireAsset(
  db: Database,
  orgId: number,
  { assetId, author }: { assetId: number; author: Author },
): Promise<boolean> {
  // The row is held by a statement of its own, so that the next one sees a tag that was being attached meanwhile; and
  // held against foreign keys too, so that a first position that is being stored is counted before its asset goes.
  const retired = await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM assets WHERE org_id = ${orgId} AND id = ${assetId} AND deleted_at IS NULL FOR UPDATE`;
    return tx.$queryRaw<unknown[]>`
      WITH gone AS (
        UPDATE assets SET deleted_at = ${currentInstant}
         WHERE org_id = ${orgId} AND id = ${assetId} AND deleted_at IS NULL AND ${authoredBy(author)}
        RETURNING id, deleted_at
      ), retired AS (
        UPDATE tags t SET deleted_at = gone.deleted_at FROM gone WHERE t.org_id = ${orgId} AND t.asset_id = gone.id
      )
      SELECT id FROM gone`;
  });
  return retired.length > 0;
}
