import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { createHospital } from './hospital.js';

// Contents are often not read themselves. What moves them with their container decides whether somebody has seen them.

const world = await sharedScanWorld();

it('counts contents as seen when a scan of their container moves them, and not when somebody sets its location', async () => {
  const { org, operator, scan, putIn, cart, boxes, ward, store } = await createHospital(world);
  const [first = 0, second = 0, third = 0] = boxes;
  const unseen = async () => {
    const { data } = await org.admin.reports.unseen({ days: 1 });
    return data.map(({ name }) => name).sort();
  };
  await scan(ward, cart);
  await putIn(cart, first, second);
  expect(await unseen()).toEqual(['Box 1', 'Box 2', 'Box 3']);
  await scan(store, cart);
  expect(await unseen()).toEqual(['Box 3']);
  const { position } = await operator.assets.detail({ asset_id: first });
  expect(position?.placement?.seen_before).toBe(position?.asset_last_seen);
  await operator.containers.submit({
    submission_id: ulid(),
    container: { asset_id: cart },
    reads: [{ asset_id: third }],
  });
  expect(await unseen()).toEqual([]);
  const before = await operator.assets.detail({ asset_id: second });
  await operator.scans.submit({
    submission_id: ulid(),
    location_id: ward,
    reads: [{ asset_id: cart }],
    is_by_hand: true,
  });
  const after = await operator.assets.detail({ asset_id: second });
  expect(after.position).toMatchObject({
    location: { id: ward },
    placement: { seen_before: before.position?.asset_last_seen },
  });
});

it('counts an asset as seen that is scanned into a container where it is already, or is in already', async () => {
  const { operator, scan, putIn, cart, boxes, ward } = await createHospital(world);
  const [first = 0, second = 0] = boxes;
  const seen = async (id: number) => (await operator.assets.detail({ asset_id: id })).position?.asset_last_seen ?? '';
  await scan(ward, cart, first, second);
  await putIn(cart, second);
  const scanInto = () =>
    operator.containers.submit({
      submission_id: ulid(),
      container: { asset_id: cart },
      reads: [{ asset_id: first }, { asset_id: second }],
    });
  for (let time = 0; time < 2; time += 1) {
    const before = [await seen(first), await seen(second)];
    await scanInto();
    const after = [await seen(first), await seen(second)];
    expect(after.map((at, index) => at > (before[index] ?? ''))).toEqual([true, true]);
  }
  const { data } = await operator.assets.visits({ asset_id: first });
  expect(data).toMatchObject([{ location: { id: ward }, left_at: null }]);
});
