import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { createCallerFactory, router, sessionProcedure } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { imageKindNames, uploadBytesMax } from './kinds.js';
import { ensureImageQuota, insertImage, readImage } from './queries.js';

/** A stored image; sizes in pixels. It is deleted after an hour if nothing refers to it by then. */
export type UploadedImage = { id: number; width: number; height: number };

/** The bytes of a WebP image; null if the caller has them already. */
export type ImageContent = { etag: string; content: Uint8Array | null };

const uploadInput = z.strictObject({
  kind: z.enum(imageKindNames),
  bytes: z.instanceof(Buffer).refine(({ length }) => length > 0 && length <= uploadBytesMax),
});

/** Stores an image for a floor plan or an asset. */
const uploadImage = sessionProcedure('manager')
  .input(uploadInput)
  .mutation(async ({ ctx, input: { bytes, kind } }): Promise<UploadedImage> => {
    const { db, encodeImage } = ctx.services;
    // Checked again when the image is stored. This check avoids decoding it.
    await ensureImageQuota(db, ctx.orgId, 0);
    const image = await encodeImage(ctx.orgId, { bytes, kind });
    const id = await db.$transaction((tx) => insertImage(tx, ctx.orgId, image));
    return { id, width: image.width, height: image.height };
  });

const contentInput = z.strictObject({
  image_id: idParameter(),
  size: z.enum(['full', 'thumbnail']).default('full'),
  /** The versions that the caller has. */
  etags: z.array(z.string().max(64)).max(10).default([]),
});

/** Returns the bytes of an image of the organization. */
const imageContent = sessionProcedure('viewer')
  .input(contentInput)
  .query(async ({ ctx, input: { image_id: imageId, size, etags } }): Promise<ImageContent> => {
    const found = await readImage(ctx.services.db, ctx.orgId, { imageId, size, etags });
    if (!found) throw refusal('not_found', { what: 'Image' });
    return found;
  });

/** Procedures that take and return bytes. They are not part of `/trpc`, since JSON would multiply their size. */
export const filesRouter = router({ uploadImage, imageContent });

/** Calls the file procedures with a request's context. */
export const callFiles = createCallerFactory(filesRouter);
