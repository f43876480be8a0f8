import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../server/kernel/log.js';
import { createImageEncoder } from '../../server/things/images/encoder.js';
import { refusalOf } from '../support/caller.js';
import { turnedJpeg } from '../support/pictures.js';

const { encode, stop } = createImageEncoder({ log: createLog('silent') });
const [width, height] = [320, 240];
let noise: Buffer;

beforeAll(async () => {
  noise = await sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
    .png()
    .toBuffer();
});

afterAll(stop);

const without = (bytes: Buffer, count: number) => bytes.subarray(0, bytes.length - count);
const followed = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(length, 'x')]);
const jpeg = (options = {}) => sharp(noise).jpeg(options).toBuffer();

test('a JPEG without its end marker is accepted', async () => {
  const bytes = readFileSync(new URL('inputs/no-end-marker.jpg', import.meta.url));
  expect(await encode(1, { bytes, kind: 'photo' })).toMatchObject({ width: 300, height: 200 });
});

test('a WebP is accepted whose decoder needs more bytes than are missing', async () => {
  const bytes = readFileSync(new URL('inputs/no-last-bytes.webp', import.meta.url));
  expect(await encode(1, { bytes, kind: 'photo' })).toMatchObject({ width: 64, height: 48 });
});

test.each<[string, () => Promise<Buffer>]>([
  ['a JPEG without its last two bytes', async () => without(await jpeg(), 2)],
  ['a JPEG whose upload ended early', async () => without(await jpeg(), 4000)],
  ['a JPEG with other data behind it', async () => followed(await jpeg(), 5000)],
  ['a JPEG with zeros instead of its end', async () => Buffer.concat([without(await jpeg(), 2), Buffer.alloc(4096)])],
  ['a progressive JPEG', () => jpeg({ progressive: true })],
  ['a progressive JPEG without its end', async () => without(await jpeg({ progressive: true }), 300)],
  ['a JPEG of four inks', () => sharp(noise).toColourspace('cmyk').jpeg().toBuffer()],
  [
    'a JPEG of four inks without its end',
    async () => without(await sharp(noise).toColourspace('cmyk').jpeg().toBuffer(), 3),
  ],
  ['a gray JPEG', () => sharp(noise).greyscale().jpeg().toBuffer()],
  ['a PNG without its last chunk', async () => without(noise, 12)],
  ['a PNG whose upload ended early', async () => without(noise, 3000)],
  ['a PNG with other data behind it', async () => followed(noise, 100)],
  ['a WebP without its last bytes', async () => without(await sharp(noise).webp().toBuffer(), 9)],
  [
    'a lossless WebP without its last bytes',
    async () => without(await sharp(noise).webp({ lossless: true }).toBuffer(), 9),
  ],
  ['a WebP whose upload ended early', async () => without(await sharp(noise).webp().toBuffer(), 4000)],
  [
    'a WebP with a profile whose upload ended early',
    async () => without(await sharp(noise).ensureAlpha().withMetadata().webp().toBuffer(), 4000),
  ],
  ['a WebP with other data behind it', async () => followed(await sharp(noise).webp().toBuffer(), 100)],
])('%s is accepted, with its colors', async (_kind, make) => {
  const encoded = await encode(1, { bytes: await make(), kind: 'photo' });
  expect(encoded).toMatchObject({ width, height });
  // The upper half is there; its mean equals the mean of the original.
  const { channels } = await sharp(encoded.content)
    .extract({ left: 0, top: 0, width, height: height / 2 })
    .stats();
  for (const { mean } of channels) expect(Math.abs(mean - 128)).toBeLessThan(12);
});

test('a photo that says how the camera was held is turned, with or without its end', async () => {
  const bytes = await turnedJpeg(width, height);
  for (const form of [bytes, without(bytes, 2)]) {
    expect(await encode(1, { bytes: form, kind: 'photo' })).toMatchObject({ width: height, height: width });
  }
});

test('a file that ends within its header is refused with the reason', async () => {
  const bytes = (await jpeg()).subarray(0, 120);
  expect(await refusalOf(encode(1, { bytes, kind: 'photo' }))).toMatchObject({
    fields: [{ field: 'image', message: 'image is damaged and cannot be read' }],
  });
});
