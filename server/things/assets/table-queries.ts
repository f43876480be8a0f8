import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import { effectiveCount, keptCount } from '../../kernel/database/counts.js';
import { directionOf, expired, firstPositions, shown } from '../../kernel/database/position-order.js';
import { allOf, type Paging } from '../../kernel/lists.js';
import { nearnessOf } from '../locations/tree.js';
import { correctedSearchOf, matches, type Search, searchOf } from './search-conditions.js';
import {
  asksKindTagsOrDetails,
  asksWhereOrWhen,
  assetConditions,
  includesNeverSeen,
  positionConditions,
  type TableFilter,
} from './table-filter.js';
import { chooseSource, collectedMax } from './table-sources.js';

// The app's table of assets. It collects the matches of a filter up to a limit, and scans if there are more. So neither a
// filter with few matches nor one with nearly all assets reads much. `database/list-query.ts` explains the strategies.

/** Pages that are scanned with a check of each row end here. */
export const scannedMax = 10_000;

export const tableSortFields = ['external_key', 'name', 'kind', 'created_at', 'updated_at', 'asset_last_seen'] as const;

/** With the order `near`, the assets that are nearest in the tree to the location `nearId` come first, then by name. */
export type TableSort =
  | { field: (typeof tableSortFields)[number]; descending: boolean }
  | { field: 'near'; nearId: number; descending: false };

export type TableQuery = { filter: TableFilter; sort: TableSort; paging: Paging };

type SearchedQuery = TableQuery & { search: Search | undefined };

/** The ids of a page. `total` is a lower bound if it is not exact, and pages can reach `reachable` of them. */
export type TablePage = { ids: number[]; total: number; isExact: boolean; reachable: number };

/**
 * Finds a page of live assets; if nothing matches the text, a page of what it may have meant. With the order `asset_last_seen`, the
 * filter has to ask for assets that were seen.
 */
export async function findTablePage(db: Database, orgId: number, query: TableQuery): Promise<TablePage> {
  const { q } = query.filter;
  const page = await findPage(db, orgId, {
    ...query,
    search: q === undefined ? undefined : await searchOf(db, orgId, q),
  });
  if (q === undefined || page.total > 0) return page;
  const search = await correctedSearchOf(db, orgId, q);
  return search ? findPage(db, orgId, { ...query, search }) : page;
}

async function findPage(db: Database, orgId: number, query: SearchedQuery): Promise<TablePage> {
  const { filter, paging } = query;
  // Assets that were never seen have no position.
  if (filter.isSeen === false && asksWhereOrWhen(filter)) return { ids: [], total: 0, isExact: true, reachable: 0 };
  if (isCountKept(filter)) {
    const total = await countKept(db, orgId, filter);
    const reachable = filter.isSeen === undefined ? total : Math.min(total, scannedMax);
    if (filter.isSeen === undefined || total > collectedMax) {
      return {
        ids: paging.offset < reachable ? await scanPage(db, orgId, query) : [],
        total,
        isExact: true,
        reachable,
      };
    }
  }
  const collected = await collectPage(db, orgId, query);
  if (collected.isWhole) {
    return { ids: collected.ids, total: collected.total, isExact: true, reachable: collected.total };
  }
  const ids = paging.offset < scannedMax ? await scanPage(db, orgId, query) : [];
  const total = Math.max(collected.total, ids.length === 0 ? 0 : paging.offset + ids.length);
  return { ids, total, isExact: false, reachable: scannedMax };
}

/** Returns whether triggers keep the count of a filter. */
function isCountKept(filter: TableFilter): boolean {
  if (filter.q !== undefined || asksWhereOrWhen(filter) || asksKindTagsOrDetails(filter)) return false;
  return filter.isSeen === undefined || (filter.isActive === undefined && filter.inEffect === undefined);
}

async function countKept(db: Database, orgId: number, { isActive, inEffect, isSeen }: TableFilter): Promise<number> {
  const kept = { includeDeleted: false, includeExpired: true };
  const assets = keptCount(orgId, { kind: 'asset', isActive, ...kept });
  const positions = keptCount(orgId, { kind: 'position', ...kept });
  const inEffectCount = effectiveCount(orgId, { kind: 'asset', includeDeleted: false, isActive });
  let total = assets;
  if (isSeen !== undefined) total = isSeen ? positions : Prisma.sql`${assets} - ${positions}`;
  else if (inEffect !== undefined) total = inEffect ? inEffectCount : Prisma.sql`${assets} - ${inEffectCount}`;
  const rows = await db.$queryRaw<{ kept_count: number }[]>`SELECT ${total} AS kept_count`;
  return rows[0]?.kept_count ?? 0;
}

/** Returns the condition of a filter and an order on the asset `a`: that it has a matching position, or none at all. */
function positionCondition(orgId: number, { filter, sort }: TableQuery): Prisma.Sql | undefined {
  const conditions = positionConditions(filter);
  const isNeeded = filter.isSeen === true || sort.field === 'asset_last_seen' || conditions.length > 0;
  const position = Prisma.sql`
    SELECT FROM asset_positions p
     WHERE ${allOf([Prisma.sql`p.org_id = ${orgId}`, Prisma.sql`p.asset_id = a.id`, ...conditions])} OFFSET 0`;
  if (filter.isSeen === false) return Prisma.sql`NOT EXISTS (${position})`;
  if (includesNeverSeen(filter)) {
    return Prisma.sql`NOT EXISTS (
      SELECT FROM asset_positions p
       WHERE p.org_id = ${orgId} AND p.asset_id = a.id AND NOT (${allOf(conditions)}) OFFSET 0)`;
  }
  return isNeeded ? Prisma.sql`EXISTS (${position})` : undefined;
}

type Collected = { ids: number[]; total: number; isWhole: boolean };

type CollectedRow = { ids: number[]; total: number; found: number };

/** Finds a page by collecting all matches, if there are not too many; `total` is how many were found until then. */
async function collectPage(db: Database, orgId: number, query: SearchedQuery): Promise<Collected> {
  const { filter, sort, paging, search } = query;
  const source = await chooseSource(db, orgId, { filter, search });
  const conditions = allOf([
    assetConditions(orgId, filter, 'a'),
    source.kind === 'position' ? undefined : positionCondition(orgId, query),
    search === undefined || source.kind === 'search' ? undefined : matches(orgId, search, 'a'),
  ]);
  const rows = await db.$queryRaw<CollectedRow[]>`
    WITH ${source.candidates} matched AS MATERIALIZED (
      SELECT a.id, a.external_key, a.name, a.kind_id, a.created_at, a.updated_at
        FROM ${source.assets}
       WHERE ${conditions}
       LIMIT ${collectedMax + 1}
    )
    SELECT (SELECT count(*)::int FROM matched) AS total,
           ${source.found} AS found,
           ARRAY(${orderedIds(orgId, sort)} LIMIT ${paging.limit} OFFSET ${paging.offset}) AS ids`;
  const { ids, total, found } = rows[0] ?? { ids: [], total: 0, found: 0 };
  return { ids, total: Math.min(total, collectedMax), isWhole: total <= collectedMax && found <= collectedMax };
}

/** Returns the ids of the CTE `matched` in an order. */
function orderedIds(orgId: number, sort: TableSort): Prisma.Sql {
  if (sort.field === 'asset_last_seen') return idsByTime(orgId, sort);
  if (sort.field === 'near') return idsByNearness(orgId, sort.nearId, Prisma.raw('matched'));
  return Prisma.sql`SELECT a.id FROM matched a ORDER BY ${orderOf(orgId, sort)}`;
}

/** Returns the assets of a table or CTE, those that are nearest to a location first. */
function idsByNearness(orgId: number, nearId: number, assets: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE placed AS MATERIALIZED (
      SELECT a.id, a.name, p.location_id
        FROM ${assets} a
        LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = a.id
    ), ${nearnessOf(orgId, nearId, Prisma.sql`SELECT DISTINCT location_id FROM placed WHERE location_id IS NOT NULL`)}
    SELECT a.id
      FROM placed a
      LEFT JOIN nearness n ON n.id = a.location_id
     ORDER BY n.steps, ${inNaturalOrder('a.name')}, a.id`;
}

/** Returns the matching assets in the order of the last sighting. Reads their positions in one pass over the key. */
function idsByTime(orgId: number, sort: TableSort): Prisma.Sql {
  const direction = directionOf(sort.descending);
  return Prisma.sql`
    SELECT p.asset_id
      FROM asset_positions p
     WHERE p.org_id = ${orgId} AND p.asset_id = ANY(ARRAY(SELECT m.id FROM matched m))
     ORDER BY p.asset_last_seen ${direction}, p.asset_id`;
}

/** Finds a page by a scan of an index in the requested order; other conditions are checked row by row. */
async function scanPage(db: Database, orgId: number, query: SearchedQuery): Promise<number[]> {
  const { filter, sort, paging, search } = query;
  if (sort.field === 'asset_last_seen') return scanByTime(db, orgId, query);
  const conditions = allOf([
    assetConditions(orgId, filter, 'a'),
    positionCondition(orgId, query),
    search && matches(orgId, search, 'a'),
  ]);
  const page = Prisma.sql`LIMIT ${paging.limit} OFFSET ${paging.offset}`;
  if (sort.field === 'near') {
    const all = Prisma.sql`(SELECT a.id, a.name FROM assets a WHERE ${conditions})`;
    const [found] = await db.$queryRaw<{ ids: number[] }[]>`
      SELECT ARRAY(${idsByNearness(orgId, sort.nearId, all)} ${page}) AS ids`;
    return found?.ids ?? [];
  }
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT a.id
      FROM assets a
     WHERE ${conditions}
     ORDER BY ${orderOf(orgId, sort)}
     ${page}`;
  return rows.map(({ id }) => id);
}

/** Finds a page in the order of the last sighting. Assets are looked up one by one, and only if the filter asks for it. */
async function scanByTime(
  db: Database,
  orgId: number,
  { filter, sort, paging: { limit, offset }, search }: SearchedQuery,
): Promise<number[]> {
  const { q, isActive, inEffect } = filter;
  const hasFilter = [q, isActive, inEffect].some((part) => part !== undefined) || asksKindTagsOrDetails(filter);
  const asset = Prisma.sql`
    SELECT FROM assets a
     WHERE ${allOf([Prisma.sql`a.id = p.asset_id`, assetConditions(orgId, filter, 'a'), search && matches(orgId, search, 'a')])}
    OFFSET 0`;
  const first = firstPositions(orgId, {
    descending: sort.descending,
    states: [shown, expired],
    conditions: [...positionConditions(filter), hasFilter ? Prisma.sql`EXISTS (${asset})` : undefined],
    count: offset + limit,
  });
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT p.asset_id AS id
      FROM (${first}) p
     ORDER BY p.asset_last_seen ${directionOf(sort.descending)}, p.asset_id
     LIMIT ${limit}
    OFFSET ${offset}`;
  return rows.map(({ id }) => id);
}

/** Returns the order of a table. Each ends with the id, except that by key, which is unique among live assets. */
function orderOf(orgId: number, sort: TableSort): Prisma.Sql {
  const direction = directionOf(sort.descending);
  if (sort.field === 'external_key') return Prisma.sql`${inNaturalOrder('a.external_key')} ${direction}`;
  if (sort.field === 'name') return Prisma.sql`${inNaturalOrder('a.name')} ${direction}, a.id`;
  if (sort.field === 'kind') {
    const kind = Prisma.sql`(SELECT ${inNaturalOrder('k.name')} FROM asset_kinds k WHERE k.org_id = ${orgId} AND k.id = a.kind_id)`;
    return Prisma.sql`${kind} ${direction} NULLS LAST, ${inNaturalOrder('a.name')}, a.id`;
  }
  const column = sort.field === 'asset_last_seen' ? 'p.asset_last_seen' : `a.${sort.field}`;
  return Prisma.sql`${Prisma.raw(column)} ${direction}, a.id`;
}
