import { validationError } from '../../kernel/errors.js';
import { assetFields, valuesFor } from '../../kernel/fields.js';
import { described } from '../../trpc.js';
import { differingReadOnlyFields, hasReadOnlyFields } from '../../kernel/validation/read-only-fields.js';
import { assetNotFound, assetProcedure } from './procedure.js';
import { changeAsset, lockAsset } from './queries.js';
import { assetResponse, updateAssetInput } from './schemas.js';
import { viewAsset } from './view.js';

/**
 * `PATCH /api/v1/assets/{asset_id}`: a merge patch. Read-only fields are accepted if they equal the row as locked by
 * the update; an outdated `updated_at` means a lost race (contract 5.4, 5.6, 5.7).
 */
export const updateAsset = assetProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/api/v1/assets/{asset_id}',
      operationId: 'updateAsset',
      summary: 'Change an asset',
      description:
        'Applies a JSON merge patch. Omitted fields are unchanged; null clears a field. Read-only fields may be sent back with their current values.',
      tags: ['assets'],
      contentTypes: ['application/merge-patch+json'],
    },
    scopes: ['assets:write'],
    schemas: { request: 'UpdateAssetRequest', response: 'AssetResponse' },
  })
  .input(updateAssetInput)
  .output(described(assetResponse))
  .mutation(async ({ ctx, input }) => {
    const { orgId, author } = ctx;
    const { db } = ctx.services;
    const { asset_id: assetId } = input;
    const changes = valuesFor(assetFields, 'patch', input);
    const row = await db.$transaction(async (tx) => {
      if (hasReadOnlyFields(input)) {
        const current = await lockAsset(tx, orgId, assetId);
        if (!current) return undefined;
        const differing = differingReadOnlyFields(current, input, `/api/v1/assets/${assetId}`);
        if (differing.length > 0) throw validationError(differing);
      }
      return changeAsset(tx, orgId, { assetId, changes, author });
    });
    if (!row) throw assetNotFound();
    return { data: viewAsset(row) };
  });
