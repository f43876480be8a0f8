import { z } from 'zod';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { integerParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { type LocationWithPath, readLocationPaths } from './location-paths.js';
import { assetNotFound } from './procedure.js';
import { assetId } from './schemas.js';
import { listVisitRows } from './visit-queries.js';

const visitsMax = 100;

/** The time that an asset spent at one location, from its arrival to the first read elsewhere. */
export type Visit = {
  /** Null if the reader that saw it had no location. */
  location: LocationWithPath | null;
  arrived_at: string;
  /** When the service received the read that decided it; null if that is no longer known. */
  decided_at: string | null;
  /** Null while the visit lasts. */
  left_at: string | null;
  /** Null while the visit lasts. */
  duration_seconds: number | null;
  last_seen_at: string;
};

export type VisitPage = {
  data: Visit[];
  /** The value of `before` for the next page; null at the end. */
  next_before: string | null;
};

const input = z.strictObject({
  ...assetId,
  limit: integerParameter({ min: 1, max: visitsMax }).default(20),
  before: timestampParameter().exactOptional(),
  from: timestampParameter().exactOptional(),
  to: timestampParameter().exactOptional(),
});

/**
 * Lists the visits of a live asset, newest first: all of them, or those that overlap the time from `from` until `to`. `before` is
 * the arrival of the last visit of the previous page.
 */
export const listVisits = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { asset_id: asset, limit, before, from, to } }): Promise<VisitPage> => {
    const { db } = ctx.services;
    const rows = await listVisitRows(db, ctx.orgId, {
      assetId: asset,
      limit: limit + 1,
      beforeMs: before,
      fromMs: from,
      toMs: to,
    });
    if (!rows) throw assetNotFound();
    const shown = rows.slice(0, limit);
    const locations = await readLocationPaths(
      db,
      ctx.orgId,
      shown.map(({ location_id }) => location_id),
    );
    const data = shown.map(
      (row): Visit => ({
        location: (row.location_id !== null && locations.get(row.location_id)) || null,
        arrived_at: formatTimestamp(row.arrived_at),
        decided_at: formatNullableTimestamp(row.decided_at),
        left_at: formatNullableTimestamp(row.left_at),
        duration_seconds: row.left_at === null ? null : Math.floor((row.left_at - row.arrived_at) / 1000),
        last_seen_at: formatTimestamp(row.last_seen_at),
      }),
    );
    return { data, next_before: rows.length > limit ? (data.at(-1)?.arrived_at ?? null) : null };
  });
