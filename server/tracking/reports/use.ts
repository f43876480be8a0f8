import { z } from 'zod';
import { sqlState } from '../../kernel/database/faults.js';
import { validationError } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { timeZoneField } from '../../kernel/validation/time-zone.js';
import { checkedPeriod, periodFields } from './period.js';
import { existingAsset } from './scope.js';
import { readUse, type UseRow } from './use-queries.js';

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
      const message = 'time_zone is not known to the database';
      throw validationError([{ field: 'time_zone', code: 'invalid_value', message }]);
    });
    return { asset, data: byLocation(rows) };
  });

/** Invalid parameter value: the database's list of time zones can be older than the runtime's. */
const unknownTimeZoneState = '22023';

const hoursOfDay = 24;

function byLocation(rows: readonly UseRow[]): LocationUse[] {
  const uses = new Map<number | null, LocationUse>();
  for (const { location_id: id, name, hour, seconds } of rows) {
    const location = id === null ? null : { id, name: name ?? '' };
    const use = uses.get(id) ?? { location, seconds_by_hour: Array<number>(hoursOfDay).fill(0), seconds: 0 };
    use.seconds_by_hour[hour] = seconds;
    use.seconds += seconds;
    uses.set(id, use);
  }
  return [...uses.values()].sort((one, other) => other.seconds - one.seconds);
}
