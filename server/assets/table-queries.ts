import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { effective, instant } from '../database/columns.js';
import { effectiveCount } from '../database/counts.js';
import { allOf, type Paging } from '../lists.js';
import { matches, matchingIds, type Search, searchOf } from './search-conditions.js';

// The app's table of assets. What a filter leaves is collected through the index of its narrowest part, up to a limit, and
// sorted; where more is left than that, an index in the order asked for is walked instead until the page is full. So neither
// a filter that leaves little nor one that leaves nearly everything reads much.

/** Up to here everything that a filter leaves is collected and counted. */
export const collectedMax = 5000;

/** Pages that are walked with a look at each row end here. */
export const walkedMax = 10_000;

export const tableSortFields = ['external_key', 'name', 'created_at', 'updated_at', 'asset_last_seen'] as const;

export type TableSort = { field: (typeof tableSortFields)[number]; descending: boolean };

export type TableFilter = {
  q?: string | undefined;
  isActive?: boolean | undefined;
  inEffect?: boolean | undefined;
  /** Of a location and all below it. */
  locationIds?: readonly number[] | undefined;
  isSeen?: boolean | undefined;
  seenBeforeMs?: number | undefined;
  movedSinceMs?: number | undefined;
};

export type TableQuery = { filter: TableFilter; sort: TableSort; paging: Paging };

/** The ids of a page. There are `total` at the least where it is not exact, and pages up to `reachable` of them. */
export type TablePage = { ids: number[]; total: number; isExact: boolean; reachable: number };

/** Finds a page of live assets. An order by `asset_last_seen` is one of assets that were seen, which the filter has to say. */
export async function findTablePage(db: Database, orgId: number, query: TableQuery): Promise<TablePage> {
  const { filter, paging } = query;
  // Whatever was never seen is nowhere.
  if (filter.isSeen === false && asksWhereOrWhen(filter)) return { ids: [], total: 0, isExact: true, reachable: 0 };
  if (isCountKept(filter)) {
    const total = await keptCount(db, orgId, filter);
    const reachable = filter.isSeen === undefined ? total : Math.min(total, walkedMax);
    if (filter.isSeen === undefined || total > collectedMax) {
      return { ids: paging.offset < reachable ? await walk(db, orgId, query) : [], total, isExact: true, reachable };
    }
  }
  const collected = await collect(db, orgId, query);
  if (collected.isWhole) {
    return { ids: collected.ids, total: collected.total, isExact: true, reachable: collected.total };
  }
  const ids = paging.offset < walkedMax ? await walk(db, orgId, query) : [];
  const total = Math.max(collected.total, ids.length === 0 ? 0 : paging.offset + ids.length);
  return { ids, total, isExact: false, reachable: walkedMax };
}

/** Whether all that a filter leaves is among what triggers count. */
function isCountKept(filter: TableFilter): boolean {
  if (filter.q !== undefined || asksWhereOrWhen(filter)) return false;
  return filter.isSeen === undefined || (filter.isActive === undefined && filter.inEffect === undefined);
}

function asksWhereOrWhen({ locationIds, seenBeforeMs, movedSinceMs }: TableFilter): boolean {
  return locationIds !== undefined || seenBeforeMs !== undefined || movedSinceMs !== undefined;
}

async function keptCount(db: Database, orgId: number, { isActive, inEffect, isSeen }: TableFilter): Promise<number> {
  const active = isActive === undefined ? Prisma.empty : Prisma.sql`AND is_active = ${isActive}`;
  const assets = Prisma.sql`(
    SELECT coalesce(sum(n), 0)::float8 FROM row_counts WHERE org_id = ${orgId} AND kind = 'asset' AND NOT is_deleted ${active})`;
  const positions = Prisma.sql`(
    SELECT coalesce(sum(n), 0)::float8 FROM row_counts WHERE org_id = ${orgId} AND kind = 'position' AND NOT is_deleted)`;
  const inEffectCount = effectiveCount({ kind: 'asset', orgId, includeDeleted: false, isActive });
  let total = assets;
  if (isSeen !== undefined) total = isSeen ? positions : Prisma.sql`${assets} - ${positions}`;
  else if (inEffect !== undefined) total = inEffect ? inEffectCount : Prisma.sql`${assets} - ${inEffectCount}`;
  const rows = await db.$queryRaw<{ total: number }[]>`SELECT ${total} AS total`;
  return rows[0]?.total ?? 0;
}

/** What holds of an asset itself; the indexes of the orders have all of it. */
function assetConditions(orgId: number, { isActive, inEffect }: TableFilter, alias: string): Prisma.Sql {
  const a = Prisma.raw(alias);
  return allOf([
    Prisma.sql`${a}.org_id = ${orgId}`,
    Prisma.sql`${a}.deleted_at IS NULL`,
    isActive === undefined ? undefined : Prisma.sql`${a}.is_active = ${isActive}`,
    inEffect === undefined ? undefined : Prisma.sql`(${effective(alias)}) = ${inEffect}`,
  ]);
}

/** What a filter says of a position; each part has an index of its own. */
function positionParts({ locationIds, movedSinceMs, seenBeforeMs }: TableFilter, alias: string): Prisma.Sql[] {
  const p = Prisma.raw(alias);
  const parts: Prisma.Sql[] = [];
  if (locationIds !== undefined) parts.push(Prisma.sql`${p}.location_id = ANY(${[...locationIds]}::int[])`);
  if (movedSinceMs !== undefined) parts.push(Prisma.sql`${p}.located_since >= ${instant(movedSinceMs)}`);
  if (seenBeforeMs !== undefined) {
    const slot = Math.floor(seenBeforeMs / slotMs);
    parts.push(Prisma.sql`${p}.seen_slot <= ${slot}::int AND ${p}.asset_last_seen < ${instant(seenBeforeMs)}`);
  }
  return parts;
}

const slotMs = 10_000;

/** What a filter and an order ask of the position of the asset `a`: that there is one like that, or none. */
function positionCondition(orgId: number, { filter, sort }: TableQuery): Prisma.Sql | undefined {
  const parts = positionParts(filter, 'p');
  const isNeeded = filter.isSeen === true || sort.field === 'asset_last_seen' || parts.length > 0;
  const position = Prisma.sql`
    SELECT FROM asset_positions p WHERE ${allOf([Prisma.sql`p.org_id = ${orgId}`, Prisma.sql`p.asset_id = a.id`, ...parts])} OFFSET 0`;
  if (filter.isSeen === false) return Prisma.sql`NOT EXISTS (${position})`;
  return isNeeded ? Prisma.sql`EXISTS (${position})` : undefined;
}

type Collected = { ids: number[]; total: number; isWhole: boolean };

type CollectedRow = { ids: number[]; total: number; found: number };

/** A page out of all that a filter leaves, if that is not too much; `total` is how many were met until then. */
async function collect(db: Database, orgId: number, query: TableQuery): Promise<Collected> {
  const { filter, sort, paging } = query;
  const search = filter.q === undefined ? undefined : searchOf(filter.q);
  const isByPosition = asksWhereOrWhen(filter) && (search === undefined || (await hasNarrowPart(db, orgId, filter)));
  const isSearched = search !== undefined && !isByPosition;
  const conditions = allOf([
    assetConditions(orgId, filter, 'a'),
    isByPosition ? undefined : positionCondition(orgId, query),
    search === undefined || isSearched ? undefined : matches(orgId, search, 'a'),
  ]);
  const source = sourceOf(orgId, filter, { search: isSearched ? search : undefined, isByPosition });
  const rows = await db.$queryRaw<CollectedRow[]>`
    WITH ${source.candidates} matched AS MATERIALIZED (
      SELECT a.id, a.external_key, a.name, a.created_at, a.updated_at
        FROM ${source.assets}
       WHERE ${conditions}
       LIMIT ${collectedMax + 1}
    )
    SELECT (SELECT count(*)::int FROM matched) AS total,
           ${source.found} AS found,
           ARRAY(SELECT a.id FROM ${sort.field === 'asset_last_seen' ? matchedByTime(orgId) : Prisma.raw('matched a')}
                  ORDER BY ${orderOf(sort)} LIMIT ${paging.limit} OFFSET ${paging.offset}) AS ids`;
  const { ids, total, found } = rows[0] ?? { ids: [], total: 0, found: 0 };
  return { ids, total: Math.min(total, collectedMax), isWhole: total <= collectedMax && found <= collectedMax };
}

const matchedByTime = (orgId: number) => Prisma.sql`matched a CROSS JOIN LATERAL (
  SELECT r.asset_last_seen FROM asset_positions r WHERE r.org_id = ${orgId} AND r.asset_id = a.id OFFSET 0) p`;

/** Whether some part of a filter leaves so few positions by itself that a search need not begin with its text. */
async function hasNarrowPart(db: Database, orgId: number, filter: TableFilter): Promise<boolean> {
  const counts = positionParts(filter, 'p').map(
    (part) => Prisma.sql`
      (SELECT count(*)::int FROM (
        SELECT FROM asset_positions p WHERE p.org_id = ${orgId} AND ${part} LIMIT ${collectedMax + 1}) counted)`,
  );
  const rows = await db.$queryRaw<{ n: number }[]>`SELECT least(${Prisma.join(counts, ', ')}) AS n`;
  return (rows[0]?.n ?? 0) <= collectedMax;
}

type Source = { search: Search | undefined; isByPosition: boolean };

/** Where candidates come from, each asset looked up by its key; `found` counts them where their number has a limit. */
function sourceOf(orgId: number, filter: TableFilter, { search, isByPosition }: Source) {
  const assetOf = (ids: Prisma.Sql) => Prisma.sql`${ids} CROSS JOIN LATERAL (
    SELECT * FROM assets r WHERE r.org_id = ${orgId} AND r.id = candidate.id OFFSET 0) a`;
  const none = Prisma.sql`0`;
  if (search !== undefined) {
    const ids = matchingIds(orgId, search, collectedMax + 1);
    return {
      candidates: Prisma.sql`candidate AS MATERIALIZED (${ids}),`,
      assets: assetOf(Prisma.raw('candidate')),
      found: Prisma.sql`(SELECT count(*)::int FROM candidate)`,
    };
  }
  if (isByPosition) {
    const conditions = allOf([Prisma.sql`r.org_id = ${orgId}`, ...positionParts(filter, 'r')]);
    const ids = Prisma.sql`(SELECT r.asset_id AS id FROM asset_positions r WHERE ${conditions} OFFSET 0) candidate`;
    return { candidates: Prisma.empty, assets: assetOf(ids), found: none };
  }
  if (filter.isSeen === false) {
    // Two indexes side by side: whoever was never seen is what only one of them has.
    const ids = Prisma.sql`(
      SELECT r.id FROM assets r
       WHERE r.org_id = ${orgId}
         AND NOT EXISTS (SELECT FROM asset_positions s WHERE s.org_id = ${orgId} AND s.asset_id = r.id)
      OFFSET 0) candidate`;
    return { candidates: Prisma.empty, assets: assetOf(ids), found: none };
  }
  return { candidates: Prisma.empty, assets: Prisma.raw('assets a'), found: none };
}

/** A page found on an index in the order asked for; what else is asked of an asset is looked up as it is passed. */
async function walk(db: Database, orgId: number, query: TableQuery): Promise<number[]> {
  const { filter, sort, paging } = query;
  const isByTime = sort.field === 'asset_last_seen';
  const conditions = allOf([
    assetConditions(orgId, filter, 'a'),
    isByTime ? undefined : positionCondition(orgId, query),
    filter.q === undefined ? undefined : matches(orgId, searchOf(filter.q), 'a'),
  ]);
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT a.id
      FROM ${isByTime ? assetsByTime(orgId, query) : Prisma.raw('assets a')}
     WHERE ${conditions}
     ORDER BY ${isByTime ? Prisma.sql`p.seen_slot ${directionOf(sort)}, ${orderOf(sort)}` : orderOf(sort)}
     LIMIT ${paging.limit}
    OFFSET ${paging.offset}`;
  return rows.map(({ id }) => id);
}

/** Positions in the order of their slots, and by time within one, each with its asset. */
function assetsByTime(orgId: number, { filter, sort }: TableQuery): Prisma.Sql {
  const direction = directionOf(sort);
  const conditions = allOf([Prisma.sql`r.org_id = ${orgId}`, ...positionParts(filter, 'r')]);
  return Prisma.sql`(
    SELECT r.asset_id, r.asset_last_seen, r.seen_slot
      FROM asset_positions r
     WHERE ${conditions}
     ORDER BY r.seen_slot ${direction}, r.asset_last_seen ${direction}, r.asset_id
    OFFSET 0) p CROSS JOIN LATERAL (
    SELECT * FROM assets r WHERE r.org_id = ${orgId} AND r.id = p.asset_id OFFSET 0) a`;
}

function directionOf({ descending }: TableSort): Prisma.Sql {
  return Prisma.raw(descending ? 'DESC' : 'ASC');
}

/** Every order ends in the id, but that by a key, which no two live assets share. */
function orderOf(sort: TableSort): Prisma.Sql {
  const direction = directionOf(sort);
  if (sort.field === 'external_key') return Prisma.sql`a.external_key ${direction}`;
  const column = sort.field === 'asset_last_seen' ? 'p.asset_last_seen' : `a.${sort.field}`;
  return Prisma.sql`${Prisma.raw(column)} ${direction}, a.id`;
}
