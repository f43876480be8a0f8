import { z } from 'zod';
import { formatTimestamp } from '../time.js';
import { sessionProcedure } from '../trpc.js';
import { integerParameter, timestampParameter } from '../validation/parameters.js';
import { type Place, readPlaces } from './place-queries.js';
import { assetNotFound } from './procedure.js';
import { assetId } from './schemas.js';
import { listStayRows } from './stay-queries.js';

const staysMax = 100;

/** A time an asset spent at one location, from its first event there to its first one elsewhere. */
export type Stay = {
  /** Null where the reader that saw it had no location. */
  location: Place | null;
  started_at: string;
  /** Null while it lasts. */
  ended_at: string | null;
  /** Null while it lasts. */
  duration_seconds: number | null;
  /** The last event of the stay. */
  last_seen_at: string;
  event_count: number;
  /** It began earlier than `started_at`: the next page goes on with it. */
  is_cut: boolean;
};

export type StayPage = {
  data: Stay[];
  /** What to ask for as `before` to go further back; null at the end. */
  next_before: string | null;
};

const input = z.strictObject({
  ...assetId,
  limit: integerParameter({ min: 1, max: staysMax }).default(20),
  before: timestampParameter().exactOptional(),
});

/** Where a live asset stayed and how long, latest first. `before` is to be the start of a stay of the page before. */
export const listStays = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { asset_id: asset, limit, before } }): Promise<StayPage> => {
    const { db } = ctx.services;
    const found = await listStayRows(db, ctx.orgId, { assetId: asset, limit, beforeMs: before ?? null });
    if (!found) throw assetNotFound();
    const { stays, hasMore, isCut } = found;
    const places = await readPlaces(
      db,
      ctx.orgId,
      stays.map((stay) => stay.location_id),
    );
    const data = stays.map((stay, index): Stay => {
      const endedMs = stays[index - 1]?.started_at ?? before ?? null;
      return {
        location: (stay.location_id !== null && places.get(stay.location_id)) || null,
        started_at: formatTimestamp(stay.started_at),
        ended_at: endedMs === null ? null : formatTimestamp(endedMs),
        duration_seconds: endedMs === null ? null : Math.floor((endedMs - stay.started_at) / 1000),
        last_seen_at: formatTimestamp(stay.last_at),
        event_count: stay.event_count,
        is_cut: isCut && index === stays.length - 1,
      };
    });
    return { data, next_before: hasMore ? (data.at(-1)?.started_at ?? null) : null };
  });
