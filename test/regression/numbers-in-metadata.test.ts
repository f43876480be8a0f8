import { describe, expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

const organization = await world.organization();

async function create(value: string) {
  return organization.call('POST', '/api/v1/assets', { raw: `{"name":"n","metadata":{"a":[${value}]}}` });
}

describe('an integer that a double cannot hold exactly is rejected', () => {
  test.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '9007199254740993e0',
    '12345678901234567890',
    '1.2345678901234567890e19',
    '100000000000000000000001',
    '1.00000000000000000001e30',
    '1e400',
    '-1e400',
    '9'.repeat(400),
  ])('%s', async (value) => {
    const answer = await create(value);
    expect(answer.status).toBe(400);
    expect(answer.body.error.fields).toStrictEqual([
      {
        field: 'metadata',
        code: 'invalid_value',
        message: 'metadata contains an integer that cannot be stored exactly; send it as a string',
      },
    ]);
  });
});

describe('other numbers are doubles, however they are spelled, and what is read can be sent back', () => {
  test.each([
    ['9007199254740992', 9007199254740992],
    ['9007199254740994', 9007199254740994],
    ['4503599627370496.25', 4503599627370496],
    ['9007199254740993.5', 9007199254740994],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['1152921504606846976', 2 ** 60],
    ['36893488147419103232', 2 ** 65],
    ['1e22', 1e22],
    ['10000000000000000000000', 1e22],
    ['1e23', 1e23],
    ['100000000000000000000000', 1e23],
    ['1e-400', 0],
    ['-1e-400', 0],
    ['-0', 0],
    ['5.0000000000000000001', 5],
    ['4.9999999999999999999', 5],
    ['0.1', 0.1],
    ['5e-324', 5e-324],
  ])('%s', async (value, expected) => {
    const created = await create(value);
    expect(created.body.data?.metadata, created.text).toStrictEqual({ a: [expected] });
    const { text } = await organization.get(`/api/v1/assets/${created.body.data.id}`);
    const metadata = /"metadata":(\{.*?\})/.exec(text)?.[1] ?? '';
    const patched = await organization.call('PATCH', `/api/v1/assets/${created.body.data.id}`, {
      raw: `{"metadata":${metadata}}`,
    });
    expect(patched.body.data?.metadata, patched.text).toStrictEqual({ a: [expected] });
  });
});

test('the description gives metadata as a free object, and says which numbers it holds', async () => {
  const { components } = (await world.anonymous.get('/api/openapi.json')).body;
  for (const name of ['AssetView', 'CreateAssetRequest', 'UpdateAssetRequest']) {
    const { metadata } = components.schemas[name].properties;
    expect(metadata).toMatchObject({ type: 'object', additionalProperties: true });
    expect(metadata).not.toHaveProperty('properties');
    expect(metadata.description).toContain('send it as a string');
  }
});
