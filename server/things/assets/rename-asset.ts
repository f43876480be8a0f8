import { z } from 'zod';
import { breaksUnique } from '../../kernel/database/faults.js';
import { holderOfKey } from '../tags/queries.js';
import { described } from '../../trpc.js';
import { describedAs } from '../../kernel/validation/failure.js';
import { keyField } from '../../kernel/validation/resource-fields.js';
import { assetKeyTaken, assetNotFound, assetProcedure } from './procedure.js';
import { changeAsset, lockAsset } from './queries.js';
import { assetId, assetView } from './schemas.js';
import { viewAsset } from './view.js';

/**
 * `POST /api/v1/assets/{asset_id}/rename`: gives the asset another natural key. Its own present key changes nothing;
 * the key of another live asset gives 409 (contract 5.10).
 */
export const renameAsset = assetProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/assets/{asset_id}/rename',
      operationId: 'renameAsset',
      summary: 'Rename an asset',
      description: 'Gives the asset another key. The key it has already is accepted and changes nothing.',
      tags: ['assets'],
    },
    scopes: ['assets:write'],
    conflicts: true,
    schemas: { request: 'RenameAssetRequest', response: 'AssetRenameResponse' },
  })
  .input(z.strictObject({ ...assetId, external_key: keyField('create-string') }))
  .output(
    described(
      z.object({
        data: assetView,
        descendant_count_affected: z.int().meta(describedAs({ type: 'integer', minimum: 0, maximum: 0 })),
      }),
    ),
  )
  .mutation(async ({ ctx, input: { asset_id: assetId, external_key: key } }) => {
    const { orgId, author } = ctx;
    try {
      const row = await ctx.services.db.$transaction(async (tx) => {
        const current = await lockAsset(tx, orgId, assetId);
        if (!current || current.external_key === key) return current;
        return changeAsset(tx, orgId, { assetId, changes: { external_key: key }, author });
      });
      if (!row) throw assetNotFound();
      return { data: viewAsset(row), descendant_count_affected: 0 };
    } catch (error) {
      if (!breaksUnique(error, 'assets_live_external_key')) throw error;
      const related = await holderOfKey(ctx.services.db, orgId, { kind: 'asset', externalKey: key });
      throw assetKeyTaken(key, { cause: error, related });
    }
  });
