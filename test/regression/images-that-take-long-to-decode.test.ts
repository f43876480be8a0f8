import { deflateSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../server/kernel/log.js';
import { createImageEncoder, type EncoderOptions, type ImageEncoder } from '../../server/things/images/encoder.js';
import { refusalOf } from '../support/caller.js';
import { bomb, png } from '../support/pictures.js';

let encoder: ImageEncoder | undefined;
afterEach(() => encoder?.stop());

function create(options: Partial<EncoderOptions> = {}): ImageEncoder['encode'] {
  encoder = createImageEncoder({ log: createLog('silent'), ...options });
  return encoder.encode;
}

function chunk(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(data.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, data, Buffer.alloc(4)]);
}

/** A PNG of 4 × 4 pixels with texts that unpack to 2 GB. */
async function textBomb(): Promise<Buffer> {
  const plain = await png({ width: 4, height: 4 });
  const text = deflateSync(Buffer.alloc(10 * 1024 * 1024));
  const compressed = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), text]));
  const international = chunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), text]));
  const headerEnd = 33;
  const texts = Array.from({ length: 100 }, () => [compressed, international]).flat();
  return Buffer.concat([plain.subarray(0, headerEnd), ...texts, plain.subarray(headerEnd)]);
}

test('compressed texts of a PNG are not decoded', async () => {
  const encode = create({ processorMsMax: 1000 });
  expect(await encode(1, { bytes: await textBomb(), kind: 'photo' })).toMatchObject({ width: 4, height: 4 });
});

test('an image that takes too long is refused, and the next one is decoded', async () => {
  const encode = create({ processorMsMax: 1 });
  expect(await refusalOf(encode(1, { bytes: await bomb(7000, 7000), kind: 'photo' }))).toMatchObject({
    fields: [{ field: 'image', message: 'image takes too long to decode' }],
  });
  await encoder?.stop();
  const next = create();
  expect(await next(1, { bytes: await png(), kind: 'photo' })).toMatchObject({ width: 40, height: 20 });
});

test('organizations take turns', async () => {
  const encode = create();
  const bytes = await png();
  const order: string[] = [];
  const upload = (orgId: number, name: string) => encode(orgId, { bytes, kind: 'photo' }).then(() => order.push(name));
  await Promise.all([upload(1, '1a'), upload(1, '1b'), upload(1, '1c'), upload(2, '2a')]);
  expect(order).toEqual(['1a', '1b', '2a', '1c']);
});
