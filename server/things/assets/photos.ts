import { z } from 'zod';
import { recordChange, type Scope } from '../../people/activity/record.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { fieldRefusal, refusal } from '../../kernel/errors.js';
import { attachImage } from '../images/queries.js';
import { sessionProcedure } from '../../trpc.js';
import { idField } from '../../kernel/validation/fields.js';
import { type AssetPhoto, deletePhoto, findPhotos, insertPhoto } from './photo-queries.js';
import { assetNotFound } from './procedure.js';
import { assetExists, lockAsset } from './queries.js';
import { assetId } from './schemas.js';

/** Photos of one asset. */
export const photosMax = 10;

const photoInput = z.strictObject({ ...assetId, image_id: idField('required') });

/** Lists the photos of a live asset, oldest first; at most 10. */
export const listPhotos = sessionProcedure('viewer')
  .input(z.strictObject(assetId))
  .query(async ({ ctx, input }): Promise<{ data: AssetPhoto[] }> => {
    const { db } = ctx.services;
    if (!(await assetExists(db, ctx.orgId, input.asset_id))) throw assetNotFound();
    return { data: await findPhotos(db, ctx.orgId, input.asset_id) };
  });

/** Adds an uploaded image to an asset as a photo. 409 if the asset has 10 photos. */
export const addPhoto = sessionProcedure('manager')
  .input(photoInput)
  .mutation(
    async ({ ctx, input: { asset_id: asset, image_id: imageId } }): Promise<{ data: AssetPhoto[] }> =>
      ctx.services.db.$transaction(async (tx) => {
        const { name, photos } = await lockPhotos(tx, ctx.orgId, asset);
        if (photos.length >= photosMax) {
          throw refusal('too_many_photos', { max: photosMax });
        }
        if (!(await attachImage(tx, ctx.orgId, { imageId, kind: 'photo' }))) {
          throw fieldRefusal('image_id', 'not_found', { value: imageId });
        }
        await insertPhoto(tx, ctx.orgId, { assetId: asset, imageId });
        await recordPhotos(tx, ctx, { asset, name, before: photos.length, after: photos.length + 1 });
        return { data: await findPhotos(tx, ctx.orgId, asset) };
      }),
  );

/** Deletes a photo of an asset. Its image is kept for an hour; until then `add` can restore the photo. */
export const removePhoto = sessionProcedure('manager')
  .input(photoInput)
  .mutation(
    async ({ ctx, input: { asset_id: asset, image_id: imageId } }): Promise<{ data: AssetPhoto[] }> =>
      ctx.services.db.$transaction(async (tx) => {
        const { name, photos } = await lockPhotos(tx, ctx.orgId, asset);
        if (!(await deletePhoto(tx, ctx.orgId, { assetId: asset, imageId }))) {
          throw refusal('not_found', { what: 'Photo' });
        }
        await recordPhotos(tx, ctx, { asset, name, before: photos.length, after: photos.length - 1 });
        return { data: await findPhotos(tx, ctx.orgId, asset) };
      }),
  );

/**
 * Locks the asset, so that when two photos are added concurrently, the second one counts the first. @throws
 * ContractError `not_found`
 */
async function lockPhotos(tx: TransactionClient, orgId: number, asset: number) {
  const row = await lockAsset(tx, orgId, asset);
  if (!row) throw assetNotFound();
  return { name: row.name, photos: await findPhotos(tx, orgId, asset) };
}

type PhotoChange = { asset: number; name: string; before: number; after: number };

async function recordPhotos(tx: TransactionClient, scope: Scope, { asset, name, before, after }: PhotoChange) {
  await recordChange(tx, scope, {
    kind: 'asset',
    objectId: asset,
    objectName: name,
    action: 'updated',
    before: { photos: before },
    after: { photos: after },
  });
}
