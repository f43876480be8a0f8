import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedWorld, type World } from '../support/world.js';
import { entriesOf } from './bad-values-fixture.js';
import { createWrites } from './writes.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

describe('keys that mean something to JavaScript', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    '%s is an unknown field of every body',
    async (key) => {
      const { org, writes, stored } = await createWrites(world);
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
    const { org, writes, stored } = await createWrites(world);
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
    const { org, stored } = await createWrites(world);
    const before = await stored();
    const raw = `{"name":"x","tags":[{"tag_type":"rfid","value":"v","${key}":{"value":"w"}}]}`;
    const answer = await org.call('POST', '/api/v1/assets', { raw });
    expect(answer.body.error.fields).toMatchObject([
      { field: key, code: 'unknown_field', params: { path: `tags[0].${key}` } },
    ]);
    expect(await stored()).toBe(before);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])('%s is an unknown parameter', async (key) => {
    const { org } = await createWrites(world);
    expect(entriesOf(await org.get(`/api/v1/assets?${key}=1`))).toStrictEqual([
      400,
      [key, 'unknown_field', `unknown parameter: ${key}`],
    ]);
  });

  test('metadata keeps them and means nothing by them', async () => {
    const { org, asset } = await createWrites(world);
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
