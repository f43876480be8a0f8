import { expect, it } from 'vitest';
import '../support/expect-error.js';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

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
