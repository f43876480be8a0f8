import { expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

// Only the public API and /files sent the header.
test('a 401 of /trpc has a challenge, and other answers have none', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  const refused = [
    await world.anonymous.get('/trpc/readers.list'),
    await world.anonymous.call('GET', '/trpc/readers.list', { headers: { authorization: 'Bearer wrong' } }),
    await world.anonymous.get('/trpc/readers.list,alerts.list?batch=1'),
  ];
  for (const { status, headers } of refused) {
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="service-api"']);
  }
  const { status, headers } = await organization.get('/trpc/assets.get?input=%7B%22asset_id%22%3A1%7D');
  expect([status, headers['www-authenticate']]).toEqual([404, undefined]);
});
