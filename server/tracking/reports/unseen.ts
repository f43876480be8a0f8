import { z } from 'zod';
import { type ListOf, pageOf, pagingFields } from '../../kernel/lists.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, integerParameter } from '../../kernel/validation/parameters.js';
import { existingLocation } from './scope.js';
import { countUnseen, listUnseenRows, type UnseenRow } from './unseen-queries.js';

const dayMs = 86_400_000;
const locationsMax = 20;

type LocationWithPath = { id: number; name: string };

/** An asset that has not been seen for some time, with its last location; null for no known location. */
export type UnseenAsset = {
  id: number;
  external_key: string;
  name: string;
  location: LocationWithPath | null;
  /** Null if it was never seen. */
  last_seen: string | null;
};

export type UnseenReport = ListOf<UnseenAsset> & {
  /** The locations where most of them were last seen. */
  by_location: { location: LocationWithPath | null; assets: number }[];
};

const input = z.strictObject({
  days: integerParameter({ min: 1, max: 3650 }),
  location_id: idParameter().exactOptional(),
  ...pagingFields,
});

/**
 * Reports the live assets that were not seen for a number of days: a page of them, never seen and longest unseen first, and the
 * counts by last location. With a location, those that were last seen in it or its sublocations.
 */
export const reportUnseen = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { days, location_id, ...paging } }): Promise<UnseenReport> => {
    const { db } = ctx.services;
    const locationId = await existingLocation(db, ctx.orgId, location_id);
    const request = { beforeMs: Date.now() - days * dayMs, locationId };
    const rows = await listUnseenRows(db, ctx.orgId, { ...request, paging });
    const counts = await countUnseen(db, ctx.orgId, { ...request, limit: locationsMax });
    return {
      ...pageOf(rows, paging, unseenAsset),
      by_location: counts.map(({ location_id: id, name, assets }) => ({
        location: id === null ? null : { id, name: name ?? '' },
        assets,
      })),
    };
  });

function unseenAsset(row: UnseenRow): UnseenAsset {
  return {
    id: row.id,
    external_key: row.external_key,
    name: row.name,
    location: row.location_id === null ? null : { id: row.location_id, name: row.location_name ?? '' },
    last_seen: formatNullableTimestamp(row.last_seen),
  };
}
