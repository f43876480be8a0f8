import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { type PlacedAsset, readPlacedAssets } from './placed-asset.js';

/** The maximum number of assets in one call. */
export const manyMax = 500;

/**
 * Returns the live assets with the given ids, in their order; missing ones are left out. For labels and for rows that
 * changed.
 */
export const listManyAssets = sessionProcedure('viewer')
  .input(z.strictObject({ ids: idListField(manyMax) }))
  .query(async ({ ctx, input }): Promise<{ data: PlacedAsset[] }> => {
    return { data: await readPlacedAssets(ctx.services.db, ctx.orgId, input) };
  });
