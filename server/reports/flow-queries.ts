import type { Database } from '../database/client.js';
import { epochMs, instant } from '../database/columns.js';
import { type Period, reportedLocations, within } from './period.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** How often assets moved from one location to another in a period; null stands for no known location. */
export type FlowRow = {
  from_id: number | null;
  from_name: string | null;
  to_id: number | null;
  to_name: string | null;
  moves: number;
  total_moves: number;
};

export type FlowRequest = { period: Period; locationId: number | null; limit: number };

/** From this share of the retained time on, reading all visits in key order is faster than sorting some. */
const wholeShareMin = 0.2;

/** Whether a period is this large a part of the time since the organization's first visit. */
async function isLarge(db: Queryable, orgId: number, { fromMs, untilMs }: Period): Promise<boolean> {
  const [row] = await db.$queryRaw<[{ first: number | null; now: number }]>`
    SELECT (SELECT ${epochMs('v.arrived_at')} FROM asset_visits v WHERE v.org_id = ${orgId} ORDER BY v.arrived_at LIMIT 1) AS first,
           ${epochMs('now()')} AS now`;
  if (row.first === null) return false;
  const keptMs = Math.max(1, row.now - row.first);
  return (Math.min(untilMs, row.now) - Math.max(fromMs, row.first)) / keptMs >= wholeShareMin;
}

/**
 * Returns the number of moves of a period by origin and destination, most frequent first. The origin of a move is the
 * preceding visit, which a window function finds for all but the first visit of each asset in the period. Location 0 is
 * none.
 */
export async function readFlow(
  db: Queryable,
  orgId: number,
  { period, locationId, limit }: FlowRequest,
): Promise<FlowRow[]> {
  // An expression keeps the planner from the index of arrivals: visits then come in key order, without a sort.
  const arrivedAt = (await isLarge(db, orgId, period)) ? "(v.arrived_at + interval '0')" : 'v.arrived_at';
  return db.$queryRaw<FlowRow[]>`
    WITH RECURSIVE ${reportedLocations(orgId, locationId)}, arrival AS (
      SELECT v.asset_id, coalesce(v.location_id, 0) AS to_id, lag(coalesce(v.location_id, 0)) OVER w AS before_id
        FROM asset_visits v
       WHERE v.org_id = ${orgId} AND ${within(arrivedAt, period)}
      WINDOW w AS (PARTITION BY v.asset_id ORDER BY v.arrived_at)
    ), pair AS (
      SELECT m.from_id, m.to_id, count(*) AS n
        FROM (
          SELECT coalesce(r.before_id, (
                   SELECT coalesce(o.location_id, 0)
                     FROM asset_visits o
                    WHERE o.org_id = ${orgId} AND o.asset_id = r.asset_id AND o.arrived_at < ${instant(period.fromMs)}
                    ORDER BY o.arrived_at DESC
                    LIMIT 1)) AS from_id, r.to_id
            FROM arrival r
        ) m
       GROUP BY 1, 2
    ), flow AS (
      SELECT p.from_id, p.to_id, p.n
        FROM pair p
       WHERE p.from_id IS NOT NULL
         AND (${locationId}::int IS NULL OR p.from_id IN (SELECT id FROM down) OR p.to_id IN (SELECT id FROM down))
    )
    SELECT nullif(f.from_id, 0) AS from_id, b.name AS from_name, nullif(f.to_id, 0) AS to_id, t.name AS to_name,
           f.n::float8 AS moves, (sum(f.n) OVER ())::float8 AS total_moves
      FROM flow f
      LEFT JOIN locations b ON b.org_id = ${orgId} AND b.id = f.from_id
      LEFT JOIN locations t ON t.org_id = ${orgId} AND t.id = f.to_id
     ORDER BY f.n DESC, f.from_id, f.to_id
     LIMIT ${limit}::int`;
}
