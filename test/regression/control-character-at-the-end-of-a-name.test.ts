import { beforeAll, expect, it } from 'vitest';
import '../support/expect-error.js';
import { bothNouns, create, read } from '../support/factories.js';
import { sharedWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

// The pattern of a name says `\S` for its first and last character, and a control character is no white space.
it.each(bothNouns)('a name of a $noun neither begins nor ends with a control character', async (noun) => {
  const organization = await world.organization();
  const row = await create(organization, noun);
  for (const name of ['\u0001', '\u007f', '\u0001a', 'a\u0001', '\u007fa', 'a\u007f', '\u001fa', 'a\u0008']) {
    const expected = { field: 'name', code: 'invalid_value' };
    expect(await organization.post(noun.path, { name }), JSON.stringify(name)).toBeInvalid(expected);
    expect(await organization.patch(`${noun.path}/${row.id}`, { name }), JSON.stringify(name)).toBeInvalid(expected);
  }
  expect(await read(organization, noun, row.id)).toEqual(row);
});
