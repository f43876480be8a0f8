import { z } from 'zod';
import { pagingFields } from '../../kernel/lists.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idField, timestampField } from '../../kernel/validation/fields.js';
import { type DepartureRow, listDepartureRows } from './departure-queries.js';
import { locationNotFound } from './procedure.js';
import { locationExists } from './queries.js';
import { locationId } from './schemas.js';

/** An asset that was at a location: its last visit there, and its present location. */
export type Departure = {
  asset_id: number;
  asset_external_key: string;
  asset_name: string;
  arrived_at: string;
  last_seen_here: string;
  /** When it was first seen elsewhere. */
  left_at: string;
  /** Null if its present location is unknown. */
  location: { id: number; name: string; external_key: string } | null;
  asset_last_seen: string;
};

const input = z.strictObject({
  ...locationId,
  limit: pagingFields.limit,
  /** The last row of the previous page. */
  after: z.strictObject({ left_at: timestampField('required'), asset_id: idField('required') }).exactOptional(),
});

/** Lists the assets that left a location within 7 days and are not there now, latest first. */
export const listDepartures = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { location_id, limit, after } }): Promise<{ data: Departure[]; has_more: boolean }> => {
    const { db } = ctx.services;
    if (!(await locationExists(db, ctx.orgId, location_id))) throw locationNotFound();
    const rows = await listDepartureRows(db, ctx.orgId, {
      locationId: location_id,
      limit: limit + 1,
      after: after ? { leftAtMs: after.left_at, assetId: after.asset_id } : null,
    });
    return { data: rows.slice(0, limit).map(departure), has_more: rows.length > limit };
  });

function departure(row: DepartureRow): Departure {
  const { location_id: id, location_name: name, location_external_key: key } = row;
  return {
    asset_id: row.asset_id,
    asset_external_key: row.asset_external_key,
    asset_name: row.asset_name,
    arrived_at: formatTimestamp(row.arrived_at),
    last_seen_here: formatTimestamp(row.last_seen_here),
    left_at: formatTimestamp(row.left_at),
    location: id === null ? null : { id, name: name ?? '', external_key: key ?? '' },
    asset_last_seen: formatTimestamp(row.asset_last_seen),
  };
}
