import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createAsset, nouns, read, type Row } from '../../support/factories.js';
import { sendRaw } from '../../support/raw-http.js';
import { sharedWorld, type TestOrganization } from '../../support/world.js';

const world = await sharedWorld();

const notJson = { type: 'bad_request', detail: 'Request body is not valid JSON' };
const wrongShape = { type: 'bad_request', detail: 'Request body could not be decoded as the expected type' };
const tooDeep = { type: 'bad_request', detail: 'Request body is nested too deeply' };

/** A few of each kind; `gateway/json.test.ts` has them all. */
const malformed: [name: string, raw: string | Buffer][] = [
  ['nothing', ''],
  ['white space', ' \n\t'],
  ['a cut object', '{"name":"n"'],
  ['text after it', '{"name":"n"}x'],
  ['a NUL after it', '{"name":"n"}\0'],
  ['a key twice, escaped differently', '{"name":"n","n\\u0061me":"n"}'],
  ['a key twice, deep inside', '{"name":"n","metadata":{"a":[{"b":1,"b":1}]}}'],
  ['a trailing comma', '{"name":"n",}'],
  ['a raw control character', '{"name":"a\nb"}'],
  ['a byte order mark', '\ufeff{"name":"n"}'],
  ['an invalid byte', Buffer.from('{"name":"\xff"}', 'latin1')],
  ['a form', 'name=n'],
  ['gzip', Buffer.from('1f8b0800000000000003ab56ca4bcc4d55b2525048aa50aa050022ae27a80e000000', 'hex')],
];

const otherTypes: [name: string, raw: string][] = [
  ['a list', '[]'],
  ['a list of an object', '[{"name":"n"}]'],
  ['a string', '"n"'],
  ['a number', '1'],
  ['a number beyond every double', '1e999'],
  ['true', 'true'],
];

const writesOfRow = [
  ['PATCH', ''],
  ['POST', '/rename'],
  ['POST', '/tags'],
] as const;

async function nothingStored(organization: TestOrganization): Promise<void> {
  for (const { path } of bothNouns) {
    expect((await organization.get(`${path}?include_deleted=true`)).body.total_count).toBe(0);
  }
}

describe.each(bothNouns)('the body of a $noun', (noun) => {
  it('creates nothing if it is not valid JSON', async () => {
    const organization = await world.organization();
    for (const [name, raw] of malformed) {
      expect(await organization.call('POST', noun.path, { raw }), name).toBeError({ ...notJson, instance: noun.path });
    }
    await nothingStored(organization);
  });

  it('changes nothing if it is not valid JSON', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    for (const [name, raw] of malformed) {
      for (const [method, sub] of writesOfRow) {
        expect(await organization.call(method, `${noun.path}/${row.id}${sub}`, { raw }), name).toBeError(notJson);
      }
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('must be an object', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    for (const [name, raw] of otherTypes) {
      expect(await organization.call('POST', noun.path, { raw }), name).toBeError(wrongShape);
      for (const [method, sub] of writesOfRow) {
        expect(await organization.call(method, `${noun.path}/${id}${sub}`, { raw }), name).toBeError(wrongShape);
      }
    }
  });

  it('must not be null', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const detail = 'Request body must be a JSON object (RFC 7396)';
    const patched = await organization.call('PATCH', `${noun.path}/${id}`, { raw: ' null ' });
    expect(patched).toBeError({ type: 'bad_request', detail });
    for (const path of [noun.path, `${noun.path}/${id}/rename`, `${noun.path}/${id}/tags`]) {
      expect(await organization.call('POST', path, { raw: 'null' })).toBeError(wrongShape);
    }
  });

  it('is rejected if it is nested more than 200 levels deep', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    for (const levels of [201, 5000, 100_000]) {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const inside = open === '[' ? '' : '1';
        const raw = `{"metadata":${open.repeat(levels - 1)}${inside}${close.repeat(levels - 1)}}`;
        expect(await organization.call('POST', noun.path, { raw }), `${levels} ${open}`).toBeError(tooDeep);
        expect(await organization.call('PATCH', `${noun.path}/${row.id}`, { raw })).toBeError(tooDeep);
      }
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });
});

it('accepts metadata nested to the maximum depth', async () => {
  const organization = await world.organization();
  const deep = `{"a":${'['.repeat(198)}1${']'.repeat(198)}}`;
  const answer = await organization.call('POST', nouns.assets.path, { raw: `{"name":"n","metadata":${deep}}` });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.data.metadata).toEqual(JSON.parse(deep));
});

it('accepts whitespace around the body, escapes and all of Unicode', async () => {
  const organization = await world.organization();
  const raw = '\r\n\t {"n\\u0061me" : "\\u00c9\\ud83d\\ude00\\/ \u{10FFFF}"}\n ';
  const answer = await organization.call('POST', nouns.assets.path, { raw });
  expect(answer.body.data.name).toBe('É😀/ \u{10FFFF}');
});

describe('unknown keys', () => {
  const unknown = (field: string) => ({
    field,
    code: 'unknown_field',
    message: `unknown field "${field}" in request body`,
  });
  const keys = [
    'color',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
    '',
    'Name',
    'asset_id',
    'location_ID',
    'org_id',
    'tag_id',
    'tree_path',
  ];

  it.each(bothNouns)('are each rejected for a $noun', async (noun) => {
    const organization = await world.organization();
    const row: Row = await create(organization, noun);
    for (const key of keys) {
      const raw = (more: string) => `{${more}${JSON.stringify(key)}:{"polluted":true}}`;
      const calls = {
        create: await organization.call('POST', noun.path, { raw: raw('"name":"n",') }),
        patch: await organization.call('PATCH', `${noun.path}/${row.id}`, { raw: raw('') }),
        rename: await organization.call('POST', `${noun.path}/${row.id}/rename`, { raw: raw('"external_key":"k",') }),
        tag: await organization.call('POST', `${noun.path}/${row.id}/tags`, {
          raw: raw('"tag_type":"ble","value":"v",'),
        }),
      };
      for (const [name, answer] of Object.entries(calls)) expect(answer, `${name} ${key}`).toBeInvalid(unknown(key));
    }
    const several = await organization.call('PATCH', `${noun.path}/${row.id}`, {
      raw: '{"b":1,"name":"m","a":2,"__proto__":3}',
    });
    expect(several).toBeInvalid(unknown('b'), unknown('a'), unknown('__proto__'));
    expect(await read(organization, noun, row.id)).toEqual(row);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
  });

  it('include the path parameter, which the body cannot replace', async () => {
    const organization = await world.organization();
    const [first, second] = [await createAsset(organization), await createAsset(organization)];
    const answer = await organization.patch(`/api/v1/assets/${first.id}`, { asset_id: second.id, name: 'x' });
    expect(answer).toBeInvalid(unknown('asset_id'));
    expect(await read(organization, nouns.assets, second.id)).toEqual(second);
  });

  it('include fields of the other kind, and read-only fields on create', async () => {
    const organization = await world.organization();
    const asset = await create(organization, nouns.assets);
    const location = await create(organization, nouns.locations);
    const answers = [
      [await organization.post(nouns.locations.path, { name: 'n', metadata: {} }), 'metadata'],
      [await organization.patch(`${nouns.locations.path}/${location.id}`, { metadata: {} }), 'metadata'],
      [await organization.post(nouns.locations.path, { name: 'n', location_id: 1 }), 'location_id'],
      [await organization.post(nouns.assets.path, { name: 'n', parent_id: null }), 'parent_id'],
      [
        await organization.patch(`${nouns.assets.path}/${asset.id}`, { parent_external_key: 'K' }),
        'parent_external_key',
      ],
      [await organization.post(nouns.assets.path, { name: 'n', id: 1 }), 'id'],
      [await organization.post(nouns.assets.path, { name: 'n', created_at: '2024-01-01T00:00:00Z' }), 'created_at'],
      [await organization.post(nouns.assets.path, { name: 'n', deleted_at: null }), 'deleted_at'],
    ] as const;
    for (const [answer, field] of answers) expect(answer).toBeInvalid(unknown(field));
  });
});

describe('the size of a body', () => {
  const bytesMax = 1_048_576;
  const tooLarge = { type: 'payload_too_large', detail: `Request body must be at most ${bytesMax} bytes` };

  function padded(bytes: number): string {
    const body = '{"name":"n"}';
    return body.padEnd(bytes, ' ');
  }

  it('is at most 1 MiB', async () => {
    const organization = await world.organization();
    const accepted = await organization.call('POST', nouns.assets.path, { raw: padded(bytesMax) });
    expect(accepted.status).toBe(201);
    const { id } = accepted.body.data;
    for (const [method, path] of [
      ['POST', nouns.assets.path],
      ['POST', nouns.locations.path],
      ['PATCH', `${nouns.assets.path}/${id}`],
      ['POST', `${nouns.assets.path}/${id}/rename`],
      ['POST', `${nouns.assets.path}/${id}/tags`],
    ] as const) {
      expect(await organization.call(method, path, { raw: padded(bytesMax + 1) })).toBeError({
        ...tooLarge,
        instance: path,
      });
    }
    expect((await organization.get(nouns.assets.path)).body.total_count).toBe(1);
  });

  it('does not delay the answer to 1 MiB of unknown keys, tags, digits or text', async () => {
    const organization = await world.organization();
    const list = (piece: (index: number) => string) => {
      const pieces: string[] = [];
      for (let length = 0; length < bytesMax - 1000; length += (pieces.at(-1)?.length ?? 0) + 1)
        pieces.push(piece(pieces.length));
      return pieces.join(',');
    };
    for (const raw of [
      `{${list((index) => `"k${index}":1`)}}`,
      `{"name":"x","tags":[${list((index) => `{"tag_type":"rfid","value":"${index}"}`)}]}`,
      `{"name":"x","tags":[${list(() => '0')}]}`,
      `{"name":"${'x'.repeat(bytesMax - 100)}"}`,
      `{"name":"x","description":"${'\\n'.repeat(bytesMax / 2 - 100)}"}`,
      `{"name":"x","external_key":"${' '.repeat(bytesMax - 100)}"}`,
      `{"name":"x","valid_from":"2026-01-01T00:00:00.${'0'.repeat(bytesMax - 100)}Z"}`,
      `{"name":${'9'.repeat(bytesMax - 100)}}`,
    ]) {
      expect(await organization.call('POST', nouns.assets.path, { raw })).toBeError({ type: 'validation_error' });
    }
    await nothingStored(organization);
  });

  it('is limited without a Content-Length too', async () => {
    const { token } = await world.organization();
    const head = `POST ${nouns.assets.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const chunked = (body: string) => [
      `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ];
    const refused = await sendRaw(world.port, chunked(padded(bytesMax + 1)));
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.body).error).toMatchObject(tooLarge);
    expect((await sendRaw(world.port, chunked(padded(bytesMax)))).status).toBe(201);
  });
});
