import { z } from 'zod';
import { exportPageFields, exportPageOf } from '../export-page.js';
import { sessionProcedure } from '../trpc.js';
import { booleanParameter, idParameter, integerParameter, timestampParameter } from '../validation/parameters.js';
import { filterFields } from '../validation/resource-fields.js';
import { assetsAfter } from './export-queries.js';
import { viewAsset } from './view.js';

const dayMs = 86_400_000;

/** The filters of the app's table, and chosen assets. */
const input = z.strictObject({
  ...exportPageFields,
  q: filterFields.q,
  is_active: filterFields.is_active,
  in_effect: booleanParameter().exactOptional(),
  location_id: idParameter().exactOptional(),
  seen: booleanParameter().exactOptional(),
  unseen_days: integerParameter({ min: 1, max: 3650 }).exactOptional(),
  moved_since: timestampParameter().exactOptional(),
});

/** A page of an export, by key: each page begins after the last one's last key, so that it costs the same however far down. */
export const exportAssetsPage = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { ids, after, limit, ...wanted } }) => {
    const rows = await assetsAfter(ctx.services.db, ctx.orgId, {
      filter: {
        ids,
        q: wanted.q,
        isActive: wanted.is_active,
        inEffect: wanted.in_effect,
        locationId: wanted.location_id,
        isSeen: wanted.seen,
        seenBeforeMs: wanted.unseen_days === undefined ? undefined : Date.now() - wanted.unseen_days * dayMs,
        movedSinceMs: wanted.moved_since,
      },
      after,
      limit,
    });
    return exportPageOf(rows.map(viewAsset), limit);
  });
