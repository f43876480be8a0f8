import { expect, test, vi } from 'vitest';
import { createFixture, nextMoved, opened } from '../server/tracking/scans/live-stream.js';
import { createLiveWorld } from '../support/live-world.js';
import { fileWorld } from '../support/shared.js';

const world = fileWorld(createLiveWorld);

test('an item of a live view is serialized once, however many people of the organization look at it', async () => {
  const { org, asset, session, read } = await createFixture(world);
  const others = [await world.session(org.orgId), await world.session(org.orgId)];
  const streams = await Promise.all([session, ...others].map((each) => opened(each)));
  const stringify = vi.spyOn(JSON, 'stringify');
  await read();
  for (const stream of streams) expect(await nextMoved(stream)).toMatchObject([{ asset_id: asset }]);
  const serialized = stringify.mock.calls.filter(
    ([value]) => (value as { kind?: string } | null)?.kind === 'positions',
  );
  stringify.mockRestore();
  expect(serialized).toHaveLength(1);
  for (const stream of streams) stream.close();
});
