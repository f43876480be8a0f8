import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { effective, epochMs } from '../database/columns.js';
import { countOutsideWindow } from '../database/counts.js';
import { allOf, deepOffsetMin, orderBy, type Paging } from '../lists.js';
import type { SortItem } from '../validation/parameters.js';

export const reportSortFields = ['asset_last_seen', 'asset_external_key', 'location_external_key'] as const;

export type ReportSortField = (typeof reportSortFields)[number];

// PostgreSQL puts nulls last ascending and first descending, which is the order the report promises.
const sortColumns: Record<ReportSortField, Prisma.Sql> = {
  asset_last_seen: Prisma.raw('p.asset_last_seen'),
  asset_external_key: Prisma.raw('a.external_key'),
  location_external_key: Prisma.raw('l.external_key'),
};

const pageSortColumns: Record<ReportSortField, Prisma.Sql> = {
  asset_last_seen: Prisma.raw('page.asset_last_seen'),
  asset_external_key: Prisma.raw('page.asset_external_key'),
  location_external_key: Prisma.raw('l.external_key'),
};

export type ReportFilter = {
  asset_id?: number[];
  asset_external_key?: string[];
  location_id?: number[];
  location_external_key?: string[];
  include_deleted: boolean;
};

/** A row of the report; instants are epoch milliseconds, and a page beyond the end is one row without an asset. */
export type ReportRow = {
  id: number | null;
  asset_external_key: string;
  location_id: number | null;
  location_external_key: string | null;
  asset_last_seen: number;
  asset_deleted_at: number | null;
  total_count: number;
};

type ReportQuery = { filter: ReportFilter; sort: readonly SortItem<ReportSortField>[]; paging: Paging };

/** Joined as the planner likes: what narrows the report decides where to begin. */
const positions = Prisma.raw('asset_positions p JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id');

// The two directions in which the join is walked by row, whatever the planner takes the tables for: positions in the order
// of time, each with its asset; and a few assets, each with its position. Positions are found by slot and sorted within.
const positionsByTime = (orgId: number, direction: Prisma.Sql, condition: Prisma.Sql) => Prisma.sql`(
  SELECT r.org_id, r.asset_id, r.location_id, r.asset_last_seen, r.seen_slot
    FROM asset_positions r
   WHERE r.org_id = ${orgId} ${condition}
   ORDER BY r.seen_slot ${direction}, r.asset_last_seen ${direction}, r.asset_id
  OFFSET 0) p CROSS JOIN LATERAL (
  SELECT r.external_key, r.deleted_at, r.valid_from, r.valid_to FROM assets r WHERE r.org_id = p.org_id AND r.id = p.asset_id OFFSET 0) a`;
const positionsOfAssets = Prisma.raw(`assets a CROSS JOIN LATERAL (
  SELECT r.asset_id, r.seen_slot FROM asset_positions r WHERE r.org_id = a.org_id AND r.asset_id = a.id OFFSET 0) p`);

const places = Prisma.raw(
  'LEFT JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL',
);

/** A page of the current positions with the count of all that match; it reads positions and never events. */
export async function listPositionRows(
  db: Database,
  orgId: number,
  { filter, sort, paging }: ReportQuery,
): Promise<ReportRow[]> {
  const narrowing = [
    filter.asset_id && Prisma.sql`p.asset_id = ANY(${filter.asset_id}::int[])`,
    filter.asset_external_key && Prisma.sql`a.external_key = ANY(${filter.asset_external_key}::text[])`,
    filter.location_id && Prisma.sql`p.location_id = ANY(${filter.location_id}::int[])`,
    filter.location_external_key && Prisma.sql`l.external_key = ANY(${filter.location_external_key}::text[])`,
  ];
  const isNarrowed = narrowing.some((condition) => condition !== undefined);
  const conditions = allOf([
    Prisma.sql`p.org_id = ${orgId}`,
    filter.include_deleted ? undefined : Prisma.sql`a.deleted_at IS NULL`,
    effective('a'),
    ...narrowing,
  ]);
  const [first] = sort;
  const order = orderBy(sort, { columns: sortColumns, id: Prisma.raw('p.asset_id') });
  const isByTime = !isNarrowed && first?.field === 'asset_last_seen';
  const direction = Prisma.raw(first?.descending ? 'DESC' : 'ASC');
  const start =
    isByTime && paging.offset >= deepOffsetMin
      ? deepStart(orgId, { ...first, offset: paging.offset, includeDeleted: filter.include_deleted })
      : { anchor: Prisma.empty, condition: Prisma.empty, offset: Prisma.sql`${paging.offset}` };
  const total = isNarrowed
    ? Prisma.sql`(SELECT count(*)::float8 FROM ${positions} ${places} WHERE ${conditions})`
    : positionCount(orgId, filter.include_deleted);
  // Places are looked up one by one: a plan that serves every page takes it for longer than it is, and would read all.
  return db.$queryRaw<ReportRow[]>`
    WITH ${start.anchor} page AS MATERIALIZED (
      SELECT p.asset_id, p.asset_last_seen, p.location_id, a.external_key AS asset_external_key, a.deleted_at
        FROM ${isByTime ? positionsByTime(orgId, direction, start.condition) : positions} ${places}
       WHERE ${conditions}
       ORDER BY ${isByTime ? Prisma.sql`p.seen_slot ${direction}, ${order}` : order}
       LIMIT ${paging.limit}
      OFFSET ${start.offset}
    )
    SELECT counted.total_count,
           page.asset_id AS id,
           page.asset_external_key,
           page.location_id,
           l.external_key AS location_external_key,
           ${epochMs('page.asset_last_seen')} AS asset_last_seen,
           ${epochMs('page.deleted_at')} AS asset_deleted_at
      FROM (SELECT ${total} AS total_count) counted
      LEFT JOIN page ON true
      LEFT JOIN LATERAL (
        SELECT r.external_key FROM locations r WHERE r.org_id = ${orgId} AND r.id = page.location_id AND r.deleted_at IS NULL OFFSET 0
      ) l ON true
     ORDER BY ${orderBy(sort, { columns: pageSortColumns, id: Prisma.raw('page.asset_id') })}`;
}

const downwards = [Prisma.raw('DESC'), Prisma.raw('ASC'), Prisma.raw('>'), Prisma.raw('<=')] as const;
const upwards = [Prisma.raw('ASC'), Prisma.raw('DESC'), Prisma.raw('<'), Prisma.raw('>=')] as const;

type DeepStart = { descending: boolean; offset: number; includeDeleted: boolean };

/**
 * Where a page by time begins, far down: at the slot up to which as many positions are passed on their index as are to be
 * skipped, whatever their assets are. Of those passed the few that are not shown are counted, and fewer are left to skip
 * from there by what is shown.
 */
function deepStart(orgId: number, { descending, offset, includeDeleted }: DeepStart) {
  const slot = Prisma.raw('(SELECT seen_slot FROM anchor)');
  const [onwards, back, earlier, notEarlier] = descending ? downwards : upwards;
  const passed = Prisma.sql`a.org_id = ${orgId} AND p.seen_slot ${earlier} ${slot}`;
  const ofLive = includeDeleted ? passed : Prisma.sql`${passed} AND a.deleted_at IS NULL`;
  const ofDeleted = Prisma.sql`(SELECT count(*) FROM ${positionsOfAssets} WHERE ${passed} AND a.deleted_at IS NOT NULL)`;
  const outside = countOutsideWindow(positionsOfAssets, 'a', ofLive);
  const notShown = includeDeleted ? outside : Prisma.sql`${outside} + ${ofDeleted}`;
  return {
    anchor: Prisma.sql`
      anchor AS MATERIALIZED (
        SELECT walk.seen_slot, sum(count(*)) OVER () - count(*) AS passed
          FROM (SELECT r.seen_slot FROM asset_positions r WHERE r.org_id = ${orgId} ORDER BY r.seen_slot ${onwards} LIMIT ${offset}::bigint + 1) walk
         GROUP BY walk.seen_slot
         ORDER BY walk.seen_slot ${back}
         LIMIT 1
      ),`,
    condition: Prisma.sql`AND r.seen_slot ${notEarlier} ${slot}`,
    offset: Prisma.sql`(${offset}::bigint - (SELECT passed FROM anchor) + ${notShown})::bigint`,
  };
}

/** All positions of effective assets: the kept count, less those of the few assets whose window has not begun or is over. */
function positionCount(orgId: number, includeDeleted: boolean): Prisma.Sql {
  const keptLive = includeDeleted ? Prisma.empty : Prisma.sql`AND NOT is_deleted`;
  const assetsLive = includeDeleted ? Prisma.empty : Prisma.sql`AND a.deleted_at IS NULL`;
  const outside = countOutsideWindow(positionsOfAssets, 'a', Prisma.sql`a.org_id = ${orgId} ${assetsLive}`);
  return Prisma.sql`(
    (SELECT coalesce(sum(n), 0) FROM row_counts WHERE org_id = ${orgId} AND kind = 'position' ${keptLive})
    - ${outside}
  )::float8`;
}
