import { sessionProcedure } from '../../trpc.js';
import { idField } from '../../kernel/validation/fields.js';
import { ensureKind } from '../asset-kinds/procedures.js';
import { createUnlessTaken } from '../tags/queries.js';
import { assetKeyTaken } from './procedure.js';
import { insertAsset } from './queries.js';
import { type AssetView, createAssetInput } from './schemas.js';
import { viewAsset } from './view.js';

/**
 * Creates an asset as `createAsset` does, with one of the organization's kinds, in one transaction. The API has no kinds.
 *
 * @throws ContractError `validation_error` if there is no such kind, `conflict` if the key or a tag is taken
 */
export const createAssetWithKind = sessionProcedure('manager')
  .input(createAssetInput.extend({ kind_id: idField('required').nullable() }))
  .mutation(async ({ ctx, input: { kind_id: kindId, ...asset } }): Promise<{ data: AssetView }> => {
    const { db } = ctx.services;
    const row = await createUnlessTaken(db, {
      parent: 'asset',
      orgId: ctx.orgId,
      externalKey: asset.external_key,
      tags: asset.tags ?? [],
      keyTaken: assetKeyTaken,
      insert: () =>
        db.$transaction(async (tx) => {
          if (kindId !== null) await ensureKind(tx, ctx.orgId, kindId);
          return insertAsset(tx, ctx.orgId, { asset, author: ctx.author, kindId });
        }),
    });
    return { data: viewAsset(row) };
  });
