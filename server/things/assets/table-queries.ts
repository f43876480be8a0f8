import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder, isOneOf } from '../../kernel/database/columns.js';
import { effectiveCount, keptCount } from '../../kernel/database/counts.js';
import { countOf, type ListQuery, listQuery, pageQuery } from '../../kernel/database/list-query.js';
import { isOnlyPlaced, lastWords } from '../../kernel/database/placements.js';
import { directionOf, expired, firstPositions, seenBefore, shown } from '../../kernel/database/position-order.js';
import { allOf, type Paging } from '../../kernel/lists.js';
import { nearnessOf } from '../locations/tree.js';
import { correctedSearchOf, matches, type Search, searchOf } from './search-conditions.js';
import {
  asksWhereOrWhen,
  assetConditions,
  filterParts,
  includesNeverSeen,
  placedUnseen,
  positionConditions,
  type TableFilter,
} from './table-filter.js';
import { chooseSource, collectedMax } from './table-sources.js';

// The app's table of assets. It collects the matches of a filter up to a limit, and scans if there are more. So a
// filter reads few rows, whether it matches few assets or nearly all. `database/list-query.ts` explains the strategies.

/** The offset at which pages end if a scan has to check each row. */
export const scannedMax = 10_000;

export const tableSortFields = [
  'external_key',
  'name',
  'kind',
  'location',
  'created_at',
  'updated_at',
  'asset_last_seen',
] as const;

/** With the order `near`, the assets that are nearest in the tree to the location `nearId` come first, then by name. */
export type TableSort =
  | { field: (typeof tableSortFields)[number]; descending: boolean }
  | { field: 'detail'; key: string; descending: boolean }
  | { field: 'near'; nearId: number; descending: false };

export type TableQuery = { filter: TableFilter; sort: TableSort; paging: Paging };

type SearchedQuery = TableQuery & { search: Search | undefined };

/** The ids of a page. `total` is a lower bound if it is not exact, and pages can reach `reachable` of them. */
export type TablePage = { ids: number[]; total: number; isExact: boolean; reachable: number };

/**
 * Finds a page of live assets. If nothing matches the text, corrects its typing errors. With the order
 * `asset_last_seen`, the filter has to ask for assets that were seen.
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
  const kept = await countKept(db, orgId, filter);
  if (kept !== undefined && (filter.isSeen === undefined || kept > collectedMax)) {
    const reachable = filter.isSeen === undefined ? kept : Math.min(kept, scannedMax);
    const ids = paging.offset < reachable ? await scanPage(db, orgId, query) : [];
    return { ids, total: kept, isExact: true, reachable };
  }
  const collected = await collectPage(db, orgId, query);
  if (collected.isWhole) {
    return { ids: collected.ids, total: collected.total, isExact: true, reachable: collected.total };
  }
  const ids = paging.offset < scannedMax ? await scanPage(db, orgId, query) : [];
  const total = Math.max(collected.total, ids.length === 0 ? 0 : paging.offset + ids.length);
  return { ids, total, isExact: false, reachable: scannedMax };
}

/** Returns the number of matches of a filter if triggers keep it. */
async function countKept(db: Database, orgId: number, filter: TableFilter): Promise<number | undefined> {
  const { q, isActive, inEffect, isSeen } = filter;
  if (q !== undefined || asksWhereOrWhen(filter) || filterParts(orgId, filter).length > 0) return undefined;
  if (isSeen !== undefined && (isActive !== undefined || inEffect !== undefined)) return undefined;
  const kept = { includeDeleted: false, includeExpired: true };
  const assets = keptCount(orgId, { kind: 'asset', isActive, ...kept });
  const onlyPlaced = Prisma.sql`(SELECT count(*)::float8 FROM ${lastWords(orgId)} AND w.seen_before IS NULL)`;
  const positions = Prisma.sql`(${keptCount(orgId, { kind: 'position', ...kept })} - ${onlyPlaced})`;
  const inEffectCount = effectiveCount(orgId, { kind: 'asset', includeDeleted: false, isActive });
  let total = assets;
  if (isSeen !== undefined) total = isSeen ? positions : Prisma.sql`${assets} - ${positions}`;
  else if (inEffect !== undefined) total = inEffect ? inEffectCount : Prisma.sql`${assets} - ${inEffectCount}`;
  const rows = await db.$queryRaw<{ kept_count: number }[]>`SELECT ${total} AS kept_count`;
  return rows[0]?.kept_count;
}

/**
 * Returns the condition of a filter and an order on the asset `a`: that it has a matching position, or none by which it
 * was seen.
 */
export function positionCondition(
  orgId: number,
  { filter, sort }: { filter: TableFilter; sort?: TableSort },
): Prisma.Sql | undefined {
  const conditions = positionConditions(orgId, filter, { isAt: (ids) => isOneOf('p.location_id', ids) });
  const isNeeded = filter.isSeen === true || sort?.field === 'asset_last_seen' || conditions.length > 0;
  const exists = (found: readonly Prisma.Sql[]) => Prisma.sql`EXISTS (
    SELECT FROM asset_positions p WHERE ${allOf([Prisma.sql`p.org_id = ${orgId} AND p.asset_id = a.id`, ...found])} OFFSET 0)`;
  if (includesNeverSeen(filter)) return Prisma.sql`NOT ${exists([Prisma.sql`NOT (${allOf(conditions)})`])}`;
  if (filter.isSeen === false && !asksWhereOrWhen(filter))
    return Prisma.sql`NOT ${exists([Prisma.sql`NOT ${isOnlyPlaced(orgId)}`])}`;
  return isNeeded ? exists(conditions) : undefined;
}

type Collected = { ids: number[]; total: number; isWhole: boolean };

type CollectedRow = { ids: number[]; total_count: number; found: number };

/** Finds a page by collecting all matches, unless there are too many; `total` is the number found up to that limit. */
async function collectPage(db: Database, orgId: number, query: SearchedQuery): Promise<Collected> {
  const { filter, sort, paging, search } = query;
  const source = await chooseSource(db, orgId, { filter, search });
  const conditions = allOf([
    assetConditions(orgId, filter),
    source.kind === 'position' ? undefined : positionCondition(orgId, query),
    search === undefined || source.kind === 'search' ? undefined : matches(orgId, search, 'a'),
  ]);
  const matched = Prisma.raw('matched');
  const list: ListQuery = {
    given: Prisma.sql`
      ${source.candidates} matched AS MATERIALIZED (
        SELECT a.id, a.external_key, a.name, a.kind_id, a.created_at, a.updated_at
          FROM ${source.assets}
         WHERE ${conditions}
         LIMIT ${collectedMax + 1}
      )`,
    ...inOrder(orgId, sort, {
      assets: matched,
      // Reads the positions in one pass over their key.
      positions: Prisma.sql`(
        SELECT * FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = ANY(ARRAY(SELECT m.id FROM matched m)))`,
    }),
    paging,
    total: countOf(matched),
    furtherCounts: Prisma.sql`, ${source.found} AS found`,
  };
  const rows = await db.$queryRaw<CollectedRow[]>`
    ${listQuery(list)}
    SELECT counts.*, ARRAY(SELECT id FROM page) AS ids FROM counts`;
  const { ids, total_count: total, found } = rows[0] ?? { ids: [], total_count: 0, found: 0 };
  return { ids, total: Math.min(total, collectedMax), isWhole: total <= collectedMax && found <= collectedMax };
}

/** Finds a page by a scan of an index in the requested order; other conditions are checked row by row. */
async function scanPage(db: Database, orgId: number, query: SearchedQuery): Promise<number[]> {
  const { filter, sort, paging, search } = query;
  const found = allOf([assetConditions(orgId, filter), search && matches(orgId, search, 'a')]);
  const { q, isActive, inEffect } = filter;
  const asksAsset = [q, isActive, inEffect].some((part) => part !== undefined) || filterParts(orgId, filter).length > 0;
  // Assets are looked up one by one, and only if the filter asks for it.
  const ofAsset = asksAsset
    ? Prisma.sql`EXISTS (SELECT FROM assets a WHERE a.id = p.asset_id AND ${found} OFFSET 0)`
    : undefined;
  const positions = [
    firstPositions(orgId, {
      descending: sort.descending,
      states: [shown, expired],
      conditions: [...positionConditions(orgId, filter, { unseen: seenBefore }), ofAsset],
      count: paging.offset + paging.limit,
    }),
    ...placedUnseen(orgId, filter, Prisma.raw('p.asset_id, p.location_id, p.asset_last_seen')).map(
      (select) => Prisma.sql`(${allOf([select, ofAsset])})`,
    ),
  ];
  const page = inOrder(orgId, sort, {
    assets: Prisma.sql`(SELECT * FROM assets a WHERE ${allOf([found, positionCondition(orgId, query)])})`,
    positions: Prisma.sql`(${Prisma.join(positions, ' UNION ALL ')})`,
  });
  const rows = await db.$queryRaw<{ ids: number[] }[]>`SELECT ARRAY(${pageQuery({ ...page, paging })}) AS ids`;
  return rows[0]?.ids ?? [];
}

/**
 * Returns the order of a table, as parts of a query. Each order ends with the id, except the order by key, which is unique
 * among live assets. The order by the last sighting reads `positions`, other orders read `assets`. Both are a CTE or a
 * query in parentheses.
 */
function inOrder(
  orgId: number,
  sort: TableSort,
  { assets, positions }: { assets: Prisma.Sql; positions: Prisma.Sql },
): Pick<ListQuery, 'source' | 'columns' | 'order'> {
  const direction = directionOf(sort.descending);
  const byName = inNaturalOrder('a.name');
  const by = (order: Prisma.Sql) => ({ source: Prisma.sql`${assets} a`, columns: Prisma.raw('a.id'), order });
  switch (sort.field) {
    case 'asset_last_seen':
      return {
        source: Prisma.sql`${positions} p`,
        columns: Prisma.raw('p.asset_id AS id'),
        order: Prisma.sql`p.asset_last_seen ${direction}, p.asset_id`,
      };
    case 'near':
      return {
        ...by(Prisma.sql`a.steps, ${byName}, a.id`),
        source: Prisma.sql`(${withNearness(orgId, sort.nearId, assets)}) a`,
      };
    case 'location':
      return {
        ...by(Prisma.sql`${inNaturalOrder('a.place')} ${direction} NULLS LAST, ${byName}, a.id`),
        source: Prisma.sql`(${withPlace(orgId, assets)}) a`,
      };
    case 'detail':
      return {
        ...by(Prisma.sql`${inNaturalOrder('a.detail')} ${direction} NULLS LAST, ${byName}, a.id`),
        source: Prisma.sql`(${withDetail(orgId, sort.key, assets)}) a`,
      };
    case 'external_key':
      return by(Prisma.sql`${inNaturalOrder('a.external_key')} ${direction}`);
    case 'name':
      return by(Prisma.sql`${byName} ${direction}, a.id`);
    case 'kind':
      return by(Prisma.sql`(
        SELECT ${inNaturalOrder('k.name')} FROM asset_kinds k WHERE k.org_id = ${orgId} AND k.id = a.kind_id
      ) ${direction} NULLS LAST, ${byName}, a.id`);
    default:
      return by(Prisma.sql`${Prisma.raw(`a.${sort.field}`)} ${direction}, a.id`);
  }
}

/** Selects assets with the name of their location, if they have one. */
function withPlace(orgId: number, assets: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT a.id, a.name, l.name AS place
      FROM ${assets} a
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = a.id
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id`;
}

/** Selects assets with the value of a custom detail, if they have it. */
function withDetail(orgId: number, key: string, assets: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT a.id, a.name, d.metadata ->> ${key} AS detail
      FROM ${assets} a
      JOIN assets d ON d.org_id = ${orgId} AND d.id = a.id`;
}

/** Selects assets with how far they are from a location: null if they are in no location, or in another tree. */
function withNearness(orgId: number, nearId: number, assets: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE placed AS MATERIALIZED (
      SELECT a.id, a.name, p.location_id
        FROM ${assets} a
        LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = a.id
    ), ${nearnessOf(orgId, nearId, Prisma.sql`SELECT DISTINCT location_id FROM placed WHERE location_id IS NOT NULL`)}
    SELECT a.id, a.name, n.steps FROM placed a LEFT JOIN nearness n ON n.id = a.location_id`;
}
