import { z } from 'zod';
import {
  idParameter,
  integerParameter,
  sortParameter,
  booleanParameter,
  timestampParameter,
} from '../validation/parameters.js';
import { filterFields } from '../validation/resource-fields.js';
import { locationNotFound } from '../locations/procedure.js';
import { pagingFields } from '../lists.js';
import { sessionProcedure } from '../trpc.js';
import { type PlacedAsset, readPlacedAssets } from './placed-asset.js';
import { findTablePage, tableSortFields } from './table-queries.js';
import { findSubtree } from './place-queries.js';

const dayMs = 86_400_000;

const input = z.strictObject({
  /** Found anywhere in key, name, description and tags; one or two letters at the beginning of key and name. */
  q: filterFields.q,
  is_active: filterFields.is_active,
  /** Whether the asset is within its window of validity now. */
  in_effect: booleanParameter().exactOptional(),
  /** At this location or below it. */
  location_id: idParameter().exactOptional(),
  /** Whether it was ever seen. */
  seen: booleanParameter().exactOptional(),
  /** Seen once, but not within so many days. */
  unseen_days: integerParameter({ min: 1, max: 3650 }).exactOptional(),
  /** Came to where it is at this instant or later. */
  moved_since: timestampParameter().exactOptional(),
  ...pagingFields,
  sort: sortParameter(tableSortFields, 'external_key'),
});

export type AssetTable = {
  data: PlacedAsset[];
  limit: number;
  offset: number;
  /** How many match; where it is not exact, at the least. */
  total_count: number;
  total_is_exact: boolean;
  /** How far the pages go. */
  reachable_count: number;
};

/**
 * The app's table: all assets that are not deleted, in effect or not, with where they are. Of the order the first field
 * counts. In the order of `asset_last_seen` only those are listed that were ever seen.
 */
export const listAssetTable = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { limit, offset, sort, ...wanted } }): Promise<AssetTable> => {
    const { db } = ctx.services;
    const { location_id: locationId, unseen_days: days } = wanted;
    const locationIds = locationId === undefined ? undefined : await findSubtree(db, ctx.orgId, locationId);
    if (locationIds?.length === 0) throw locationNotFound();
    const asked = sort[0] ?? { field: 'external_key', descending: false };
    const isByTime = asked.field === 'asset_last_seen';
    const page = await findTablePage(db, ctx.orgId, {
      filter: {
        q: wanted.q,
        isActive: wanted.is_active,
        inEffect: wanted.in_effect,
        locationIds,
        isSeen: wanted.seen ?? (isByTime ? true : undefined),
        seenBeforeMs: days === undefined ? undefined : Date.now() - days * dayMs,
        movedSinceMs: wanted.moved_since,
      },
      sort: isByTime && wanted.seen === false ? { field: 'external_key', descending: false } : asked,
      paging: { limit, offset },
    });
    return {
      data: await readPlacedAssets(db, ctx.orgId, page.ids),
      limit,
      offset,
      total_count: page.total,
      total_is_exact: page.isExact,
      reachable_count: page.reachable,
    };
  });
