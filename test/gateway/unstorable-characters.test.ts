import { beforeAll, describe, expect, test } from 'vitest';
import { sharedWorld, type World } from '../support/world.js';
import { entriesOf } from './bad-values-fixture.js';
import { createWrites } from './writes.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

describe('characters that cannot be stored', () => {
  const unstorable = [
    ['a NUL', 'a\\u0000b'],
    ['a high surrogate alone', 'a\\ud83d b'],
    ['a low surrogate alone', 'a\\ude00 b'],
    ['surrogates the wrong way round', 'a\\ude00\\ud83d b'],
  ] as const;

  test.each(unstorable)('%s is rejected in every string of a body', async (_what, bad) => {
    const { org, asset, location, stored } = await createWrites(world);
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

  test.each(unstorable)('%s in a tag type, a timestamp or an unknown key is rejected as such', async (_what, bad) => {
    const { org, stored } = await createWrites(world);
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
    '%s is rejected in a query',
    async (bad) => {
      const { org } = await createWrites(world);
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
    const { org } = await createWrites(world);
    expect(entriesOf(await org.get('/api/v1/assets?%zz=1&%ED%A0%80=2'))).toStrictEqual([
      400,
      ['%zz', 'unknown_field', 'unknown parameter: %zz'],
      ['%ED%A0%80', 'unknown_field', 'unknown parameter: %ED%A0%80'],
    ]);
  });

  test.each(['%00', '1%00', '%ED%A0%80', '%FF', '%zz', '%', '1%2F', '%EF%BC%91'])(
    '%s is rejected in a path',
    async (id) => {
      const { org, stored } = await createWrites(world);
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
