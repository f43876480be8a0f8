import { expect, test } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const asset = (name: string, value: string) => ({ name, tag_type: 'rfid' as const, value });

test('many assets are created in one transaction, each with its tag and a key', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const { assets } = await manager.assets.createMany({ assets: [asset('Two', 'BB'), asset('One', 'AA')] });
  expect(assets.map(({ name }) => name)).toEqual(['Two', 'One']);
  const stored = await Promise.all(assets.map(({ id }) => manager.assets.get({ asset_id: id })));
  expect(stored.map(({ data }) => data.tags.map(({ value }) => value))).toEqual([['BB'], ['AA']]);
  expect(new Set(assets.map(({ external_key: key }) => key)).size).toBe(2);
});

test('if one of the tags is taken or given twice, no asset is created', async () => {
  const org = await world.organization();
  await org.asset({ tags: [['rfid', 'TAKEN']] });
  const { createMany } = org.admin.assets;
  await expect(createMany({ assets: [asset('A', 'FREE'), asset('B', 'TAKEN')] })).rejects.toThrow(
    'tag rfid:TAKEN already exists',
  );
  await expect(createMany({ assets: [asset('A', 'FREE'), asset('B', 'FREE')] })).rejects.toThrow(
    'tag rfid:FREE already exists',
  );
  expect(await world.db.asset.count({ where: { orgId: org.orgId } })).toBe(1);
});

test('two requests with the same tags in other orders end with one of them', async () => {
  const org = await world.organization();
  const values = Array.from({ length: 20 }, (_, index) => `TAG-${index}`);
  const both = await Promise.allSettled(
    [values, values.toReversed()].map((given) =>
      org.admin.assets.createMany({ assets: given.map((value) => asset(value, value)) }),
    ),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await world.db.asset.count({ where: { orgId: org.orgId } })).toBe(20);
});
