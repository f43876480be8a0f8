import { z } from 'zod';
import { telemetryDays } from '../telemetry/store-telemetry.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { assetNotFound } from './procedure.js';
import { assetExists } from './queries.js';
import { assetId } from './schemas.js';

/** The first value of each quantity in an hour; null if there is none. */
export type TelemetryHour = {
  hour: string;
  battery: number | null;
  voltage: number | null;
  temperature: number | null;
  humidity: number | null;
};

/** Returns what a tag of an asset measured in each hour of the last 30 days, oldest first. Hours without values are missing. */
export const getTelemetryHours = sessionProcedure('viewer')
  .input(z.strictObject({ ...assetId, tag_id: idParameter() }))
  .query(async ({ ctx, input }): Promise<{ hours: TelemetryHour[] }> => {
    const { db } = ctx.services;
    const { asset_id, tag_id } = input;
    const hours = await db.$queryRaw<TelemetryHour[]>`
      SELECT api_timestamp(h.hour) AS hour, h.battery, h.voltage, h.temperature, h.humidity
        FROM tags t
        JOIN tag_telemetry_hours h ON h.tag_id = t.id AND h.org_id = t.org_id
       WHERE t.org_id = ${ctx.orgId}::int AND t.asset_id = ${asset_id}::int AND t.id = ${tag_id}::int
         AND t.deleted_at IS NULL AND h.hour > now() - make_interval(days => ${telemetryDays}::int)
       ORDER BY h.hour`;
    if (hours.length === 0 && !(await assetExists(db, ctx.orgId, asset_id))) throw assetNotFound();
    return { hours };
  });
