import { z } from 'zod';
import { sqlState } from '../../kernel/database/faults.js';
import { fieldRefusal } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { timeZoneField } from '../../kernel/validation/time-zone.js';
import { inNaturalOrder, instant } from '../../kernel/database/columns.js';
import type { Database, Queries } from '../../kernel/database/client.js';
import { namedRow } from '../../things/locations/tree.js';
import { assetNotFound } from '../../things/assets/procedure.js';
import { checkedPeriod, periodFields, type Period } from './period.js';

/** How long an asset was at a location in each hour of the day, in seconds, from midnight on; null for no known location. */
export type LocationUse = { location: { id: number; name: string } | null; seconds_by_hour: number[]; seconds: number };

export type UseReport = { asset: { id: number; name: string }; data: LocationUse[] };

const { from, until } = periodFields;
const input = z.strictObject({ asset_id: idParameter(), from, until, time_zone: timeZoneField });

/** Reports how long an asset was at each location in a period, by hour of the day in a time zone; longest first. */
export const reportUse = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { asset_id, time_zone: timeZone, ...range } }): Promise<UseReport> => {
    const { db } = ctx.services;
    const period = checkedPeriod(range);
    const asset = await existingAsset(db, ctx.orgId, asset_id);
    const request = { assetId: asset.id, period, timeZone, nowMs: Date.now() };
    const rows = await readUse(db, ctx.orgId, request).catch((error: unknown) => {
      if (sqlState(error) !== unknownTimeZoneState) throw error;
      throw fieldRefusal('time_zone', 'not_time_zone');
    });
    return { asset, data: byLocation(rows) };
  });

/** Invalid parameter value: the database's list of time zones can be older than the runtime's. */
const unknownTimeZoneState = '22023';

const hoursOfDay = 24;

type UseRow = { location: LocationUse['location']; hour: number; seconds: number };

function byLocation(rows: readonly UseRow[]): LocationUse[] {
  const uses = new Map<number | null, LocationUse>();
  for (const { location, hour, seconds } of rows) {
    const id = location?.id ?? null;
    const use = uses.get(id) ?? { location, seconds_by_hour: Array<number>(hoursOfDay).fill(0), seconds: 0 };
    use.seconds_by_hour[hour] = seconds;
    use.seconds += seconds;
    uses.set(id, use);
  }
  return [...uses.values()].sort((one, other) => other.seconds - one.seconds);
}

/**
 * Returns how long an asset was at each location by hour of the day. Visits are split at quarters of an hour, since the
 * offsets of all time zones are multiples of a quarter. So the number of rows is at most the number of visits plus the
 * number of quarters in the period.
 *
 * @param request.timeZone a name that the database knows
 */
export async function readUse(
  db: Queries,
  orgId: number,
  { assetId, period, timeZone, nowMs }: { assetId: number; period: Period; timeZone: string; nowMs: number },
): Promise<UseRow[]> {
  const from = instant(period.fromMs);
  const until = instant(Math.min(period.untilMs, nowMs));
  return db.$queryRaw<UseRow[]>`
    WITH stay AS (
      SELECT v.location_id, greatest(v.arrived_at, ${from}) AS begins, least(coalesce(v.left_at, 'infinity'), ${until}) AS ends
        FROM visits v
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
    SELECT ${namedRow('l')} AS location, u.hour, u.seconds
      FROM (
        SELECT q.location_id, extract(hour FROM q.at AT TIME ZONE ${timeZone})::int AS hour, sum(q.seconds)::float8 AS seconds
          FROM quarter q
         WHERE q.seconds > 0
         GROUP BY 1, 2
      ) u
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
     ORDER BY ${inNaturalOrder('l.name')}, u.location_id, u.hour`;
}

/**
 * Returns the asset of a report, with its name.
 *
 * @throws ContractError `not_found` if the organization has no such asset
 */
async function existingAsset(db: Database, orgId: number, id: number): Promise<{ id: number; name: string }> {
  const asset = await db.models((models) =>
    models.asset.findFirst({ where: { orgId, id, deletedAt: null }, select: { id: true, name: true } }),
  );
  if (!asset) throw assetNotFound();
  return asset;
}
