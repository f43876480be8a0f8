import { sessionProcedure } from '../../trpc.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import { isByPlacement } from '../../kernel/database/placements.js';
import { requireLocation } from '../../things/locations/procedure.js';
import { checkedPeriod, periodBefore, periodInput, type Period, reportedLocations, within } from './period.js';

const locationsMax = 500;

/** How long assets stayed at a location, in seconds. Percentiles have three significant digits. */
type DwellRow = {
  location: { id: number; name: string; external_key: string; is_deleted: boolean };
  visits: number;
  median_seconds: number;
  p95_seconds: number;
};

export type DwellTime = DwellRow & {
  /** The same in the preceding period of equal length; null if no visit ended in it. */
  before: Omit<DwellRow, 'location'> | null;
};

export type DwellReport = { data: DwellTime[]; is_complete: boolean };

/**
 * Reports the dwell time by location: how many visits ended in a period, the median and the 95th percentile of their
 * duration, and the same for the preceding period. Visits that a placement without a scan began or ended are left out, since
 * nobody knows when the asset came or went. Lists the 500 locations with the most visits.
 */
export const reportDwell = sessionProcedure('viewer')
  .input(periodInput)
  .query(async ({ ctx, input }): Promise<DwellReport> => {
    const { db } = ctx.services;
    const { orgId } = ctx;
    const period = checkedPeriod(input);
    const { location_id: locationId = null } = input;
    await requireLocation(db, orgId, locationId);
    const rows = await readDwell(db, orgId, { period, locationId, limit: locationsMax + 1 });
    const earlier = await readDwell(db, orgId, { period: periodBefore(period), locationId, limit: 100_000 });
    const before = new Map(earlier.map(({ location, ...times }) => [location.id, times]));
    return {
      data: rows.slice(0, locationsMax).map((row) => ({ ...row, before: before.get(row.location.id) ?? null })),
      is_complete: rows.length <= locationsMax,
    };
  });

/**
 * Rounds seconds down to three significant digits. Visits are counted by these few durations instead of being sorted:
 * sorting a million visits takes longer than everything else.
 */
const roundedSeconds = (seconds: string) =>
  Prisma.raw(`CASE
    WHEN ${seconds} < 1000 THEN ${seconds}
    WHEN ${seconds} < 10000 THEN ${seconds} / 10 * 10
    WHEN ${seconds} < 100000 THEN ${seconds} / 100 * 100
    WHEN ${seconds} < 1000000 THEN ${seconds} / 1000 * 1000
    ELSE ${seconds} / 10000 * 10000
  END`);

/** Returns the dwell time of the visits that ended in a period by location, locations with the most visits first. */
export async function readDwell(
  db: Queries,
  orgId: number,
  { period, locationId, limit }: { period: Period; locationId: number | null; limit: number },
): Promise<DwellRow[]> {
  return db.$queryRaw<DwellRow[]>`
    WITH RECURSIVE ${reportedLocations(orgId, locationId)}, length AS MATERIALIZED (
      SELECT v.location_id, ${roundedSeconds('v.seconds')} AS seconds, count(*) AS n
        FROM (
          SELECT d.id AS location_id, date_part('epoch', o.left_at - o.arrived_at)::int AS seconds
            FROM down d
            JOIN asset_visits o ON o.org_id = ${orgId} AND o.location_id = d.id AND o.left_at IS NOT NULL
           WHERE ${within('o.left_at', period)}
             AND NOT ${isByPlacement(orgId, 'o', 'arrived_at')} AND NOT ${isByPlacement(orgId, 'o', 'left_at')}
        ) v
       GROUP BY 1, 2
    ), placed AS (
      SELECT s.location_id, s.seconds, s.n,
             sum(s.n) OVER (PARTITION BY s.location_id ORDER BY s.seconds) AS upto,
             sum(s.n) OVER (PARTITION BY s.location_id) AS total
        FROM length s
    )
    SELECT json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key,
                             'is_deleted', l.deleted_at IS NOT NULL) AS location,
           p.total::float8 AS visits,
           min(p.seconds) FILTER (WHERE p.upto >= p.total * 0.5)::float8 AS median_seconds,
           min(p.seconds) FILTER (WHERE p.upto >= p.total * 0.95)::float8 AS p95_seconds
      FROM placed p
      JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id
     GROUP BY l.id, l.name, l.external_key, l.deleted_at, p.total
     ORDER BY p.total DESC, l.id
     LIMIT ${limit}::int`;
}
