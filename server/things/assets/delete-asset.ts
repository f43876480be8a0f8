import { z } from 'zod';
import { described } from '../../trpc.js';
import { assetNotFound, assetProcedure } from './procedure.js';
import { retireAsset } from './queries.js';
import { assetId } from './schemas.js';

/** `DELETE /api/v1/assets/{asset_id}`: soft-deletes the asset and retires its tags; 404 the second time (contract 2.9). */
export const deleteAsset = assetProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/assets/{asset_id}',
      operationId: 'deleteAsset',
      summary: 'Delete an asset',
      description: 'Deletes the asset and frees its key and its tags; lists omit it unless `include_deleted` is true.',
      tags: ['assets'],
    },
    scopes: ['assets:write'],
    successStatus: 204,
  })
  .input(z.strictObject(assetId))
  .output(described(z.void()))
  .mutation(async ({ ctx, input }) => {
    const { author } = ctx;
    if (!(await retireAsset(ctx.services.db, ctx.orgId, { assetId: input.asset_id, author }))) throw assetNotFound();
  });
