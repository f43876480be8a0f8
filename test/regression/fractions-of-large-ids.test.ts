import { beforeAll, expect, test } from 'vitest';
import { sharedWorld, type TestOrganization, type World } from '../support/world.js';

let world: World;
let organization: TestOrganization;

beforeAll(async () => {
  world = await sharedWorld();
  organization = await world.organization();
});

async function createBelow(id: string) {
  const answer = await organization.call('POST', '/api/v1/locations', { raw: `{"name":"n","parent_id":${id}}` });
  return answer.body.error.fields;
}

test.each([
  '2251799813685249.25',
  '4503599627370495.75',
  '4503599627370496.25',
  '9007199254740993.5',
  '9223372036854775807.5',
  '-4503599627370496.25',
])('%s has a fraction, although doubles of that size have none', async (id) => {
  expect(await createBelow(id)).toEqual([
    { field: 'parent_id', code: 'invalid_value', message: 'parent_id must be an integer' },
  ]);
});

test.each(['4503599627370496', '9007199254740993.0', '92233720368547758070e-1'])(
  '%s is an integer above the maximum',
  async (id) => {
    expect(await createBelow(id)).toMatchObject([{ field: 'parent_id', code: 'too_large' }]);
  },
);

test('in metadata it is the nearest double', async () => {
  const raw = '{"name":"n","metadata":{"a":[4503599627370496.25,9007199254740993.5]}}';
  const { body } = await organization.call('POST', '/api/v1/assets', { raw });
  expect(body.data.metadata).toEqual({ a: [4_503_599_627_370_496, 9_007_199_254_740_994] });
});
