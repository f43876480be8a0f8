import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Answer, type TestOrganization, type World } from '../support/world.js';

const mib = 1024 * 1024;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** An organization with one asset and one location, and every write of the contract by its template. */
async function createScene() {
  const org = await world.organization();
  const { data: asset } = (
    await org.post('/api/v1/assets', { name: 'Asset', tags: [{ tag_type: 'rfid', value: 'A' }] })
  ).body;
  const { data: location } = (await org.post('/api/v1/locations', { name: 'Location' })).body;
  const writes: readonly [method: 'POST' | 'PATCH', path: string][] = [
    ['POST', '/api/v1/assets'],
    ['PATCH', `/api/v1/assets/${asset.id}`],
    ['POST', `/api/v1/assets/${asset.id}/rename`],
    ['POST', `/api/v1/assets/${asset.id}/tags`],
    ['POST', '/api/v1/locations'],
    ['PATCH', `/api/v1/locations/${location.id}`],
    ['POST', `/api/v1/locations/${location.id}/rename`],
    ['POST', `/api/v1/locations/${location.id}/tags`],
  ];
  const stored = () => storedBy(org);
  return { org, asset, location, writes, stored };
}

/** Everything that a write could have changed. */
async function storedBy({ orgId }: TestOrganization): Promise<string> {
  const where = { where: { orgId }, orderBy: { id: 'asc' as const } };
  const rows = await Promise.all([
    world.db.asset.findMany(where),
    world.db.location.findMany(where),
    world.db.tag.findMany(where),
  ]);
  return JSON.stringify(rows);
}

function refusal({ status, body }: Answer): unknown {
  return [status, body?.error?.type, body?.error?.detail];
}

/** The entries of a validation error as `[field, code, message]`. */
function entriesOf({ status, body }: Answer): unknown {
  return [
    status,
    ...(body?.error?.fields ?? []).map((entry: Record<string, unknown>) => [
      entry['field'],
      entry['code'],
      entry['message'],
    ]),
  ];
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
  ])('%s is refused by every write', async (_what, raw, expected) => {
    const { org, writes, stored } = await createScene();
    const before = await stored();
    for (const [method, path] of writes) {
      expect([path, refusal(await org.call(method, path, { raw }))]).toStrictEqual([path, expected]);
    }
    expect(await stored()).toBe(before);
  });

  test('null is refused, on PATCH in words of its own', async () => {
    const { org, writes, stored } = await createScene();
    const before = await stored();
    for (const [method, path] of writes) {
      const detail = method === 'PATCH' ? 'Request body must be a JSON object (RFC 7396)' : wrongShape[2];
      expect(refusal(await org.call(method, path, { raw: 'null' }))).toStrictEqual([400, 'bad_request', detail]);
    }
    expect(await stored()).toBe(before);
  });

  test('another encoding is an unsupported media type', async () => {
    const { org, writes } = await createScene();
    for (const [method, path] of writes) {
      const answer = await org.call(method, path, { raw: '{}', headers: { 'Content-Encoding': 'gzip' } });
      expect([answer.status, answer.body.error.type]).toStrictEqual([415, 'unsupported_media_type']);
    }
  });
});

describe('characters that cannot be stored', () => {
  const unstorable = [
    ['a NUL', 'a\\u0000b'],
    ['a high surrogate alone', 'a\\ud83d b'],
    ['a low surrogate alone', 'a\\ude00 b'],
    ['surrogates the wrong way round', 'a\\ude00\\ud83d b'],
  ] as const;

  test.each(unstorable)('%s is refused in every string of a body', async (_what, bad) => {
    const { org, asset, location, stored } = await createScene();
    const before = await stored();
    const patchAsset = `/api/v1/assets/${asset.id}`;
    const patchLocation = `/api/v1/locations/${location.id}`;
    const attempts: [method: 'POST' | 'PATCH', path: string, raw: string, field: string][] = [
      ['POST', '/api/v1/assets', `{"name":"${bad}"}`, 'name'],
      ['POST', '/api/v1/assets', `{"name":"x","external_key":"${bad}"}`, 'external_key'],
      ['POST', '/api/v1/assets', `{"name":"x","description":"${bad}"}`, 'description'],
      ['POST', '/api/v1/assets', `{"name":"x","metadata":{"a":"${bad}"}}`, 'metadata'],
      ['POST', '/api/v1/assets', `{"name":"x","metadata":{"${bad}":1}}`, 'metadata'],
      ['POST', '/api/v1/assets', `{"name":"x","metadata":{"a":[1,{"b":[["${bad}"]]}]}}`, 'metadata'],
      ['POST', '/api/v1/assets', `{"name":"x","metadata":{"__proto__":{"${bad}":1}}}`, 'metadata'],
      ['POST', '/api/v1/assets', `{"name":"x","tags":[{"tag_type":"rfid","value":"${bad}"}]}`, 'value'],
      ['PATCH', patchAsset, `{"name":"${bad}"}`, 'name'],
      ['PATCH', patchAsset, `{"description":"${bad}"}`, 'description'],
      ['PATCH', patchAsset, `{"metadata":{"a":"${bad}"}}`, 'metadata'],
      ['PATCH', patchAsset, `{"external_key":"${bad}"}`, 'external_key'],
      ['POST', `${patchAsset}/rename`, `{"external_key":"${bad}"}`, 'external_key'],
      ['POST', `${patchAsset}/tags`, `{"tag_type":"rfid","value":"${bad}"}`, 'value'],
      ['POST', '/api/v1/locations', `{"name":"${bad}"}`, 'name'],
      ['POST', '/api/v1/locations', `{"name":"x","parent_external_key":"${bad}"}`, 'parent_external_key'],
      ['PATCH', patchLocation, `{"description":"${bad}"}`, 'description'],
      ['PATCH', patchLocation, `{"parent_external_key":"${bad}"}`, 'parent_external_key'],
      ['POST', `${patchLocation}/rename`, `{"external_key":"${bad}"}`, 'external_key'],
      ['POST', `${patchLocation}/tags`, `{"tag_type":"ble","value":"${bad}"}`, 'value'],
    ];
    for (const [method, path, raw, field] of attempts) {
      const expected = [400, [field, 'invalid_value', `${field} contains a character that cannot be stored`]];
      expect([raw, entriesOf(await org.call(method, path, { raw }))]).toStrictEqual([raw, expected]);
    }
    expect(await stored()).toBe(before);
  });

  test.each(unstorable)('%s in a tag type, a timestamp or an unknown key is refused as such', async (_what, bad) => {
    const { org, stored } = await createScene();
    const before = await stored();
    for (const [raw, field, code] of [
      [`{"name":"x","tags":[{"tag_type":"${bad}","value":"v"}]}`, 'tag_type', 'invalid_value'],
      [`{"name":"x","valid_from":"${bad}"}`, 'valid_from', 'invalid_value'],
      [`{"name":"x","valid_to":"2026-01-01T00:00:00Z${bad}"}`, 'valid_to', 'invalid_value'],
      [`{"name":"x","${bad}":1}`, JSON.parse(`"${bad}"`).toWellFormed(), 'unknown_field'],
    ]) {
      const answer = await org.call('POST', '/api/v1/assets', { raw });
      expect(answer.body.error.fields).toMatchObject([{ field, code }]);
      expect(answer.status).toBe(400);
    }
    expect(await stored()).toBe(before);
  });

  test.each(['%00', 'a%00b', '%ED%A0%80', '%FF', '%C0%AF', '%', '%zz', 'a%4'])(
    '%s is refused in a query',
    async (bad) => {
      const { org } = await createScene();
      for (const [path, name] of [
        ['/api/v1/assets', 'q'],
        ['/api/v1/assets', 'external_key'],
        ['/api/v1/assets', 'is_active'],
        ['/api/v1/assets', 'limit'],
        ['/api/v1/assets', 'sort'],
        ['/api/v1/locations', 'q'],
        ['/api/v1/locations', 'parent_id'],
        ['/api/v1/locations', 'parent_external_key'],
        ['/api/v1/reports/asset-locations', 'asset_id'],
        ['/api/v1/reports/asset-locations', 'location_external_key'],
      ]) {
        const answer = await org.get(`${path}?${name}=${bad}`);
        expect([name, answer.status, answer.body.error.fields]).toMatchObject([
          name,
          400,
          [{ field: name, code: 'invalid_value' }],
        ]);
      }
    },
  );

  test('a parameter name that cannot be decoded is unknown', async () => {
    const { org } = await createScene();
    expect(entriesOf(await org.get('/api/v1/assets?%zz=1&%ED%A0%80=2'))).toStrictEqual([
      400,
      ['%zz', 'unknown_field', 'unknown parameter: %zz'],
      ['%ED%A0%80', 'unknown_field', 'unknown parameter: %ED%A0%80'],
    ]);
  });

  test.each(['%00', '1%00', '%ED%A0%80', '%FF', '%zz', '%', '1%2F', '%EF%BC%91'])(
    '%s is refused in a path',
    async (id) => {
      const { org, stored } = await createScene();
      const before = await stored();
      for (const path of [
        `/api/v1/assets/${id}`,
        `/api/v1/locations/${id}/ancestors`,
        `/api/v1/assets/${id}/history`,
      ]) {
        const answer = await org.get(path);
        expect([path, answer.status, answer.body.error.type]).toStrictEqual([path, 400, 'validation_error']);
      }
      expect((await org.delete(`/api/v1/assets/${id}`)).status).toBe(400);
      expect(await stored()).toBe(before);
    },
  );
});

describe('keys that mean something to JavaScript', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    '%s is an unknown field of every body',
    async (key) => {
      const { org, writes, stored } = await createScene();
      const before = await stored();
      for (const [method, path] of writes) {
        const raw = `{"${key}":{"name":"x","external_key":"X","tag_type":"rfid","value":"v"}}`;
        const answer = await org.call(method, path, { raw });
        expect([path, entriesOf(answer)]).toStrictEqual([
          path,
          [400, [key, 'unknown_field', `unknown field "${key}" in request body`]],
        ]);
      }
      expect(await stored()).toBe(before);
    },
  );

  test('a body cannot name the row: keys called like path parameters are unknown fields', async () => {
    const { org, writes, stored } = await createScene();
    const before = await stored();
    for (const [method, path] of writes) {
      const key = path.includes('/assets') ? 'asset_id' : 'location_id';
      const answer = await org.call(method, path, { raw: `{"${key}":1,"name":"x","external_key":"X","value":"v"}` });
      const fields = answer.body.error.fields.map((entry: { field: string }) => entry.field);
      expect([path, answer.status, fields.includes(key)]).toStrictEqual([path, 400, true]);
    }
    expect(await stored()).toBe(before);
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is an unknown field of a tag', async (key) => {
    const { org, stored } = await createScene();
    const before = await stored();
    const raw = `{"name":"x","tags":[{"tag_type":"rfid","value":"v","${key}":{"value":"w"}}]}`;
    const answer = await org.call('POST', '/api/v1/assets', { raw });
    expect(answer.body.error.fields).toMatchObject([
      { field: key, code: 'unknown_field', params: { path: `tags[0].${key}` } },
    ]);
    expect(await stored()).toBe(before);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])('%s is an unknown parameter', async (key) => {
    const { org } = await createScene();
    expect(entriesOf(await org.get(`/api/v1/assets?${key}=1`))).toStrictEqual([
      400,
      [key, 'unknown_field', `unknown parameter: ${key}`],
    ]);
  });

  test('metadata keeps them and means nothing by them', async () => {
    const { org, asset } = await createScene();
    const metadata =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":{"__proto__":null}}';
    const created = await org.call('POST', '/api/v1/assets', { raw: `{"name":"x","metadata":${metadata}}` });
    expect(created.status).toBe(201);
    const patched = await org.call('PATCH', `/api/v1/assets/${asset.id}`, { raw: `{"metadata":${metadata}}` });
    const read = await org.get(`/api/v1/assets/${created.body.data.id}`);
    for (const answer of [created, patched, read]) {
      expect(isDeepStrictEqual(answer.body.data.metadata, JSON.parse(metadata)), answer.text).toBe(true);
      expect(Object.keys(answer.body.data.metadata)).toContain('__proto__');
      expect(Object.keys(answer.body.data.metadata.a)).toStrictEqual(['__proto__']);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await org.get('/api/v1/assets')).body.data[0].polluted).toBeUndefined();
  });
});

describe('bodies of every size', () => {
  const filled = (bytes: number) => {
    const frame = '{"name":"x","metadata":{"a":""}}';
    return `${frame.slice(0, -3)}${'x'.repeat(bytes - frame.length)}${frame.slice(-3)}`;
  };

  test('a mebibyte is accepted and comes back whole', async () => {
    const { org } = await createScene();
    const raw = filled(mib);
    const answer = await org.call('POST', '/api/v1/assets', { raw });
    expect(answer.status).toBe(201);
    expect(answer.body.data.metadata).toStrictEqual(JSON.parse(raw).metadata);
  });

  test('one byte more is refused by every write', async () => {
    const { org, writes, stored } = await createScene();
    const before = await stored();
    const raw = filled(mib + 1);
    for (const [method, path] of writes) {
      const expected = [413, 'payload_too_large', `Request body must be at most ${mib} bytes`];
      expect(refusal(await org.call(method, path, { raw }))).toStrictEqual(expected);
    }
    expect(await stored()).toBe(before);
  });

  test('a mebibyte of unknown keys, of tags or of numbers is answered in time', async () => {
    const { org, stored } = await createScene();
    const before = await stored();
    const list = (piece: (index: number) => string) => {
      const pieces: string[] = [];
      for (let length = 0; length < mib - 1000; length += (pieces.at(-1)?.length ?? 0) + 1)
        pieces.push(piece(pieces.length));
      return pieces.join(',');
    };
    const startedAt = performance.now();
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
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await stored()).toBe(before);
  });
});
