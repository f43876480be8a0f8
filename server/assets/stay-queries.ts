import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { epochMs, instant } from '../database/columns.js';
import { allOf } from '../lists.js';

/** Consecutive events at one location; instants are epoch milliseconds. */
export type StayRow = {
  location_id: number | null;
  started_at: number;
  last_at: number;
  event_count: number;
};

type StayQuery = { assetId: number; limit: number; beforeMs: number | null };

type FoundStay = {
  location_id: number | null;
  started_at: number | null;
  last_at: number;
  event_count: number;
  events_read: number;
};

/** An asset that stays for months has an event a minute there; what a page reads has an end all the same. */
export const stayEventsMax = 20_000;

/**
 * Up to `limit` stays before an instant, latest first, or undefined where there is no such live asset. `isCut` tells that
 * the last of them may have begun earlier than it says: the events that one page may read were used up.
 */
export async function listStayRows(
  db: Database,
  orgId: number,
  { assetId, limit, beforeMs }: StayQuery,
): Promise<{ stays: StayRow[]; hasMore: boolean; isCut: boolean } | undefined> {
  const conditions = allOf([
    Prisma.sql`e.org_id = ${orgId}`,
    Prisma.sql`e.asset_id = ${assetId}`,
    beforeMs === null ? undefined : Prisma.sql`e.event_observed_at < ${instant(beforeMs)}`,
  ]);
  const found = await db.$queryRaw<FoundStay[]>`
    WITH seen AS MATERIALIZED (
      SELECT e.event_observed_at AS at, e.location_id
        FROM scan_events e
       WHERE ${conditions}
       ORDER BY e.event_observed_at DESC
       LIMIT ${stayEventsMax}
    ), turns AS (
      SELECT seen.at, seen.location_id,
             (row_number() OVER w = 1 OR seen.location_id IS DISTINCT FROM lag(seen.location_id) OVER w)::int AS turns
        FROM seen
      WINDOW w AS (ORDER BY seen.at DESC)
    ), stays AS (
      SELECT max(run.at) AS last_at, min(run.at) AS started_at, count(*)::int AS event_count, run.location_id, run.no
        FROM (SELECT turns.at, turns.location_id, sum(turns.turns) OVER (ORDER BY turns.at DESC) AS no FROM turns) run
       GROUP BY run.no, run.location_id
       ORDER BY run.no
       LIMIT ${limit + 1}
    )
    SELECT (SELECT count(*)::int FROM seen) AS events_read, stays.location_id, stays.event_count,
           ${epochMs('stays.started_at')} AS started_at, ${epochMs('stays.last_at')} AS last_at
      FROM assets a
      LEFT JOIN stays ON true
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL
     ORDER BY stays.no`;
  if (found.length === 0) return undefined;
  const stays = found.flatMap(({ events_read: _, started_at: at, ...stay }) =>
    at === null ? [] : [{ ...stay, started_at: at }],
  );
  const isUsedUp = (found[0]?.events_read ?? 0) === stayEventsMax;
  const isCut = isUsedUp && stays.length <= limit;
  return { stays: stays.slice(0, limit), hasMore: isCut || stays.length > limit, isCut };
}
