import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createLocation, nouns, read } from '../../support/factories.js';
import { sharedWorld, type World } from '../../support/world.js';

const world = await sharedWorld();

/** Numbers as JSON spells them, and what they are to a field that takes ids from 1 to 2147483647. */
const tooLarge = [
  '2147483648',
  '2147483648.0',
  '4294967297',
  '1e10',
  '4503599627370496',
  '9007199254740993',
  '9007199254740993.0',
  '1e18',
  '9.2e18',
  '9223372036854775807',
  '9223372036854775807.0',
  '922337203685477580.7e1',
  '92233720368547758070e-1',
  '0.9223372036854775807e19',
];
const tooSmall = [
  '0',
  '-0',
  '0.0',
  '-0.0',
  '0e5',
  '0e999999',
  '-1',
  '-1.0',
  '-1e3',
  '-2147483649',
  '-9223372036854775808',
  '-9223372036854775808.0',
];
const noInteger = [
  '5.5',
  '0.1',
  '-0.5',
  '1e-1',
  '1e-400',
  '2147483647.5',
  '1125899906842624.5',
  // Doubles of this size have no fractions.
  '2251799813685249.25',
  '4503599627370495.75',
  '4503599627370496.25',
  '-4503599627370496.25',
  '9007199254740993.5',
  '9223372036854775807.5',
  '5.0000000000000000001',
  '9223372036854775808',
  '9223372036854775808.0',
  '-9223372036854775809',
  '9.223372036854775808e18',
  '1e19',
  '1e300',
  '1e400',
  '-1e400',
  '1e99999999999999999999',
  '9'.repeat(1000),
];
const five = ['5', '5.0', '5.000', '50e-1', '0.5e1', '5e0', '5E+0', '0.00005e5'];
const hundred = ['1e2', '1E2', '1e+2', '10.0e1', '100', '1000e-1'];

describe.each([
  [
    'a parent on create',
    'parent_id',
    async (client: Client, raw: string) =>
      client.call('POST', nouns.locations.path, { raw: `{"name":"n","parent_id":${raw}}` }),
  ],
  [
    'a parent on patch',
    'parent_id',
    async (client: Client, raw: string) => patchOf(client, nouns.locations, `{"parent_id":${raw}}`),
  ],
  [
    'the id of a location on patch',
    'id',
    async (client: Client, raw: string) => patchOf(client, nouns.locations, `{"id":${raw}}`),
  ],
  [
    'the id of an asset on patch',
    'id',
    async (client: Client, raw: string) => patchOf(client, nouns.assets, `{"id":${raw}}`),
  ],
] as const)('%s', (_name, field, send) => {
  it('is rejected in every notation if it is out of range or not an integer', async () => {
    const organization = await world.organization();
    for (const raw of tooLarge) {
      const expected = {
        field,
        code: 'too_large',
        message: `${field} must be <= 2147483647`,
        params: { max: 2147483647 },
      };
      expect(await send(organization, raw), raw).toBeInvalid(expected);
    }
    for (const raw of tooSmall) {
      const expected = { field, code: 'too_small', message: `${field} must be >= 1`, params: { min: 1 } };
      expect(await send(organization, raw), raw).toBeInvalid(expected);
    }
    for (const raw of noInteger) {
      const expected = { field, code: 'invalid_value', message: `${field} must be an integer` };
      expect(await send(organization, raw), raw).toBeInvalid(expected);
    }
  });

  it('is read as the same integer in every notation', async () => {
    const organization = await world.organization();
    const code = field === 'id' ? 'read_only' : 'fk_not_found';
    for (const raw of [...five, ...hundred, '2147483647', '2147483647.0', '2.147483647e9', '1']) {
      expect(await send(organization, raw), raw).toBeInvalid({ field, code });
    }
  });
});

type Client = Awaited<ReturnType<World['organization']>>;

/** Patches a row whose id is none of the numbers tried, in an organization that has no row with these either. */
async function patchOf(client: Client, noun: (typeof bothNouns)[number], raw: string) {
  let row = await create(client, noun);
  while (row.id === 1 || row.id === 5 || row.id === 100) {
    await client.call('DELETE', `${noun.path}/${row.id}`);
    row = await create(client, noun);
  }
  return client.call('PATCH', `${noun.path}/${row.id}`, { raw });
}

it('finds a parent by its id in any notation', async () => {
  const organization = await world.organization();
  const { id } = await createLocation(organization);
  for (const spelled of [`${id}`, `${id}.0`, `${id}0e-1`, `0.${id}e${String(id).length}`]) {
    const answer = await organization.call('POST', nouns.locations.path, {
      raw: `{"name":"n","parent_id":${spelled}}`,
    });
    expect(answer.body.data?.parent_id, `${spelled} ${answer.text}`).toBe(id);
  }
});

it.each(bothNouns)('accepts the id of a $noun sent back in any notation', async (noun) => {
  const organization = await world.organization();
  const { id } = await create(organization, noun);
  for (const spelled of [`${id}`, `${id}.0`, `${id}0e-1`]) {
    const answer = await organization.call('PATCH', `${noun.path}/${id}`, { raw: `{"id":${spelled}}` });
    expect(answer.status, answer.text).toBe(200);
  }
  expect((await read(organization, noun, id)).id).toBe(id);
});
