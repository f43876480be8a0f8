import { fieldRefusal, rateLimited, serviceUnavailable } from '../../kernel/errors.js';
import { createFairSemaphore } from '../../kernel/fair-semaphore.js';
import { createLimitedProcess, ProcessStoppedError } from '../../kernel/limited-process/limited-process.js';
import type { Log } from '../../kernel/log.js';
import { createOwnerCounts } from '../../kernel/owner-counts.js';
import { QueueFullError } from '../../kernel/semaphore.js';
import type { EncodedImage, FlawedImage, Upload } from './encode.js';
import type { ImageKind } from './kinds.js';
import { formatOf, isAnimated } from './signature.js';

export type ImageEncoder = {
  /**
   * Decodes an upload and encodes it again, so that nothing but pixels is stored. If the end of a file is missing, stores
   * the part of the image that is there, as browsers show it. Organizations take turns.
   *
   * @throws ContractError `validation_error` for a file that is not a PNG, JPEG or WebP, is animated or damaged, has too
   * many pixels or takes too long; `rate_limited` if the organization has too many uploads in progress;
   * `service_unavailable` if the process has, or is stopping
   */
  encode(orgId: number, upload: { bytes: Buffer; kind: ImageKind }): Promise<EncodedImage>;
  stop(): Promise<void>;
};

/** Decoding takes up to 250 MB, so one image is decoded at a time. */
const runningMax = 1;
const waitingMax = 12;
const perOrganizationMax = 3;
const retryAfterSeconds = 3;
/** The processor time of an image, and the time if the process hardly gets any. */
const processorMsMaxDefault = 10_000;
const elapsedMsMax = 60_000;

export type EncoderOptions = { log: Log; processorMsMax?: number };

/** Creates the encoder. It works in another process, because the decoders cannot be interrupted in all that they do. */
export function createImageEncoder({ log, processorMsMax = processorMsMaxDefault }: EncoderOptions): ImageEncoder {
  const run = createFairSemaphore({ runningMax, waitingMax, waitingPerLineMax: perOrganizationMax });
  const underWay = createOwnerCounts<number>();
  const images = createLimitedProcess<Upload, EncodedImage | FlawedImage>({
    file: 'server/things/images/process.js',
    nodeOptions: [],
    processorMsFor: () => processorMsMax,
    elapsedMsMax,
    log,
  });

  async function decode(upload: Upload): Promise<EncodedImage> {
    const outcome = await images.run(upload);
    if (outcome === 'time') throw fieldRefusal('image', 'image_too_slow');
    if (outcome === 'ended') throw fieldRefusal('image', 'image_damaged');
    if ('error' in outcome) throw new Error(`an image could not be encoded: ${outcome.error}`);
    const { result } = outcome;
    if ('flaw' in result) throw fieldRefusal('image', result.flaw.name as never, result.flaw.params as never);
    return { ...result, content: Buffer.from(result.content), thumbnail: Buffer.from(result.thumbnail) };
  }

  return {
    async encode(orgId, upload) {
      if (underWay.of(orgId) >= perOrganizationMax) throw rateLimited(retryAfterSeconds);
      underWay.add(orgId, 1);
      try {
        requireStillImage(upload.bytes);
        return await run([String(orgId)], () => decode(upload));
      } catch (error) {
        if (error instanceof QueueFullError) {
          throw serviceUnavailable('Too many images are being processed', retryAfterSeconds);
        }
        if (error instanceof ProcessStoppedError) throw serviceUnavailable('The service is stopping', 1);
        throw error;
      } finally {
        underWay.add(orgId, -1);
      }
    },
    stop: () => images.stop(),
  };
}

function requireStillImage(bytes: Buffer): void {
  const format = formatOf(bytes);
  if (format === undefined) throw fieldRefusal('image', 'not_image');
  if (isAnimated(bytes, format)) throw fieldRefusal('image', 'image_animated');
}
