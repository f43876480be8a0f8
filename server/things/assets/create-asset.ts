import { createUnlessTaken } from '../tags/queries.js';
import { described, scopedProcedure } from '../../trpc.js';
import { assetKeyTaken } from './procedure.js';
import { insertAsset } from './queries.js';
import { assetResponse, createAssetInput } from './schemas.js';
import { viewAsset } from './view.js';

/**
 * `POST /api/v1/assets`: creates an asset with its tags. Generates the lowest free `ASSET-NNNN` if no key is given
 * (contract 2.1). 409 if the key or one of the tags is taken; then nothing is stored.
 */
export const createAsset = scopedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/assets',
      operationId: 'createAsset',
      summary: 'Create an asset',
      description: 'Creates an asset and attaches its tags, all of it or nothing.',
      tags: ['assets'],
    },
    scopes: ['assets:write'],
    successStatus: 201,
    conflicts: true,
    schemas: { request: 'CreateAssetRequest', response: 'AssetResponse' },
  })
  .input(createAssetInput)
  .output(described(assetResponse))
  .mutation(async ({ ctx, input }) => {
    const { db } = ctx.services;
    const row = await createUnlessTaken(db, {
      parent: 'asset',
      orgId: ctx.orgId,
      externalKey: input.external_key,
      tags: input.tags ?? [],
      keyTaken: assetKeyTaken,
      insert: () => insertAsset(db, ctx.orgId, { asset: input, author: ctx.author }),
    });
    return { data: viewAsset(row) };
  });
