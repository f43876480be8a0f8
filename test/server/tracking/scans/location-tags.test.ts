import { expect, test } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

test('the list has each tag of each location, locations without tags and containers, and comes again only after a change', async () => {
  const org = await world.organization();
  const other = await world.organization();
  await other.location({ name: 'Elsewhere', tags: [['barcode', 'LOC-ELSEWHERE']] });
  const bare = await org.location({ name: 'Corridor', externalKey: 'CORRIDOR' });
  const ward = await org.location({
    name: 'Ward 3A',
    externalKey: 'WARD-3A',
    tags: [
      ['barcode', 'LOC-3A'],
      ['rfid', 'E280AA'],
    ],
  });
  await org.asset({ tags: [['rfid', 'E280BB']] });
  const cart = await org.asset({ name: 'Cart 7', externalKey: 'CART-7', tags: [['barcode', 'CART-7']] });
  const kind = { name: 'Cart', icon: 'truck', color: 'blue', image_id: null, holds_assets: true } as const;
  const { id: kindId } = await org.admin.assetKinds.create(kind);
  await org.admin.assetKinds.setOfAsset({ asset_id: cart, kind_id: kindId });
  await org.deleteLocation(await org.location({ name: 'Gone', tags: [['barcode', 'LOC-GONE']] }));
  const operator = await org.as('operator');
  const first = await operator.scans.locationTags({});
  const ofWard = { is_container: false, id: ward, name: 'Ward 3A', external_key: 'WARD-3A', is_active: true };
  expect(first.tags).toEqual([
    { ...ofWard, tag_type: 'barcode', value: 'LOC-3A' },
    { ...ofWard, tag_type: 'rfid', value: 'E280AA' },
    { ...ofWard, id: bare, name: 'Corridor', external_key: 'CORRIDOR', tag_type: null, value: null },
    {
      ...ofWard,
      is_container: true,
      id: cart,
      name: 'Cart 7',
      external_key: 'CART-7',
      tag_type: 'barcode',
      value: 'CART-7',
    },
  ]);
  const { version } = first;
  expect(await operator.scans.locationTags({ version })).toEqual({ version, tags: null, next: null });

  await world.db.location.update({ where: { id: bare }, data: { name: 'Corridor 2' } });
  const renamed = await operator.scans.locationTags({ version });
  expect(renamed.version).not.toBe(version);
  expect(renamed.tags?.map(({ name }) => name)).toEqual(['Ward 3A', 'Ward 3A', 'Corridor 2', 'Cart 7']);
});

test('without locations, the list is empty and has a version too; viewers do not scan, and get none', async () => {
  const org = await world.organization();
  const operator = await org.as('operator');
  const { version, tags } = await operator.scans.locationTags({});
  expect(tags).toEqual([]);
  expect(await operator.scans.locationTags({ version })).toEqual({ version, tags: null, next: null });
  const viewer = await org.as('viewer');
  expect(await refusalOf(viewer.scans.locationTags({}))).toMatchObject({ type: 'forbidden' });
});

test('a list of very long names comes in several answers, each within the limit of an answer', async () => {
  const org = await world.organization();
  const count = 6000;
  const now = new Date();
  await world.db.location.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      orgId: org.orgId,
      externalKey: `L-${n}`,
      name: `${n} ${'\u{1F4E6}'.repeat(240)}`,
      validFrom: now,
      createdAt: now,
      updatedAt: now,
    })),
  });
  const operator = await org.as('operator');
  const sizes: number[] = [];
  const ids = new Set<number>();
  let from: number | null = 0;
  while (from !== null) {
    const page: Awaited<ReturnType<typeof operator.scans.locationTags>> = await operator.scans.locationTags({ from });
    sizes.push(Buffer.byteLength(JSON.stringify(page.tags)));
    for (const { id } of page.tags ?? []) ids.add(id);
    from = page.next;
  }
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(5_000_000);
  expect(ids.size).toBe(count);
});
