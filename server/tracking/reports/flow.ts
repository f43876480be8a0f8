import { sessionProcedure } from '../../trpc.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { isByPlacement } from '../../kernel/database/placements.js';
import { namedRow } from '../../things/locations/tree.js';
import { requireLocation } from '../../things/locations/procedure.js';
import { checkedPeriod, periodInput, type Period, reportedLocations, within } from './period.js';

const pairsMax = 500;

type End = { id: number; name: string };

/** How often assets moved from one location to another; null stands for no known location. */
export type Flow = { from: End | null; to: End | null; moves: number };

export type FlowReport = { data: Flow[]; is_complete: boolean };

/**
 * Reports how often assets moved from one location to another in a period; with a location, moves that began or ended
 * in it or its sublocations. First sightings and placements without a scan do not count as moves. Lists the 500 most frequent pairs.
 */
export const reportFlow = sessionProcedure('viewer')
  .input(periodInput)
  .query(async ({ ctx, input }): Promise<FlowReport> => {
    const { db } = ctx.services;
    const period = checkedPeriod(input);
    const { location_id: locationId = null } = input;
    await requireLocation(db, ctx.orgId, locationId);
    const rows = await readFlow(db, ctx.orgId, { period, locationId, limit: pairsMax + 1 });
    return { data: rows.slice(0, pairsMax), is_complete: rows.length <= pairsMax };
  });

/**
 * If the period is at least this share of the retained time, reading all visits in key order is faster than sorting the
 * visits of the period.
 */
const wholeShareMin = 0.2;

/** Returns whether a period is at least this share of the time since the organization's first visit. */
async function isLarge(db: Queries, orgId: number, { fromMs, untilMs }: Period): Promise<boolean> {
  const [row] = await db.$queryRaw<[{ first: number | null; now: number }]>`
    SELECT (SELECT ${epochMs('v.arrived_at')} FROM asset_visits v WHERE v.org_id = ${orgId} ORDER BY v.arrived_at LIMIT 1) AS first,
           ${epochMs('now()')} AS now`;
  if (row.first === null) return false;
  const keptMs = Math.max(1, row.now - row.first);
  return (Math.min(untilMs, row.now) - Math.max(fromMs, row.first)) / keptMs >= wholeShareMin;
}

/**
 * Returns the number of moves of a period by origin and destination, most frequent first. The visits of each asset
 * become an array of locations. Paired with the same array shifted by one visit, each element has its origin. Location
 * 0 is no location. A visit that began by a placement is -1 minus its location: it is an origin, but no move.
 */
export async function readFlow(
  db: Queries,
  orgId: number,
  { period, locationId, limit }: { period: Period; locationId: number | null; limit: number },
): Promise<Flow[]> {
  const isInPeriod = within('v.arrived_at', period);
  // IS TRUE keeps the planner from using the index of arrivals, so visits come in key order, without a sort.
  const isReported = (await isLarge(db, orgId, period)) ? Prisma.sql`${isInPeriod} IS TRUE` : isInPeriod;
  return db.$queryRaw<Flow[]>`
    WITH RECURSIVE ${reportedLocations(orgId, locationId)}, path AS (
      SELECT v.asset_id,
             array_agg(CASE WHEN ${isByPlacement(orgId, 'v', 'arrived_at')} THEN -1 - coalesce(v.location_id, 0)
                            ELSE coalesce(v.location_id, 0) END ORDER BY v.arrived_at) AS ids
        FROM visits v
       WHERE v.org_id = ${orgId} AND ${isReported}
       GROUP BY v.asset_id
    ), pair AS (
      SELECT CASE WHEN m.from_id < 0 THEN -1 - m.from_id ELSE m.from_id END AS from_id, m.to_id, count(*) AS n
        FROM path p
       CROSS JOIN LATERAL (
         SELECT (SELECT coalesce(o.location_id, 0)
                   FROM asset_visits o
                  WHERE o.org_id = ${orgId} AND o.asset_id = p.asset_id AND o.arrived_at < ${instant(period.fromMs)}
                  ORDER BY o.arrived_at DESC
                  LIMIT 1) AS id
       ) preceding
       CROSS JOIN LATERAL unnest(preceding.id || p.ids, p.ids) AS m (from_id, to_id)
       WHERE m.to_id >= 0
       GROUP BY 1, 2
    ), flow AS (
      SELECT p.from_id, p.to_id, p.n
        FROM pair p
       WHERE p.from_id IS NOT NULL
         AND (${locationId}::int IS NULL OR p.from_id IN (SELECT id FROM down) OR p.to_id IN (SELECT id FROM down))
    )
    SELECT ${namedRow('b')} AS from, ${namedRow('t')} AS to, f.n::float8 AS moves
      FROM flow f
      LEFT JOIN locations b ON b.org_id = ${orgId} AND b.id = f.from_id
      LEFT JOIN locations t ON t.org_id = ${orgId} AND t.id = f.to_id
     ORDER BY f.n DESC, f.from_id, f.to_id
     LIMIT ${limit}::int`;
}
