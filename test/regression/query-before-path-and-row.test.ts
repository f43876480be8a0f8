import { beforeAll, expect, it } from 'vitest';
import '../support/expect-error.js';
import { sharedWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

// Of a list below a row, the parameters that it takes were judged together with its path, and after its row.
it.each([
  ['/api/v1/assets', 'history'],
  ['/api/v1/locations', 'ancestors'],
  ['/api/v1/locations', 'children'],
  ['/api/v1/locations', 'descendants'],
])('a bad parameter of %s/{id}/%s is reported before a bad or missing row', async (list, walk) => {
  const organization = await world.organization();
  for (const id of ['0', 'x', '2147483648', '2147483647']) {
    expect(await organization.get(`${list}/${id}/${walk}?offset=-1&limit=0`)).toBeInvalid(
      { field: 'limit', code: 'too_small' },
      { field: 'offset', code: 'too_small' },
    );
  }
});

it('the procedures behind them say the same to the app', async () => {
  const organization = await world.organization();
  for (const [procedure, key] of [
    ['assets.history', 'asset_id'],
    ['locations.descendants', 'location_id'],
  ]) {
    const input = encodeURIComponent(JSON.stringify({ [String(key)]: 2147483647, limit: 0 }));
    const { body } = await organization.get(`/trpc/${procedure}?input=${input}`);
    expect(body.error.data.error).toMatchObject({
      type: 'validation_error',
      fields: [{ field: 'limit', code: 'too_small' }],
    });
  }
});
