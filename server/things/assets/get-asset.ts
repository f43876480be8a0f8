import { z } from 'zod';
import { described, scopedProcedure } from '../../trpc.js';
import { assetNotFound } from './procedure.js';
import { findAsset } from './queries.js';
import { assetId, assetResponse } from './schemas.js';
import { viewAsset } from './view.js';

/** `GET /api/v1/assets/{asset_id}`: returns a live asset, effective or not (contract 2.8). */
export const getAsset = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/assets/{asset_id}',
      operationId: 'getAsset',
      summary: 'Read an asset',
      description:
        'Returns an asset that is not deleted, whatever its effective dates. Its location is in the report of asset locations.',
      tags: ['assets'],
    },
    scopes: ['assets:read'],
    schemas: { response: 'AssetResponse' },
  })
  .input(z.strictObject(assetId))
  .output(described(assetResponse))
  .query(async ({ ctx, input }) => {
    const row = await findAsset(ctx.services.db, ctx.orgId, input.asset_id);
    if (!row) throw assetNotFound();
    return { data: viewAsset(row) };
  });
