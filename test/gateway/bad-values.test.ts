import { beforeAll, describe, expect, test } from 'vitest';
import { sharedWorld, type World } from '../support/world.js';
import { createFixture, type PathName } from './bad-values-fixture.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

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
    const { org, paths, untouched } = await createFixture(world);
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
    const { org, paths, untouched } = await createFixture(world);
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
    const { org, paths, untouched } = await createFixture(world);
    const raw = '{"name":"x","tags":[7,null,{"tag_type":5,"value":{}},{},{"tag_type":"rfid","value":"v","more":1},[]]}';
    const answer = await org.call('POST', paths.assets, { raw });
    expect(answer.status).toBe(400);
    expect(answer.body.error.type).toBe('validation_error');
    for (const entry of answer.body.error.fields) expect(entry.params.path).toMatch(/^tags\[\d\]/);
    await untouched();
  });
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
    const { org, paths, untouched } = await createFixture(world);
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
      const { org, paths, untouched } = await createFixture(world);
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
    const { org, paths } = await createFixture(world);
    const answer = await org.get(`${paths.assets}?q=${q}`);
    expect([answer.status, answer.body.error.fields]).toMatchObject([400, [{ field: 'q', code: 'invalid_value' }]]);
  });
});
