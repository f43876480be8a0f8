import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { type Period, reportedLocations, within } from './period.js';

/** How long assets stayed at a location, in seconds. Percentiles are exact to three digits. */
export type DwellRow = {
  location_id: number;
  name: string;
  external_key: string;
  is_deleted: boolean;
  visits: number;
  median_seconds: number;
  p95_seconds: number;
};

/**
 * Rounds seconds down to three digits. Durations are counted by these few values, so that no visits are sorted: sorting
 * a million of them takes longer than everything else.
 */
const roundedSeconds = (seconds: string) =>
  Prisma.raw(`CASE
    WHEN ${seconds} < 1000 THEN ${seconds}
    WHEN ${seconds} < 10000 THEN ${seconds} / 10 * 10
    WHEN ${seconds} < 100000 THEN ${seconds} / 100 * 100
    WHEN ${seconds} < 1000000 THEN ${seconds} / 1000 * 1000
    ELSE ${seconds} / 10000 * 10000
  END`);

export type DwellRequest = { period: Period; locationId: number | null; limit: number };

/** Returns the dwell time of the visits that ended in a period by location, locations with the most visits first. */
export async function readDwell(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { period, locationId, limit }: DwellRequest,
): Promise<DwellRow[]> {
  return db.$queryRaw<DwellRow[]>`
    WITH RECURSIVE ${reportedLocations(orgId, locationId)}, length AS MATERIALIZED (
      SELECT v.location_id, ${roundedSeconds('v.seconds')} AS seconds, count(*) AS n
        FROM (
          SELECT d.id AS location_id, date_part('epoch', o.left_at - o.arrived_at)::int AS seconds
            FROM down d
            JOIN asset_visits o ON o.org_id = ${orgId} AND o.location_id = d.id AND o.left_at IS NOT NULL
           WHERE ${within('o.left_at', period)}
        ) v
       GROUP BY 1, 2
    ), placed AS (
      SELECT s.location_id, s.seconds, s.n,
             sum(s.n) OVER (PARTITION BY s.location_id ORDER BY s.seconds) AS upto,
             sum(s.n) OVER (PARTITION BY s.location_id) AS total
        FROM length s
    )
    SELECT l.id AS location_id, l.name, l.external_key, l.deleted_at IS NOT NULL AS is_deleted,
           p.total::float8 AS visits,
           min(p.seconds) FILTER (WHERE p.upto >= p.total * 0.5)::float8 AS median_seconds,
           min(p.seconds) FILTER (WHERE p.upto >= p.total * 0.95)::float8 AS p95_seconds
      FROM placed p
      JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id
     GROUP BY l.id, l.name, l.external_key, l.deleted_at, p.total
     ORDER BY p.total DESC, l.id
     LIMIT ${limit}::int`;
}
