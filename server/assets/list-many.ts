import { z } from 'zod';
import { sessionProcedure } from '../trpc.js';
import { idListField } from '../validation/id-list.js';
import { type PlacedAsset, readPlacedAssets } from './placed-asset.js';

/** How many assets one call about many of them may name. */
export const manyMax = 500;

/** The live assets of those ids, in their order; what is not there is left out. For labels and for rows that changed. */
export const listManyAssets = sessionProcedure('viewer')
  .input(z.strictObject({ ids: idListField(manyMax) }))
  .query(async ({ ctx, input }): Promise<{ data: PlacedAsset[] }> => {
    return { data: await readPlacedAssets(ctx.services.db, ctx.orgId, input) };
  });
