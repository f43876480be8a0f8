import { createHash } from 'node:crypto';
import type Sharp from 'sharp';
import { type ContractError, rateLimited, serviceUnavailable, validationError } from '../../kernel/errors.js';
import { createOwnerCounts } from '../../kernel/owner-counts.js';
import { createSemaphore, QueueFullError } from '../../kernel/semaphore.js';
import { type ImageKind, imageKinds, pixelsMax, thumbnailSidePx } from './kinds.js';
import { formatOf, isAnimated, withWholeLength } from './signature.js';

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

/**
 * Decodes an upload and encodes it again, so that nothing but pixels is stored. If the end of a file is missing, stores
 * the part of the image that is there, as browsers show it.
 *
 * @throws ContractError `validation_error` for a file that is not a PNG, JPEG or WebP, is animated or damaged, or has
 * too many pixels; `rate_limited` if the organization has too many uploads in progress; `service_unavailable` if the
 * process has
 */
export type ImageEncoder = (orgId: number, upload: { bytes: Buffer; kind: ImageKind }) => Promise<EncodedImage>;

/** Decoding takes up to 250 MB, so a process decodes one image at a time. */
const runningMax = 1;
const waitingMax = 12;
const perOrganizationMax = 3;
const retryAfterSeconds = 3;
const secondsMax = 20;

const contentQuality = 86;
const thumbnailQuality = 75;

/** Creates the encoder of a process. */
export function createImageEncoder(): ImageEncoder {
  const run = createSemaphore({ runningMax, waitingMax });
  const underWay = createOwnerCounts<number>();
  let library: Promise<typeof Sharp> | undefined;

  return async (orgId, upload) => {
    if (underWay.of(orgId) >= perOrganizationMax) throw rateLimited(retryAfterSeconds);
    underWay.add(orgId, 1);
    try {
      requireStillImage(upload.bytes);
      library ??= loadLibrary();
      const sharp = await library;
      return await run(() => encode(sharp, upload));
    } catch (error) {
      if (error instanceof QueueFullError) {
        throw serviceUnavailable('Too many images are being processed', retryAfterSeconds);
      }
      throw error;
    } finally {
      underWay.add(orgId, -1);
    }
  };
}

/** Loads the library at first use: it takes some 20 MB, which a process without uploads does not need. */
async function loadLibrary(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function requireStillImage(bytes: Buffer): void {
  const format = formatOf(bytes);
  if (format === undefined) throw unusable('image must be a PNG, JPEG or WebP file');
  if (isAnimated(bytes, format)) throw unusable('image must not be animated');
}

async function encode(sharp: typeof Sharp, upload: { bytes: Buffer; kind: ImageKind }): Promise<EncodedImage> {
  const { kind } = upload;
  const bytes = withWholeLength(upload.bytes);
  const decoder = { limitInputPixels: pixelsMax, failOn: 'none', pages: 1 } as const;
  const side = imageKinds[kind].longestSidePx;
  try {
    const { width, height } = await sharp(bytes, { ...decoder, limitInputPixels: false }).metadata();
    if (width * height > pixelsMax) {
      throw unusable(`image must have at most ${pixelsMax / 1_000_000} million pixels`);
    }
    const { data: content, info } = await sharp(bytes, decoder)
      .timeout({ seconds: secondsMax })
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
    if (error instanceof Error && error.constructor === Error) throw unusable('image is damaged and cannot be read');
    throw error;
  }
}

function unusable(message: string): ContractError {
  return validationError([{ field: 'image', code: 'invalid_value', message }]);
}
