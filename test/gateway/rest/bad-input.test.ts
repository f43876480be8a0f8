import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import {
  addSightings,
  bothNouns,
  create,
  createAsset,
  createLocation,
  daysAgo,
  nouns,
  read,
} from '../../support/factories.js';
import { sendRaw } from '../../support/raw-http.js';
import type { Answer } from '../../support/rest-client.js';
import { createWorld, type TestOrganization, type World } from '../../support/world.js';

// Whatever comes in, the answer is one of the contract's: accepted, or refused with a reason, and never a fault.

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const values = [
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '1e-999',
  '2147483648',
  '9223372036854775808',
  `1${'0'.repeat(5000)}`,
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  `"${'x'.repeat(10_000)}"`,
  '"\'; DROP TABLE assets; --"',
  '"${jndi:ldap://x}"',
  '"2024-02-30T00:00:00Z"',
  '"9999-12-31T23:59:59-23:59"',
  '"infinity"',
  '[]',
  '[[[]]]',
  '[{}]',
  '[{"tag_type":"rfid","value":"\\u0000"}]',
  '[{"tag_type":["rfid"],"value":{}}]',
  '[{"__proto__":{"tag_type":"rfid"},"value":"v"}]',
  '{}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":"x","valueOf":1}',
  '{"$gt":""}',
  '{"a":"\\u0000"}',
  '{"\\ud800":1}',
];

/** The text of an answer that is none of the contract's, otherwise undefined. */
function faultIn({ status, headers, text }: Answer): string | undefined {
  const known = [200, 201, 400, 404, 409].includes(status) && headers['content-type'] === 'application/json';
  return known ? undefined : `${status} ${text}`;
}

describe.each(bothNouns)('whatever stands in a field of a $noun', (noun) => {
  const ofAssets = [
    'description',
    'is_active',
    'metadata',
    'valid_from',
    'location_id',
    'created_at',
    'deleted_at',
    'then',
  ];
  const own = noun === nouns.assets ? ofAssets : ['parent_id', 'parent_external_key'];

  it.each(['name', 'external_key', 'valid_to', 'tags', 'id', '__proto__', ...own])(
    '%s gets an answer',
    async (field) => {
      const organization = await world.organization();
      const row = await create(organization, noun);
      for (const value of values) {
        const rest = field === 'name' ? '' : '"name":"n",';
        const made = await organization.call('POST', noun.path, { raw: `{${rest}"${field}":${value}}` });
        const changed = await organization.call('PATCH', `${noun.path}/${row.id}`, { raw: `{"${field}":${value}}` });
        expect([made, changed].map(faultIn), value.slice(0, 100)).toEqual([undefined, undefined]);
        // What was stored can be read, alone and in the list.
        if (made.status === 201)
          expect((await organization.get(`${noun.path}/${made.body.data.id}`)).body).toEqual(made.body);
        if (changed.status === 200) expect(await read(organization, noun, row.id)).toEqual(changed.body.data);
      }
      expect((await organization.get(`${noun.path}?limit=200`)).status).toBe(200);
    },
  );

  it.each(['external_key', 'tag_type', 'value', '__proto__'])(
    '%s of a rename or a tag gets an answer',
    async (field) => {
      const organization = await world.organization();
      const { id } = await create(organization, noun);
      for (const value of values) {
        expect(
          faultIn(await organization.call('POST', `${noun.path}/${id}/rename`, { raw: `{"${field}":${value}}` })),
        ).toBeUndefined();
        const rest = { tag_type: '"value":"v",', value: '"tag_type":"ble",' }[field] ?? '';
        expect(
          faultIn(await organization.call('POST', `${noun.path}/${id}/tags`, { raw: `{${rest}"${field}":${value}}` })),
        ).toBeUndefined();
      }
    },
  );
});

describe('whatever stands in a query', () => {
  const strange = [
    '',
    '%00',
    '%',
    '%ff',
    '%ED%A0%80',
    "'",
    '\\',
    '%25',
    '_',
    '*',
    '%0A',
    '%C3%89',
    '-',
    '0',
    '1e9',
    'null',
    '[]',
    'a'.repeat(3000),
    '%F0%9F%98%80',
    '__proto__',
  ];

  it.each([
    ['/api/v1/assets', ['external_key', 'is_active', 'q', 'include_deleted', 'limit', 'offset', 'sort']],
    [
      '/api/v1/locations',
      [
        'external_key',
        'parent_id',
        'parent_external_key',
        'is_active',
        'q',
        'include_deleted',
        'limit',
        'offset',
        'sort',
      ],
    ],
    [
      '/api/v1/reports/asset-locations',
      [
        'asset_id',
        'asset_external_key',
        'location_id',
        'location_external_key',
        'include_deleted',
        'limit',
        'offset',
        'sort',
      ],
    ],
    ['/api/v1/assets/{id}/history', ['from', 'to', 'limit', 'offset', 'sort']],
    ['/api/v1/locations/{id}/descendants', ['limit', 'offset', 'sort']],
  ])('of %s gets an answer', async (template, parameters) => {
    const organization: TestOrganization = await world.organization();
    const location = await createLocation(organization);
    const asset = await createAsset(organization);
    await addSightings(world, [
      { orgId: organization.orgId, assetId: asset.id, locationId: location.id, at: daysAgo(1) },
    ]);
    const path = template.replace('{id}', String(template.includes('locations/') ? location.id : asset.id));
    for (const parameter of [...parameters, '__proto__']) {
      const queries = strange.map((value) => `${parameter}=${value}`);
      queries.push(parameter, `${parameter}[]=1`, `${parameter}=1&${parameter}=%00`, `${parameter}=&${parameter}=`);
      for (const query of queries) {
        expect(faultIn(await organization.get(`${path}?${query}`)), query.slice(0, 100)).toBeUndefined();
      }
    }
  });

  it('is answered where it is no pairs at all', async () => {
    const organization = await world.organization();
    for (const query of ['', '&', '&&', '=', '=&=', '==', '%', '&limit=1&', '?', '#']) {
      const answer = await organization.get(`/api/v1/assets?${query}`);
      expect([200, 400], query).toContain(answer.status);
    }
    for (const query of ['', '&', '&&', '&limit=1&'])
      expect((await organization.get(`/api/v1/assets?${query}`)).status).toBe(200);
  });

  it('is answered where there are thousands', async () => {
    const organization = await world.organization();
    const keys = Array.from({ length: 700 }, (_none, index) => `external_key=K-${index}`).join('&');
    const unknown = Array.from({ length: 700 }, (_none, index) => `unknown${index}=1`).join('&');
    expect((await organization.get(`/api/v1/assets?${keys}`)).body).toMatchObject({ data: [], total_count: 0 });
    const refused = await organization.get(`/api/v1/assets?${unknown}`);
    expect(refused.body.error.fields).toHaveLength(700);
    expect(refused.body.error.detail).toBe('unknown parameter: unknown0 (and 699 more validation errors)');
  });
});

it('leaves Object.prototype as it was', () => {
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('tag_type');
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

it('answers requests with too many or too long headers, and goes on', async () => {
  const { token } = await world.organization();
  const head = `GET /api/v1/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
  const many = Array.from({ length: 5000 }, (_none, index) => `X-Flood-${index}: 1\r\n`).join('');
  for (const flood of [many, `X-Flood: ${'x'.repeat(100_000)}\r\n`, 'No colon at all\r\n', 'X-Bad: a\0b\r\n']) {
    const answer = await sendRaw(world.port, [`${head}${flood}\r\n`]);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(JSON.parse(answer.body).error.status).toBe(answer.status);
  }
  expect((await sendRaw(world.port, [`${head}\r\n`])).status).toBe(200);
});
