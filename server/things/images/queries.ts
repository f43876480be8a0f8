import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import type { EncodedImage } from './encode.js';
import { type ImageKind, imageQuota } from './kinds.js';

const mebibyte = 1024 * 1024;

/**
 * Ensures that an organization can store one more image.
 *
 * @throws ContractError `conflict` if the maximum number or size of its images is reached
 */
export async function ensureImageQuota(db: Queries, orgId: number, addedBytes: number): Promise<void> {
  const { imagesMax, bytesMax } = imageQuota;
  const [{ images, bytes }] = await db.$queryRaw<[{ images: number; bytes: number }]>`
    SELECT count(*)::float8 AS images, coalesce(sum(stored_bytes), 0)::float8 AS bytes
      FROM images
     WHERE org_id = ${orgId}::int`;
  if (images >= imagesMax) throw refusal('limit_reached', { max: imagesMax, what: 'images' });
  if (bytes + addedBytes > bytesMax) {
    throw refusal('images_too_large', { max: bytesMax / mebibyte });
  }
}

/** Stores an image without an owner and returns its id; holds the quota's lock until the end of the transaction. */
export async function insertImage(tx: TransactionClient, orgId: number, image: EncodedImage): Promise<number> {
  const { kind, width, height, content, thumbnail, etag } = image;
  const bytes = content.length + thumbnail.length;
  await tx.$queryRaw(lockStatement('images', orgId));
  await ensureImageQuota(tx, orgId, bytes);
  const [{ id }] = await tx.$queryRaw<[{ id: number }]>`
    INSERT INTO images (org_id, kind, width, height, content, thumbnail, etag, stored_bytes)
    VALUES (${orgId}::int, ${kind}, ${width}::int, ${height}::int, ${content}, ${thumbnail}, ${etag}, ${bytes}::int)
    RETURNING id`;
  return id;
}

export type ImageSize = 'full' | 'thumbnail';

export type ImageContentRow = { etag: string; content: Uint8Array | null };

/** Returns the bytes of an image, or null instead if the caller has them under one of the `etags`. */
export async function readImage(
  db: Queries,
  orgId: number,
  { imageId, size, etags }: { imageId: number; size: ImageSize; etags: readonly string[] },
): Promise<ImageContentRow | undefined> {
  const rows = await db.$queryRaw<ImageContentRow[]>`
    SELECT tag.etag,
           CASE WHEN tag.etag = ANY (${etags}::text[]) THEN NULL
                WHEN ${size} = 'thumbnail' THEN i.thumbnail
                ELSE i.content
           END AS content
      FROM images i
     CROSS JOIN LATERAL (SELECT CASE WHEN ${size} = 'thumbnail' THEN i.etag || '-thumbnail' ELSE i.etag END AS etag) tag
     WHERE i.org_id = ${orgId}::int AND i.id = ${imageId}::int`;
  return rows[0];
}

/**
 * Gives an uploaded image its owner, in the transaction that stores the reference. An image has at most one owner.
 *
 * @returns undefined if there is no image of that kind without an owner
 */
export async function attachImage(
  tx: TransactionClient,
  orgId: number,
  { imageId, kind }: { imageId: number; kind: ImageKind },
): Promise<{ width: number; height: number } | undefined> {
  const rows = await tx.$queryRaw<{ width: number; height: number }[]>`
    UPDATE images i
       SET is_attached = true, detached_at = NULL
     WHERE i.org_id = ${orgId}::int AND i.id = ${imageId}::int AND i.kind = ${kind} AND NOT i.is_attached
    RETURNING i.width, i.height`;
  return rows[0];
}

/** Deletes an image. Delete or change the row that refers to it first. */
export async function removeImage(tx: TransactionClient, orgId: number, imageId: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM images WHERE org_id = ${orgId}::int AND id = ${imageId}::int`;
}

/** Takes an image from its owner. For an hour the image can get another owner, or the same owner again. */
export async function detachImage(tx: TransactionClient, orgId: number, imageId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE images SET is_attached = false, detached_at = clock_timestamp()
     WHERE org_id = ${orgId}::int AND id = ${imageId}::int`;
}

/** Deletes images that have had no owner for an hour, since their upload or since they lost their owner. */
export async function removeUnusedImages(db: Queries): Promise<void> {
  await db.$executeRaw`
    DELETE FROM images WHERE NOT is_attached AND coalesce(detached_at, created_at) < clock_timestamp() - interval '1 hour'`;
}
