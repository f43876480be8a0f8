import { beforeAll, describe, expect, test } from 'vitest';
import { sharedWorld, type World } from '../support/world.js';
import { createFixture, entriesOf } from './bad-values-fixture.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
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
    const { org, paths, untouched } = await createFixture(world);
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
    const { org, asset, location, paths } = await createFixture(world);
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
    const { org, untouched } = await createFixture(world);
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
  ])('%s=%s is rejected by every list', async (name, value, code) => {
    const { org, paths } = await createFixture(world);
    const lists = [paths.assets, paths.locations, `${paths.asset}/history`, `${paths.location}/children`];
    for (const path of [...lists, '/api/v1/reports/asset-locations']) {
      const answer = await org.get(`${path}?${name}=${value}`);
      expect([path, answer.status, answer.body.error.fields]).toMatchObject([path, 400, [{ field: name, code }]]);
    }
  });

  test('an offset as large as allowed is an empty page', async () => {
    const { org, paths } = await createFixture(world);
    expect((await org.get(`${paths.assets}?offset=2147483647`)).body).toMatchObject({ data: [], total_count: 1 });
  });

  test.each(['1e400', '-1e400', '9'.repeat(400)])(
    'metadata rejects %s, which it could not give back',
    async (token) => {
      const { org, paths, untouched } = await createFixture(world);
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
      const { org, paths } = await createFixture(world);
      const answer = await org.call('POST', paths.assets, { raw: `{"name":"x","metadata":{"a":${token}}}` });
      expect(answer.body.data.metadata).toStrictEqual({ a: Number(token) });
      expect((await org.get(`${paths.assets}/${answer.body.data.id}`)).body.data.metadata).toStrictEqual({
        a: Number(token),
      });
    },
  );
});
