import { sessionProcedure } from '../../trpc.js';
import { type DwellRow, readDwell } from './dwell-queries.js';
import { checkedPeriod, periodBefore, periodInput } from './period.js';
import { existingLocation } from './scope.js';

const locationsMax = 500;

/** How long assets stayed at a location, in seconds, percentiles to three digits. */
export type DwellTime = Omit<DwellRow, 'location_id' | 'name' | 'external_key' | 'is_deleted'> & {
  location: { id: number; name: string; external_key: string; is_deleted: boolean };
  /** The same in the preceding period of equal length; null if no visit ended in it. */
  before: { visits: number; median_seconds: number; p95_seconds: number } | null;
};

export type DwellReport = { data: DwellTime[]; is_complete: boolean };

/**
 * Reports the dwell time by location: how many visits ended in a period, the median and the 95th percentile of their
 * duration, and the same for the preceding period. Lists the 500 locations with the most visits.
 */
export const reportDwell = sessionProcedure('viewer')
  .input(periodInput)
  .query(async ({ ctx, input }): Promise<DwellReport> => {
    const { db } = ctx.services;
    const { orgId } = ctx;
    const period = checkedPeriod(input);
    const locationId = await existingLocation(db, orgId, input.location_id);
    const rows = await readDwell(db, orgId, { period, locationId, limit: locationsMax + 1 });
    const earlier = await readDwell(db, orgId, { period: periodBefore(period), locationId, limit: 100_000 });
    const before = new Map(earlier.map((row) => [row.location_id, row]));
    return {
      data: rows.slice(0, locationsMax).map((row) => dwellTime(row, before.get(row.location_id))),
      is_complete: rows.length <= locationsMax,
    };
  });

function dwellTime(row: DwellRow, before: DwellRow | undefined): DwellTime {
  const { location_id: id, name, external_key, is_deleted, ...times } = row;
  return {
    ...times,
    location: { id, name, external_key, is_deleted },
    before: before
      ? { visits: before.visits, median_seconds: before.median_seconds, p95_seconds: before.p95_seconds }
      : null,
  };
}
