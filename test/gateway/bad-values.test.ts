import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function createScene() {
  const org = await world.organization();
  const { data: asset } = (await org.post('/api/v1/assets', { name: 'Asset' })).body;
  const { data: location } = (await org.post('/api/v1/locations', { name: 'Location' })).body;
  const paths = {
    assets: '/api/v1/assets',
    asset: `/api/v1/assets/${asset.id}`,
    assetRename: `/api/v1/assets/${asset.id}/rename`,
    assetTags: `/api/v1/assets/${asset.id}/tags`,
    locations: '/api/v1/locations',
    location: `/api/v1/locations/${location.id}`,
    locationRename: `/api/v1/locations/${location.id}/rename`,
    locationTags: `/api/v1/locations/${location.id}/tags`,
  };
  const counts = () =>
    Promise.all([
      world.db.asset.count({ where: { orgId: org.orgId } }),
      world.db.location.count({ where: { orgId: org.orgId } }),
      world.db.tag.count({ where: { orgId: org.orgId } }),
    ]);
  const untouched = async () => {
    expect(await counts()).toStrictEqual([1, 1, 0]);
    expect((await org.get(paths.asset)).body.data).toStrictEqual(asset);
    expect((await org.get(paths.location)).body.data).toStrictEqual(location);
  };
  return { org, asset, location, paths, untouched };
}

type PathName = keyof Awaited<ReturnType<typeof createScene>>['paths'];

function entriesOf({ status, body }: Answer): unknown {
  const fields = (body?.error?.fields ?? []) as { field: string; code: string; message: string }[];
  return [status, ...fields.map(({ field, code, message }) => [field, code, message])];
}

const samples = { string: '"text"', number: '7', boolean: 'true', array: '[]', object: '{}' } as const;

type JsonType = keyof typeof samples;

/** Every field of every request body with the JSON type it takes. */
const bodies: Record<PathName, { frame: Record<string, string>; fields: Record<string, JsonType> }> = {
  assets: {
    frame: { name: '"x"' },
    fields: {
      name: 'string',
      external_key: 'string',
      description: 'string',
      is_active: 'boolean',
      metadata: 'object',
      valid_from: 'string',
      valid_to: 'string',
      tags: 'array',
    },
  },
  asset: {
    frame: {},
    fields: {
      name: 'string',
      description: 'string',
      is_active: 'boolean',
      metadata: 'object',
      valid_from: 'string',
      valid_to: 'string',
      id: 'number',
      external_key: 'string',
      created_at: 'string',
      updated_at: 'string',
      deleted_at: 'string',
      tags: 'array',
    },
  },
  assetRename: { frame: {}, fields: { external_key: 'string' } },
  assetTags: { frame: { tag_type: '"rfid"', value: '"v"' }, fields: { tag_type: 'string', value: 'string' } },
  locations: {
    frame: { name: '"x"' },
    fields: {
      name: 'string',
      external_key: 'string',
      description: 'string',
      is_active: 'boolean',
      parent_id: 'number',
      parent_external_key: 'string',
      valid_from: 'string',
      valid_to: 'string',
      tags: 'array',
    },
  },
  location: {
    frame: {},
    fields: {
      name: 'string',
      description: 'string',
      is_active: 'boolean',
      parent_id: 'number',
      parent_external_key: 'string',
      valid_from: 'string',
      valid_to: 'string',
      id: 'number',
      external_key: 'string',
      created_at: 'string',
      updated_at: 'string',
      deleted_at: 'string',
      tags: 'array',
    },
  },
  locationRename: { frame: {}, fields: { external_key: 'string' } },
  locationTags: { frame: { tag_type: '"ble"', value: '"v"' }, fields: { tag_type: 'string', value: 'string' } },
};

function bodyText(fields: Record<string, string>): string {
  return `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
}

function methodOf(path: PathName): 'POST' | 'PATCH' {
  return path === 'asset' || path === 'location' ? 'PATCH' : 'POST';
}

describe('wrong JSON types', () => {
  test.each(Object.keys(bodies) as PathName[])('of every field of %s', async (name) => {
    const { org, paths, untouched } = await createScene();
    const { frame, fields } = bodies[name];
    for (const [field, expected] of Object.entries(fields)) {
      for (const [received, sample] of Object.entries(samples)) {
        if (received === expected) continue;
        const raw = bodyText({ ...frame, [field]: sample });
        const answer = await org.call(methodOf(name), paths[name], { raw });
        expect([raw, answer.status, answer.body.error.fields]).toStrictEqual([
          raw,
          400,
          [
            {
              field,
              code: 'invalid_value',
              message: `${field} must be ${expected}; received ${received}`,
              params: { expected_type: expected, received_type: received },
            },
          ],
        ]);
      }
    }
    await untouched();
  });

  test.each(Object.keys(bodies) as PathName[])('of all fields of %s at once, in one order', async (name) => {
    const { org, paths, untouched } = await createScene();
    const { fields } = bodies[name];
    const wrong = Object.entries(fields).map(([field, type]) => [field, type === 'array' ? '{}' : '[]'] as const);
    const send = async (entries: typeof wrong) => {
      const raw = bodyText(Object.fromEntries(entries));
      return (await org.call(methodOf(name), paths[name], { raw })).body.error;
    };
    const error = await send(wrong);
    const reported = error.fields.map((entry: { field: string }) => entry.field);
    expect(reported.toSorted()).toStrictEqual(Object.keys(fields).toSorted());
    const more = reported.length - 1;
    const suffix = more === 0 ? '' : ` (and ${more} more validation error${more === 1 ? '' : 's'})`;
    expect(error.detail).toBe(error.fields[0].message + suffix);
    expect((await send(wrong.toReversed())).fields).toStrictEqual(error.fields);
    await untouched();
  });

  test('of the items of tags', async () => {
    const { org, paths, untouched } = await createScene();
    const raw = '{"name":"x","tags":[7,null,{"tag_type":5,"value":{}},{},{"tag_type":"rfid","value":"v","more":1},[]]}';
    const answer = await org.call('POST', paths.assets, { raw });
    expect(answer.status).toBe(400);
    expect(answer.body.error.type).toBe('validation_error');
    for (const entry of answer.body.error.fields) expect(entry.params.path).toMatch(/^tags\[\d\]/);
    await untouched();
  });
});

describe('numbers', () => {
  const tooLarge = (field: string) => [400, [field, 'too_large', `${field} must be <= 2147483647`]];
  const tooSmall = (field: string) => [400, [field, 'too_small', `${field} must be >= 1`]];
  const noInteger = (field: string) => [400, [field, 'invalid_value', `${field} must be an integer`]];

  test.each<[string, (field: string) => unknown]>([
    ['2147483648', tooLarge],
    ['2147483648.0', tooLarge],
    ['1e10', tooLarge],
    ['9007199254740993', tooLarge],
    ['9223372036854775807', tooLarge],
    ['9223372036854775808', noInteger],
    ['-9223372036854775808', tooSmall],
    ['-9223372036854775809', noInteger],
    ['1e19', noInteger],
    ['1e300', noInteger],
    ['1e400', noInteger],
    ['-1e400', noInteger],
    ['9'.repeat(1000), noInteger],
    ['1.5', noInteger],
    ['1e-1', noInteger],
    ['1e-400', noInteger],
    ['1.00000000000000000000001', noInteger],
    ['0', tooSmall],
    ['-0', tooSmall],
    ['-1', tooSmall],
  ])('%s is no id in a body', async (token, expected) => {
    const { org, paths, untouched } = await createScene();
    const attempts = [
      ['POST', paths.locations, `{"name":"x","parent_id":${token}}`, 'parent_id'],
      ['PATCH', paths.location, `{"parent_id":${token}}`, 'parent_id'],
      ['PATCH', paths.location, `{"id":${token}}`, 'id'],
      ['PATCH', paths.asset, `{"id":${token}}`, 'id'],
    ] as const;
    for (const [method, path, raw, field] of attempts) {
      expect([raw, entriesOf(await org.call(method, path, { raw }))]).toStrictEqual([raw, expected(field)]);
    }
    await untouched();
  });

  test('an id is the same however it is spelled', async () => {
    const { org, asset, location, paths } = await createScene();
    for (const token of [`${asset.id}.0`, `${asset.id}00e-2`, `0.${asset.id}e${String(asset.id).length}`]) {
      expect((await org.call('PATCH', paths.asset, { raw: `{"id":${token}}` })).status).toBe(200);
    }
    const child = await org.call('POST', paths.locations, { raw: `{"name":"x","parent_id":${location.id}.0}` });
    expect(child.body.data.parent_id).toBe(location.id);
  });

  test.each<[string, (field: string) => unknown]>([
    ['2147483648', tooLarge],
    ['9223372036854775808', tooLarge],
    ['9'.repeat(400), tooLarge],
    ['0', tooSmall],
    ['-1', tooSmall],
    ['-2147483649', tooSmall],
    ['01', noInteger],
    ['-0', noInteger],
    ['%2B1', noInteger],
    ['1.0', noInteger],
    ['1e2', noInteger],
    ['0x1', noInteger],
    ['%201', noInteger],
    ['1%20', noInteger],
    ['1_0', noInteger],
    ['abc', noInteger],
    ['NaN', noInteger],
    ['Infinity', noInteger],
    ['%D9%A1', noInteger],
  ])('%s is no id in a path or a filter', async (token, expected) => {
    const { org, untouched } = await createScene();
    for (const [path, field] of [
      [`/api/v1/assets/${token}`, 'asset_id'],
      [`/api/v1/assets/${token}/history`, 'asset_id'],
      [`/api/v1/locations/${token}`, 'location_id'],
      [`/api/v1/locations/${token}/descendants`, 'location_id'],
      [`/api/v1/locations?parent_id=${token}`, 'parent_id'],
      [`/api/v1/reports/asset-locations?asset_id=${token}`, 'asset_id'],
      [`/api/v1/reports/asset-locations?location_id=1&location_id=${token}`, 'location_id'],
    ] as const) {
      expect([path, entriesOf(await org.get(path))]).toStrictEqual([path, expected(field)]);
    }
    expect(entriesOf(await org.delete(`/api/v1/assets/${token}`))).toStrictEqual(expected('asset_id'));
    await untouched();
  });

  test.each([
    ['limit', '0', 'too_small'],
    ['limit', '-1', 'too_small'],
    ['limit', '201', 'too_large'],
    ['limit', '9'.repeat(400), 'too_large'],
    ['limit', '1.5', 'invalid_value'],
    ['limit', '', 'invalid_value'],
    ['limit', 'all', 'invalid_value'],
    ['offset', '-1', 'too_small'],
    ['offset', '2147483648', 'too_large'],
    ['offset', '%2B0', 'invalid_value'],
    ['offset', '1e3', 'invalid_value'],
  ])('%s=%s is refused by every list', async (name, value, code) => {
    const { org, paths } = await createScene();
    const lists = [paths.assets, paths.locations, `${paths.asset}/history`, `${paths.location}/children`];
    for (const path of [...lists, '/api/v1/reports/asset-locations']) {
      const answer = await org.get(`${path}?${name}=${value}`);
      expect([path, answer.status, answer.body.error.fields]).toMatchObject([path, 400, [{ field: name, code }]]);
    }
  });

  test('an offset as large as allowed is an empty page', async () => {
    const { org, paths } = await createScene();
    expect((await org.get(`${paths.assets}?offset=2147483647`)).body).toMatchObject({ data: [], total_count: 1 });
  });

  test.each(['1e400', '-1e400', '9'.repeat(400)])(
    'metadata refuses %s, which it could not give back',
    async (token) => {
      const { org, paths, untouched } = await createScene();
      const answer = await org.call('POST', paths.assets, { raw: `{"name":"x","metadata":{"a":[${token}]}}` });
      expect([answer.status, answer.body.error.fields]).toMatchObject([
        400,
        [{ field: 'metadata', code: 'invalid_value' }],
      ]);
      await untouched();
    },
  );

  test.each(['9007199254740992', '-0.5', '1e-7', '1.7976931348623157e308', '5e-324', '0.1'])(
    'metadata keeps %s',
    async (token) => {
      const { org, paths } = await createScene();
      const answer = await org.call('POST', paths.assets, { raw: `{"name":"x","metadata":{"a":${token}}}` });
      expect(answer.body.data.metadata).toStrictEqual({ a: Number(token) });
      expect((await org.get(`${paths.assets}/${answer.body.data.id}`)).body.data.metadata).toStrictEqual({
        a: Number(token),
      });
    },
  );
});

describe('control characters', () => {
  test.each([
    '\u0001',
    'a\u0001',
    '\u0001a',
    '\u007f',
    'a\u007f',
    'a\u001fb',
    'a\tb',
    'a\n',
    'a\u007fb',
    ' a',
    'a\u00a0',
    '\ufeffa',
    '\u2028a',
  ])('a name may not be %j', async (name) => {
    const { org, paths, untouched } = await createScene();
    for (const [method, path] of [
      ['POST', paths.assets],
      ['PATCH', paths.asset],
      ['POST', paths.locations],
      ['PATCH', paths.location],
    ] as const) {
      const answer = await org.call(method, path, { body: { name } });
      expect([method, path, answer.status]).toStrictEqual([method, path, 400]);
      expect(answer.body.error.fields).toMatchObject([{ field: 'name', code: 'invalid_value' }]);
    }
    await untouched();
  });

  test.each(['\u0001', 'a\u000bb', 'a\u001f', '\u007f'])(
    'neither description nor tag value may be %j',
    async (text) => {
      const { org, paths, untouched } = await createScene();
      expect((await org.post(paths.assets, { name: 'x', description: text })).body.error.fields).toMatchObject([
        { field: 'description', code: 'invalid_value' },
      ]);
      expect((await org.post(paths.locationTags, { tag_type: 'rfid', value: text })).body.error.fields).toMatchObject([
        { field: 'value', code: 'invalid_value' },
      ]);
      await untouched();
    },
  );

  test.each(['%01', '%0A', '%7F', 'a%09b'])('q may not be %s', async (q) => {
    const { org, paths } = await createScene();
    const answer = await org.get(`${paths.assets}?q=${q}`);
    expect([answer.status, answer.body.error.fields]).toMatchObject([400, [{ field: 'q', code: 'invalid_value' }]]);
  });
});
