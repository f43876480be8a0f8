import { expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

test('metadata of very large numbers is no longer when it is read than when it was sent', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  const metadata = { 'z last': 1, numbers: Array.from({ length: 200 }, () => 1e308), 'a first': 2 };

  const created = await organization.post('/api/v1/assets', { name: 'Scale', metadata });
  const stored = await world.db.$queryRaw<{ bytes: number }[]>`
    SELECT length(metadata::text) AS bytes FROM assets WHERE org_id = ${organization.orgId}`;

  expect(stored).toEqual([{ bytes: JSON.stringify(metadata).length }]);
  const read = await organization.get(`/api/v1/assets/${created.body.data.id}`);
  expect(JSON.stringify(read.body.data.metadata)).toBe(JSON.stringify(metadata));
});
