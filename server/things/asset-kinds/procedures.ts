import { authorStatement } from '../../people/activity/author.js';
import { differingFacts, recordChange } from '../../people/activity/record.js';
import { assetNotFound } from '../assets/procedure.js';
import { setReference } from '../assets/queries.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { breaksUnique, lacksReference } from '../../kernel/database/faults.js';
import { transactionUnderLock } from '../../kernel/database/locks.js';
import { fieldRefusal, refusal } from '../../kernel/errors.js';
import { attachImage, removeImage } from '../images/queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import {
  countKinds,
  deleteKindRow,
  findKinds,
  holdKind,
  insertKind,
  kindsExceeded,
  type KindRow,
  lockKind,
  replaceKind,
} from './queries.js';
import { createKindInput, type KindFields, kindIdInput, kindsMax, setKindInput, updateKindInput } from './schemas.js';

/** Lists the kinds of assets by name, at most 200, each with the number of its assets. */
export const listKinds = sessionProcedure('viewer').query(async ({ ctx }) => ({
  data: await findKinds(ctx.services.db, ctx.orgId),
}));

/** Creates a kind. 409 if another kind has the name in any letter case, or the organization has 200 kinds. */
export const createKind = sessionProcedure('manager')
  .input(createKindInput)
  .mutation(
    async ({ ctx, input }): Promise<{ id: number }> =>
      namedOnce(
        transactionUnderLock(ctx.services.db, { lock: 'assetKinds', orgId: ctx.orgId }, async (tx) => {
          if ((await countKinds(tx, ctx.orgId)) >= kindsMax) throw kindsExceeded();
          if (input.image_id !== null) await attachPhoto(tx, ctx.orgId, input.image_id);
          const row = await insertKind(tx, ctx.orgId, input);
          const after = factsOf(row);
          await recordChange(tx, ctx, { ...changed(row, 'created'), after });
          return { id: row.id };
        }),
      ),
  );

/** Replaces a kind. 409 if the name is taken, or somebody has changed the kind since `updated_at`. */
export const updateKind = sessionProcedure('manager')
  .input(updateKindInput)
  .mutation(
    async ({ ctx, input: { updated_at: since, ...kind } }): Promise<{ id: number }> =>
      namedOnce(
        ctx.services.db.$transaction(async (tx) => {
          const before = await requireKind(tx, ctx.orgId, kind.id);
          if (since !== undefined && formatTimestamp(since) !== before.updated_at) throw refusal('kind_changed');
          const isNewPhoto = kind.image_id !== before.image_id;
          if (isNewPhoto && kind.image_id !== null) await attachPhoto(tx, ctx.orgId, kind.image_id);
          const row = await replaceKind(tx, ctx.orgId, kind);
          if (isNewPhoto && before.image_id !== null) await removeImage(tx, ctx.orgId, before.image_id);
          const facts = differingFacts(factsOf(before), factsOf(row));
          if (facts) await recordChange(tx, ctx, { ...changed(row, 'updated'), ...facts });
          return { id: row.id };
        }),
      ),
  );

/** Deletes a kind, with its photo. 409 if assets are of this kind. */
export const removeKind = sessionProcedure('manager')
  .input(kindIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    try {
      await ctx.services.db.$transaction(async (tx) => {
        const row = await requireKind(tx, ctx.orgId, id);
        await deleteKindRow(tx, ctx.orgId, id);
        if (row.image_id !== null) await removeImage(tx, ctx.orgId, row.image_id);
        await recordChange(tx, ctx, { ...changed(row, 'deleted'), before: factsOf(row) });
      });
    } catch (error) {
      if (lacksReference(error)) throw refusal('kind_in_use');
      throw error;
    }
  });

/** Gives an asset a kind, or none. Its `updated_at` advances if that is a change. */
export const setAssetKind = sessionProcedure('manager')
  .input(setKindInput)
  .mutation(async ({ ctx, input: { asset_id: assetId, kind_id: kindId } }): Promise<void> => {
    await ctx.services.db.$transaction(async (tx) => {
      if (kindId !== null) await ensureKind(tx, ctx.orgId, kindId);
      await tx.$queryRaw(authorStatement(ctx.author));
      if (!(await setReference(tx, ctx.orgId, { assetId, column: 'kind_id', id: kindId }))) throw assetNotFound();
    });
  });

/** Ensures that a kind exists until the end of the transaction. @throws ContractError `validation_error` */
export async function ensureKind(tx: TransactionClient, orgId: number, kindId: number): Promise<void> {
  if (await holdKind(tx, orgId, kindId)) return;
  throw fieldRefusal('kind_id', 'not_found', { value: kindId });
}

async function requireKind(tx: TransactionClient, orgId: number, id: number): Promise<KindRow> {
  const row = await lockKind(tx, orgId, id);
  if (!row) throw refusal('not_found', { what: 'Kind' });
  return row;
}

async function attachPhoto(tx: TransactionClient, orgId: number, imageId: number): Promise<void> {
  if (await attachImage(tx, orgId, { imageId, kind: 'photo' })) return;
  throw fieldRefusal('image_id', 'not_found', { value: imageId });
}

async function namedOnce<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    if (breaksUnique(error, 'asset_kinds_name')) throw refusal('kind_name_taken');
    throw error;
  }
}

function factsOf({ name, icon, color, image_id: photo, holds_assets }: KindFields) {
  return { name, icon, color, photo: photo !== null, holds_assets };
}

function changed({ id, name }: KindRow, action: 'created' | 'updated' | 'deleted') {
  return { kind: 'asset_kind', objectId: id, objectName: name, action } as const;
}
