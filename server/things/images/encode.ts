import type { FieldReason } from '../../kernel/field-reasons.js';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { type ImageKind, imageKinds, pixelsMax, thumbnailSidePx } from './kinds.js';
import { withEssentialChunks, withWholeLength } from './signature.js';

/** An image as stored: WebP without metadata, turned upright. */
export type EncodedImage = {
  kind: ImageKind;
  /** Pixels. */
  width: number;
  height: number;
  content: Buffer;
  thumbnail: Buffer;
  /** The first 128 bits of the content's SHA-256, hexadecimal. */
  etag: string;
};

/** Why an image cannot be encoded. */
export type FlawedImage = { flaw: FieldReason };

export type Upload = { bytes: Uint8Array; kind: ImageKind };

const contentQuality = 86;
const thumbnailQuality = 75;

/** Decodes an image and encodes it again; returns what is wrong with it if that is impossible. */
export async function encodeImage({ bytes: given, kind }: Upload): Promise<EncodedImage | FlawedImage> {
  const bytes = withEssentialChunks(withWholeLength(Buffer.from(given)));
  const decoder = { limitInputPixels: pixelsMax, failOn: 'none', pages: 1 } as const;
  const side = imageKinds[kind].longestSidePx;
  try {
    const { width, height } = await sharp(bytes, { ...decoder, limitInputPixels: false }).metadata();
    if (width * height > pixelsMax) {
      return { flaw: { name: 'too_many_pixels', params: { millions: pixelsMax / 1_000_000 } } };
    }
    const { data: content, info } = await sharp(bytes, decoder)
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: contentQuality, smartSubsample: true })
      .toBuffer({ resolveWithObject: true });
    const thumbnail = await sharp(content)
      .resize({ width: thumbnailSidePx, height: thumbnailSidePx, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: thumbnailQuality })
      .toBuffer();
    const etag = createHash('sha256').update(content).digest('hex').slice(0, 32);
    return { kind, width: info.width, height: info.height, content, thumbnail, etag };
  } catch (error) {
    // The library reports any fault of a file as a plain error.
    if (error instanceof Error && error.constructor === Error) return { flaw: { name: 'image_damaged' } };
    throw error;
  }
}
