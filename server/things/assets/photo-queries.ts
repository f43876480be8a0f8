import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { timestamp } from '../../kernel/database/columns.js';
import { detachImage } from '../images/queries.js';
import { isPastTrash } from '../../kernel/database/trash-days.js';

/** A photo of an asset, in pixels. The image itself is at `/files/images/{image_id}`. */
export type AssetPhoto = { image_id: number; width: number; height: number; added_at: string };

/** Returns the photos of an asset, oldest first; at most `photosMax`. */
export async function findPhotos(db: Queries, orgId: number, assetId: number): Promise<AssetPhoto[]> {
  return db.$queryRaw`
    SELECT p.image_id, i.width, i.height, ${timestamp('p.added_at')} AS added_at
      FROM asset_photos p
      JOIN images i ON i.org_id = p.org_id AND i.id = p.image_id
     WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}
     ORDER BY p.added_at, p.image_id`;
}

type PhotoKey = { assetId: number; imageId: number };

/**
 * Adds an image as a photo. Photos are in the order of their uploads, so a photo that is added again gets its former
 * position.
 */
export async function insertPhoto(tx: TransactionClient, orgId: number, { assetId, imageId }: PhotoKey): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO asset_photos (org_id, asset_id, image_id, added_at)
    SELECT ${orgId}::int, ${assetId}::int, i.id, i.created_at
      FROM images i
     WHERE i.org_id = ${orgId}::int AND i.id = ${imageId}::int`;
}

/** Deletes a photo; its image is kept for an hour, so that the photo can be added again. Returns false if the asset has no such photo. */
export async function deletePhoto(
  tx: TransactionClient,
  orgId: number,
  { assetId, imageId }: PhotoKey,
): Promise<boolean> {
  const deleted = await tx.$executeRaw`
    DELETE FROM asset_photos WHERE org_id = ${orgId} AND asset_id = ${assetId} AND image_id = ${imageId}`;
  if (deleted > 0) await detachImage(tx, orgId, imageId);
  return deleted > 0;
}

/** Photos that one call deletes, so that its transaction stays short. */
const removedMax = 500;

/** Deletes the photos of assets that can no longer be restored, with their images. */
export async function removePhotosOfDeletedAssets(db: Queries): Promise<void> {
  for (let removed = removedMax; removed === removedMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM images i
       USING (SELECT p.org_id, p.image_id
                FROM asset_photos p
                JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
               WHERE ${isPastTrash('a')}
               LIMIT ${removedMax}::int) gone
       WHERE i.org_id = gone.org_id AND i.id = gone.image_id`;
  }
}
