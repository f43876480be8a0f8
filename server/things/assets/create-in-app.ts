import { sessionProcedure } from '../../trpc.js';
import { idField } from '../../kernel/validation/fields.js';
import { ensureKind } from '../asset-kinds/procedures.js';
import { createUnlessTaken } from '../tags/queries.js';
import { ensureOwnLocation } from './belongs-to.js';
import { assetKeyTaken } from './procedure.js';
import { insertAsset } from './queries.js';
import { type AssetView, createAssetInput } from './schemas.js';
import { viewAsset } from './view.js';

/**
 * Creates an asset as `createAsset` does, with its kind and the location that it belongs to, in one transaction. The API has
 * neither.
 *
 * @throws ContractError `validation_error` if there is no such kind or location, `conflict` if the key or a tag is taken
 */
export const createAssetInApp = sessionProcedure('manager')
  .input(
    createAssetInput.extend({
      kind_id: idField('required').nullable(),
      belongs_to_id: idField('required').nullable().exactOptional(),
    }),
  )
  .mutation(
    async ({
      ctx,
      input: { kind_id: kindId, belongs_to_id: belongsToId = null, ...asset },
    }): Promise<{ data: AssetView }> => {
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
            if (belongsToId !== null) await ensureOwnLocation(tx, ctx.orgId, belongsToId);
            const further = { kind_id: kindId, belongs_to_id: belongsToId };
            return insertAsset(tx, ctx.orgId, { asset, author: ctx.author, further });
          }),
      });
      return { data: viewAsset(row) };
    },
  );
