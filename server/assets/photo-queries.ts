import type { Database, TransactionClient } from '../database/client.js';
import { epochMs } from '../database/columns.js';
import { removeImage } from '../images/queries.js';
import { isPastTrash } from '../database/trash-days.js';

/** A photo of an asset; sizes in pixels, the instant in epoch milliseconds. */
export type PhotoRow = { image_id: number; width: number; height: number; added_at: number };

/** Returns the photos of an asset, oldest first; at most `photosMax`. */
export async function findPhotos(db: Pick<Database, '$queryRaw'>, orgId: number, assetId: number): Promise<PhotoRow[]> {
  return db.$queryRaw`
    SELECT p.image_id, i.width, i.height, ${epochMs('p.added_at')} AS added_at
      FROM asset_photos p
      JOIN images i ON i.org_id = p.org_id AND i.id = p.image_id
     WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}
     ORDER BY p.added_at, p.image_id`;
}

type PhotoKey = { assetId: number; imageId: number };

export async function insertPhoto(tx: TransactionClient, orgId: number, { assetId, imageId }: PhotoKey): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO asset_photos (org_id, asset_id, image_id, added_at)
    VALUES (${orgId}, ${assetId}, ${imageId}, clock_timestamp())`;
}

/** Deletes a photo with its image. Returns false if the asset has no such photo. */
export async function deletePhoto(
  tx: TransactionClient,
  orgId: number,
  { assetId, imageId }: PhotoKey,
): Promise<boolean> {
  const deleted = await tx.$executeRaw`
    DELETE FROM asset_photos WHERE org_id = ${orgId} AND asset_id = ${assetId} AND image_id = ${imageId}`;
  if (deleted > 0) await removeImage(tx, orgId, imageId);
  return deleted > 0;
}

/** Photos that one call deletes, so that its transaction stays short. */
const removedMax = 500;

/** Deletes the photos of assets that can no longer be restored, with their images. */
export async function removePhotosOfDeletedAssets(db: Pick<Database, '$executeRaw'>): Promise<void> {
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
