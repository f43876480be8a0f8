import { afterAll, beforeAll, expect, it } from 'vitest';
import '../support/expect-error.js';
import { createWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

// Of a list below a row, the parameters that it takes were judged together with its path, and after its row.
it.each([
  ['/api/v1/assets', 'history'],
  ['/api/v1/locations', 'ancestors'],
  ['/api/v1/locations', 'children'],
  ['/api/v1/locations', 'descendants'],
])('a bad parameter of %s/{id}/%s is told before a bad or missing row', async (list, walk) => {
  const organization = await world.organization();
  for (const id of ['0', 'x', '2147483648', '2147483647']) {
    expect(await organization.get(`${list}/${id}/${walk}?offset=-1&limit=0`)).toBeInvalid(
      { field: 'limit', code: 'too_small' },
      { field: 'offset', code: 'too_small' },
    );
  }
});
