import { beforeAll, describe, expect, test } from 'vitest';
import { sharedWorld, type Answer, type World } from '../support/world.js';
import { createWrites } from './writes.js';

const mib = 1024 * 1024;

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

function refusal({ status, body }: Answer): unknown {
  return [status, body?.error?.type, body?.error?.detail];
}

const invalid = [400, 'bad_request', 'Request body is not valid JSON'];
const tooDeep = [400, 'bad_request', 'Request body is nested too deeply'];
const wrongShape = [400, 'bad_request', 'Request body could not be decoded as the expected type'];

describe('a body that is no JSON object', () => {
  test.each<[string, string | Buffer, unknown]>([
    ['nothing', '', invalid],
    ['white space', ' \n ', invalid],
    ['half an object', '{"name": "x"', invalid],
    ['a trailing comma', '{"name":"x",}', invalid],
    ['single quotes', "{'name':'x'}", invalid],
    ['trailing text', '{"name":"x"} {"name":"y"}', invalid],
    ['a trailing NUL', '{"name":"x"}\0', invalid],
    ['a byte order mark', '\ufeff{"name":"x"}', invalid],
    ['a key twice', '{"name":"x","name":"y"}', invalid],
    ['a key twice, once escaped', '{"name":"x","n\\u0061me":"x"}', invalid],
    ['an unknown key twice', '{"x":{"y":1,"y":1}}', invalid],
    ['a raw control character', '{"name":"a\u0001b"}', invalid],
    ['NaN', '{"name":NaN}', invalid],
    ['a form', 'name=x', invalid],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), invalid],
    ['overlong UTF-8', Buffer.from([0x7b, 0x22, 0xc1, 0xa1, 0x22, 0x3a, 0x31, 0x7d]), invalid],
    ['an encoded surrogate', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), invalid],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), invalid],
    [
      'gzip without saying so',
      Buffer.from('1f8b0800000000000003ab56ca4bcc4d55b2525048aa50aa050022ae27a80e000000', 'hex'),
      invalid,
    ],
    ['5,000 arrays', '['.repeat(5000) + ']'.repeat(5000), tooDeep],
    ['5,000 objects', `${'{"metadata":'.repeat(5000)}1${'}'.repeat(5000)}`, tooDeep],
    ['201 levels', `{"metadata":${'['.repeat(200)}${']'.repeat(200)}}`, tooDeep],
    ['an array', '[{"name":"x"}]', wrongShape],
    ['a string', '"name"', wrongShape],
    ['a number', '5', wrongShape],
    ['a number beyond every double', '1e999', wrongShape],
    ['a boolean', 'true', wrongShape],
  ])('%s is rejected by every write', async (_what, raw, expected) => {
    const { org, writes, stored } = await createWrites(world);
    const before = await stored();
    for (const [method, path] of writes) {
      expect([path, refusal(await org.call(method, path, { raw }))]).toStrictEqual([path, expected]);
    }
    expect(await stored()).toBe(before);
  });

  test('null is rejected, on PATCH in words of its own', async () => {
    const { org, writes, stored } = await createWrites(world);
    const before = await stored();
    for (const [method, path] of writes) {
      const detail = method === 'PATCH' ? 'Request body must be a JSON object (RFC 7396)' : wrongShape[2];
      expect(refusal(await org.call(method, path, { raw: 'null' }))).toStrictEqual([400, 'bad_request', detail]);
    }
    expect(await stored()).toBe(before);
  });

  test('another encoding is an unsupported media type', async () => {
    const { org, writes } = await createWrites(world);
    for (const [method, path] of writes) {
      const answer = await org.call(method, path, { raw: '{}', headers: { 'Content-Encoding': 'gzip' } });
      expect([answer.status, answer.body.error.type]).toStrictEqual([415, 'unsupported_media_type']);
    }
  });
});

describe('bodies of every size', () => {
  const filled = (bytes: number) => {
    const frame = '{"name":"x","metadata":{"a":"b"}}';
    return `${frame.slice(0, -1)}${' '.repeat(bytes - frame.length)}}`;
  };

  test('a mebibyte is accepted and comes back whole', async () => {
    const { org } = await createWrites(world);
    const raw = filled(mib);
    const answer = await org.call('POST', '/api/v1/assets', { raw });
    expect(answer.status).toBe(201);
    expect(answer.body.data.metadata).toStrictEqual(JSON.parse(raw).metadata);
  });

  test('one byte more is rejected by every write', async () => {
    const { org, writes, stored } = await createWrites(world);
    const before = await stored();
    const raw = filled(mib + 1);
    for (const [method, path] of writes) {
      const expected = [413, 'payload_too_large', `Request body must be at most ${mib} bytes`];
      expect(refusal(await org.call(method, path, { raw }))).toStrictEqual(expected);
    }
    expect(await stored()).toBe(before);
  });

  test('a mebibyte of unknown keys, of tags or of numbers is answered in time', async () => {
    const { org, stored } = await createWrites(world);
    const before = await stored();
    const list = (piece: (index: number) => string) => {
      const pieces: string[] = [];
      for (let length = 0; length < mib - 1000; length += (pieces.at(-1)?.length ?? 0) + 1)
        pieces.push(piece(pieces.length));
      return pieces.join(',');
    };
    for (const raw of [
      `{${list((index) => `"k${index}":1`)}}`,
      `{"name":"x","tags":[${list((index) => `{"tag_type":"rfid","value":"${index}"}`)}]}`,
      `{"name":"x","tags":[${list(() => '0')}]}`,
      `{"name":"${'x'.repeat(mib - 100)}"}`,
      `{"name":"x","description":"${'\\n'.repeat(mib / 2 - 100)}"}`,
      `{"name":"x","external_key":"${' '.repeat(mib - 100)}"}`,
      `{"name":"x","valid_from":"2026-01-01T00:00:00.${'0'.repeat(mib - 100)}Z"}`,
      `{"name":${'9'.repeat(mib - 100)}}`,
    ]) {
      const answer = await org.call('POST', '/api/v1/assets', { raw });
      expect([answer.status, answer.body.error.type]).toStrictEqual([400, 'validation_error']);
    }
    expect(await stored()).toBe(before);
  });
});
