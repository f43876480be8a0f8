import { expect, it } from 'vitest';
import { query } from '../../../support/postgres.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { createHospital } from './hospital.js';

// What always moved with a container is suggested to be put into it, and nothing else.

const world = await sharedScanWorld();

type Arrival = { assetId: number; location: number; hour: number; second?: number };

/** A cart with arrivals at two locations in turn, one an hour, the last one an hour ago; later ones have higher numbers. */
async function setUp({ boxes, moves }: { boxes: number; moves: number }) {
  const hospital = await createHospital(world, { boxes });
  const { org, cart, ward, store } = hospital;
  const locationOf = (hour: number) => (hour % 2 === 0 ? ward : store);
  const hours = Array.from({ length: moves }, (_, hour) => hour);
  const arrive = async (arrivals: readonly Arrival[]) => {
    const rows = arrivals.map(({ assetId, location, hour, second = 0 }) => {
      const at = `date_trunc('minute', now()) - interval '${moves - hour} hours' + interval '${second} seconds'`;
      return `(${org.orgId}, ${assetId}, ${at}, ${at} + interval '10 minutes', ${at}, ${location})`;
    });
    const columns = 'org_id, asset_id, arrived_at, left_at, last_seen_at, location_id';
    await query(world.databaseUrl, `INSERT INTO asset_visits (${columns}) VALUES ${rows.join(', ')}`);
  };
  await arrive(hours.map((hour) => ({ assetId: cart, location: locationOf(hour), hour })));
  return { ...hospital, locationOf, hours, arrive, manager: await org.as('manager') };
}

it('suggests what moved with the container each time, within a minute', async () => {
  const { cart, boxes, hours, arrive, locationOf, manager, putIn, dock } = await setUp({ boxes: 8, moves: 8 });
  const [always = 0, since = 0, seldom = 0, late = 0, missed = 0, alone = 0, placed = 0, elsewhere = 0] = boxes;
  const with_ = (assetId: number, of: readonly number[], second = 30): Arrival[] =>
    of.map((hour) => ({ assetId, location: locationOf(hour), hour, second }));
  await arrive([
    ...with_(always, hours),
    // It came to the cart later.
    { assetId: since, location: dock, hour: 1 },
    ...with_(since, hours.slice(3)),
    ...with_(seldom, hours.slice(4)),
    ...with_(late, hours, 90),
    ...with_(missed, [0, 1, 2, 4, 5, 6, 7]),
    ...with_(alone, hours),
    { assetId: alone, location: dock, hour: 6, second: 1800 },
    ...with_(placed, hours),
    ...with_(elsewhere, hours.slice(0, 4)),
  ]);
  await putIn(cart, placed);
  const { data } = await manager.containers.suggestions({ container_id: cart });
  expect(data.map(({ asset, times, locations }) => [asset.name, times, locations])).toEqual([
    ['Box 1', 8, ['Store', 'Ward 3A']],
    ['Box 2', 5, ['Store', 'Ward 3A']],
  ]);
  expect(await manager.containers.contents({ container_id: cart })).toMatchObject({ total_count: 1 });
});

it('does not suggest what only moved because it was in the container', async () => {
  const { org, cart, boxes, hours, arrive, locationOf, manager } = await setUp({ boxes: 1, moves: 6 });
  const [box = 0] = boxes;
  await arrive(hours.map((hour) => ({ assetId: box, location: locationOf(hour), hour })));
  await query(
    world.databaseUrl,
    `INSERT INTO asset_placements (org_id, asset_id, placed_at, container_id)
     SELECT org_id, asset_id, arrived_at, ${cart} FROM asset_visits WHERE org_id = ${org.orgId} AND asset_id = ${box}`,
  );
  expect(await manager.containers.suggestions({ container_id: cart })).toEqual({ data: [] });
});

it('compares only assets of the organization', async () => {
  const own = await setUp({ boxes: 1, moves: 6 });
  const other = await setUp({ boxes: 1, moves: 6 });
  const [box = 0] = other.boxes;
  await other.arrive(other.hours.map((hour) => ({ assetId: box, location: other.locationOf(hour), hour })));
  expect(await own.manager.containers.suggestions({ container_id: own.cart })).toEqual({ data: [] });
  await expect(own.manager.containers.suggestions({ container_id: other.cart })).rejects.toThrow('Asset not found');
});
