import { expect, it } from 'vitest';
import { contentsMax } from '../../server/kernel/database/containers.js';
import { createHospital } from '../server/tracking/containers/hospital.js';
import { query } from '../support/postgres.js';
import { sharedScanWorld } from '../support/scan-world.js';

// Nobody sees what was deleted, so it may keep nothing out of a container.

const world = await sharedScanWorld();

it('a container that was full of assets that are deleted now holds others', async () => {
  const { org, operator, putIn, inside, cart, boxes } = await createHospital(world);
  const [first = 0, second = 0, third = 0] = boxes;
  await putIn(cart, first);
  await query(
    world.databaseUrl,
    `WITH made AS (
       INSERT INTO assets (org_id, external_key, name, is_active, valid_from, created_at, updated_at, deleted_at)
       SELECT ${org.orgId}, 'FILLING-' || n, 'Filling', true, now(), now(), now(), now() FROM generate_series(1, ${contentsMax - 1}) n
       RETURNING id
     )
     INSERT INTO asset_containments (org_id, asset_id, container_id, since)
     SELECT ${org.orgId}, id, ${cart}, now() - interval '1 hour' FROM made`,
  );
  expect(await putIn(cart, second, third)).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  expect(await inside(cart)).toEqual(['Box 1', 'Box 2', 'Box 3']);
  const [open] = await query<{ count: number }>(
    world.databaseUrl,
    `SELECT count(*)::int AS count FROM asset_containments WHERE org_id = ${org.orgId} AND until IS NULL`,
  );
  expect(open?.count).toBe(3);
  expect((await operator.containers.summary({ asset_id: cart })).count).toBe(3);
});

it('a deleted container between two others is no level', async () => {
  const { org, putIn, inside, cart, boxes } = await createHospital(world, { boxes: 6 });
  const [outer = 0, middle = 0, inner = 0, one = 0, two = 0, three = 0] = boxes;
  await putIn(outer, middle);
  await putIn(middle, inner);
  await putIn(two, one);
  await putIn(three, two);
  await putIn(cart, three);
  await org.admin.assets.delete({ asset_id: middle });
  // Three levels above, and nothing but a deleted asset in it.
  expect(await putIn(one, outer)).toMatchObject([{ status: 'done' }]);
  await org.admin.trash.restore({ asset_ids: [middle] });
  expect([await inside(one), await inside(outer), await inside(middle)]).toEqual([['Box 1'], [], ['Box 3']]);
});
