import { expect, test } from 'vitest';
import { deepOffsetMin } from '../../server/kernel/lists.js';
import { sharedWorld } from '../support/world.js';

test('assets found by a text or by keys have pages at any offset', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  for (const name of ['Drill', 'Drill press', 'Ladder']) await organization.post('/api/v1/assets', { name });
  for (const [filter, count] of [
    ['q=drill', 2],
    ['external_key=ASSET-0001', 1],
    ['q=drill&sort=-external_key', 2],
  ] as const) {
    for (const offset of [0, deepOffsetMin - 1, deepOffsetMin]) {
      const { status, body } = await organization.get(`/api/v1/assets?${filter}&offset=${offset}`);
      expect({ status, found: body.data.length, total: body.total_count }, `${filter} at ${offset}`).toEqual({
        status: 200,
        found: offset === 0 ? count : 0,
        total: count,
      });
    }
  }
});
