import { afterEach, expect, it } from 'vitest';
import { createLog } from '../../../../server/kernel/log.js';
import {
  createImageEncoder,
  type EncoderOptions,
  type ImageEncoder,
} from '../../../../server/things/images/encoder.js';
import { formatOf, isAnimated } from '../../../../server/things/images/signature.js';
import { refusalOf } from '../../../support/caller.js';
import { png } from '../../../support/pictures.js';

let encoder: ImageEncoder | undefined;
afterEach(() => encoder?.stop());

function create(options: Partial<EncoderOptions> = {}): ImageEncoder {
  encoder = createImageEncoder({ log: createLog('silent'), ...options });
  return encoder;
}

it('accepts three images of an organization at once, and no more in a process than its memory allows', async () => {
  const bytes = await png();
  const { encode } = create();
  const upload = (orgId: number) => encode(orgId, { bytes, kind: 'plan' });
  const uploads = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5].map(upload);
  expect(await refusalOf(upload(1))).toEqual({
    type: 'rate_limited',
    detail: 'Retry after 3 seconds',
    retryAfterSeconds: 3,
  });
  // Another organization has its turn; of those with the most images, the last one loses its newest.
  const other = upload(6);
  const lost = uploads.splice(11, 1)[0] as Promise<unknown>;
  expect(await refusalOf(lost)).toMatchObject({ type: 'service_unavailable', retryAfterSeconds: 3 });
  expect((await Promise.all([...uploads, other])).every(({ width }) => width === 40)).toBe(true);
  expect((await upload(1)).height).toBe(20);
});

it('finds the chunk of an animated PNG before its pixels, and no end in a damaged one', async () => {
  const plain = await png();
  expect([formatOf(plain), isAnimated(plain, 'png')]).toEqual(['png', false]);
  const chunk = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('acTL'), Buffer.alloc(12)]);
  const headerEnd = 33;
  const animated = Buffer.concat([plain.subarray(0, headerEnd), chunk, plain.subarray(headerEnd)]);
  expect(isAnimated(animated, 'png')).toBe(true);
  const endless = Buffer.concat([
    plain.subarray(0, headerEnd),
    Buffer.from([0xff, 0xff, 0xff, 0xff]),
    Buffer.from('teXt'),
  ]);
  expect(isAnimated(endless, 'png')).toBe(false);
  expect(formatOf(Buffer.from('RIFF'))).toBeUndefined();
});
