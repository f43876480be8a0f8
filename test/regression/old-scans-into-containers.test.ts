import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { createHospital } from '../server/tracking/containers/hospital.js';
import { query } from '../support/postgres.js';
import { sharedScanWorld } from '../support/scan-world.js';

// A device without a network sends scans later. They say what was so then, and overrule nothing that happened since.

const world = await sharedScanWorld();

const minute = 60_000;

/** When a device scanned, so many minutes ago. */
function scannedAgo(minutes: number) {
  const nowMs = Date.now();
  const observed_at = new Date(nowMs - minutes * minute).toISOString();
  return { submission_id: ulid(), observed_at, sent_at: new Date(nowMs).toISOString() };
}

it('what was taken out after an old scan put it in stays out', async () => {
  const { operator, putIn, inside, cart, boxes } = await createHospital(world);
  const [box = 0, pallet = 0] = boxes;
  await putIn(pallet, box);
  await operator.containers.takeOut({ asset_ids: [box] });
  const { results } = await operator.containers.submit({
    ...scannedAgo(1),
    container: { asset_id: cart },
    reads: [{ asset_id: box }],
  });
  expect(results).toEqual([{ asset_id: box, status: 'failed', reason: 'changed_since' }]);
  expect(await inside(cart)).toEqual([]);
});

it('what was put in after an old scan took it out stays in, and leaves at the time of the scan otherwise', async () => {
  const { org, operator, putIn, inside, cart, boxes } = await createHospital(world);
  const [first = 0, second = 0] = boxes;
  await putIn(cart, first, second);
  const since = `UPDATE asset_containments SET since = now() - interval '1 hour' WHERE org_id = ${org.orgId} AND asset_id = ${first}`;
  await query(world.databaseUrl, since);
  const scanned = scannedAgo(5);
  const { results } = await operator.containers.submit({
    ...scanned,
    container: null,
    reads: [{ asset_id: first }, { asset_id: second }],
  });
  expect(results).toMatchObject([
    { asset_id: first, status: 'done', was_in: { id: cart } },
    { asset_id: second, status: 'failed', reason: 'changed_since' },
  ]);
  expect(await inside(cart)).toEqual(['Box 2']);
  const { data } = await operator.containers.past({ asset_id: first });
  const untilMs = Date.parse(data[0]?.until ?? '');
  expect(Math.abs(untilMs - Date.parse(scanned.observed_at))).toBeLessThan(minute / 2);
});

it('what an old scan put elsewhere before its container was deleted was in one of the two at each time', async () => {
  const { org, operator, putIn, cart, boxes } = await createHospital(world);
  const [box = 0, pallet = 0] = boxes;
  await putIn(pallet, box);
  const since = `UPDATE asset_containments SET since = now() - interval '1 hour' WHERE org_id = ${org.orgId}`;
  await query(world.databaseUrl, since);
  await org.admin.assets.delete({ asset_id: pallet });
  await operator.containers.submit({ ...scannedAgo(5), container: { asset_id: cart }, reads: [{ asset_id: box }] });
  const { data } = await operator.containers.past({ asset_id: box });
  expect(data.map(({ container, ended_by }) => [container.name, ended_by])).toEqual([
    ['Cart 7', null],
    ['Box 2', 'person'],
  ]);
  expect(data[1]?.until).toBe(data[0]?.since);
});

it('what an old scan puts into a container that has moved since is where the container is, since it came there', async () => {
  const { operator, scan, at, cart, boxes, ward, store } = await createHospital(world);
  const [box = 0] = boxes;
  const times = scannedAgo(30);
  await operator.scans.submit({ ...times, location_id: ward, reads: [{ asset_id: cart }, { asset_id: box }] });
  await scan(store, cart);
  await operator.containers.submit({ ...scannedAgo(20), container: { asset_id: cart }, reads: [{ asset_id: box }] });
  expect(await at(cart, box)).toEqual([store, store]);
  const then = { asset_id: box, from: times.observed_at, to: new Date().toISOString() };
  const { data } = await operator.assets.visits(then);
  const cartVisits = await operator.assets.visits({ ...then, asset_id: cart });
  expect(data.map(({ location, arrived_at: arrived }) => [location?.id, arrived])[0]).toEqual(
    cartVisits.data.map(({ location, arrived_at: arrived }) => [location?.id, arrived])[0],
  );
});

it('what was scanned elsewhere after an old scan into its container stays there, though the container has moved since', async () => {
  const { org, operator, scan, putIn, at, cart, boxes, ward, store, dock } = await createHospital(world);
  const [box = 0] = boxes;
  await scan(ward, cart, box);
  await putIn(cart, box);
  const since = `UPDATE asset_containments SET since = now() - interval '1 hour' WHERE org_id = ${org.orgId}`;
  await query(world.databaseUrl, since);
  const old = scannedAgo(5);
  await scan(store, box);
  await scan(dock, cart);
  await operator.containers.submit({ ...old, container: { asset_id: cart }, reads: [{ asset_id: box }] });
  expect(await at(cart, box)).toEqual([dock, store]);
});
