import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder, instant } from '../../kernel/database/columns.js';
import type { Period } from './period.js';

/** How long an asset was at a location in one hour of the day, in seconds; null stands for no known location. */
export type UseRow = { location_id: number | null; name: string | null; hour: number; seconds: number };

/**
 * Returns how long an asset was at each location by hour of the day. Its visits are split into quarters of an hour,
 * since the offsets of all time zones are multiples of that, so there are at most as many rows as visits and quarters
 * of the period.
 *
 * @param request.timeZone a name that the database knows
 */
export async function readUse(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { assetId, period, timeZone, nowMs }: { assetId: number; period: Period; timeZone: string; nowMs: number },
): Promise<UseRow[]> {
  const from = instant(period.fromMs);
  const until = instant(Math.min(period.untilMs, nowMs));
  return db.$queryRaw<UseRow[]>`
    WITH stay AS (
      SELECT v.location_id, greatest(v.arrived_at, ${from}) AS begins, least(coalesce(v.left_at, 'infinity'), ${until}) AS ends
        FROM asset_visits v
       WHERE v.org_id = ${orgId} AND v.asset_id = ${assetId} AND v.arrived_at < ${until}
         AND (v.left_at IS NULL OR v.left_at > ${from})
    ), quarter AS (
      SELECT s.location_id, q.at,
             extract(epoch FROM least(s.ends, q.at + interval '15 minutes') - greatest(s.begins, q.at)) AS seconds
        FROM stay s
       CROSS JOIN LATERAL generate_series(
         date_bin(interval '15 minutes', s.begins, 'epoch'::timestamptz), s.ends, interval '15 minutes') AS q (at)
       WHERE s.ends > s.begins
    )
    SELECT u.location_id, l.name, u.hour, u.seconds
      FROM (
        SELECT q.location_id, extract(hour FROM q.at AT TIME ZONE ${timeZone})::int AS hour, sum(q.seconds)::float8 AS seconds
          FROM quarter q
         WHERE q.seconds > 0
         GROUP BY 1, 2
      ) u
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
     ORDER BY ${inNaturalOrder('l.name')}, u.location_id, u.hour`;
}
