import { expect, test } from 'vitest';
import { addSession } from '../support/factories.js';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

const org = await world.organization();

test('a bulk edit sets at most fifty custom details', async () => {
  const session = await addSession(world, org.orgId, 'manager');
  const few = Object.fromEntries(Array.from({ length: 50 }, (_, no) => [`k${no}`, no]));
  for (const procedure of ['bulkEdits.preview', 'bulkEdits.edit']) {
    const answer = await session.post(`/trpc/${procedure}`, { ids: [1], set_details: { ...few, more: 1 } });
    expect([procedure, answer.status]).toEqual([procedure, 400]);
    expect(answer.body.error.data.error.fields).toMatchObject([{ field: 'set_details', code: 'too_long' }]);
  }
});
