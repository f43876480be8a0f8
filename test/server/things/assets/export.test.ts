import { expect, it } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

it('an export pages by key through what matches, for viewers, of their own organization', async () => {
  const org = await world.organization();
  const { admin } = org;
  const viewer = await org.as('viewer');
  const ids: number[] = [];
  for (const key of ['C', 'A', 'B', 'D']) {
    const { data } = await admin.assets.create({ name: `Thing ${key}`, external_key: key, is_active: key !== 'D' });
    ids.push(data.id);
  }
  await (await world.organization()).admin.assets.create({ name: 'Thing', external_key: 'AA' });
  const keysOf = async (input: Parameters<typeof viewer.assets.exportPage>[0]) =>
    (await viewer.assets.exportPage(input)).data.map((row) => row.external_key);
  expect(await keysOf({})).toEqual(['A', 'B', 'C', 'D']);
  const first = await viewer.assets.exportPage({ limit: 3 });
  expect(first.next).toBe('C');
  expect(await viewer.assets.exportPage({ limit: 3, after: 'C' })).toMatchObject({
    data: [{ external_key: 'D' }],
    next: null,
  });
  expect(await keysOf({ is_active: true })).toEqual(['A', 'B', 'C']);
  expect(await keysOf({ ids: ids.slice(0, 2) })).toEqual(['A', 'C']);
  expect(await keysOf({ q: 'hing b' })).toEqual(['B']);
  expect(await keysOf({ q: 'd' })).toEqual(['D']);
  expect(await keysOf({ seen: true })).toEqual([]);
  expect(await keysOf({ seen: false, in_effect: true })).toEqual(['A', 'B', 'C', 'D']);
  const hall = await admin.locations.create({ name: 'Hall', external_key: 'HALL' });
  const room = await admin.locations.create({ name: 'Room', external_key: 'ROOM', parent_id: hall.data.id });
  await admin.scans.submit({
    submission_id: '01JD0000000000000000000000',
    location_id: room.data.id,
    reads: [{ asset_id: ids[2] ?? 0 }],
  });
  expect(await keysOf({ location_id: hall.data.id })).toEqual(['B']);
  expect((await viewer.locations.exportPage({})).data.map((row) => row.parent_external_key)).toEqual([null, 'HALL']);
});
