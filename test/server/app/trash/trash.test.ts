import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { removePhotosOfDeletedAssets } from '../../../../server/things/assets/photo-queries.js';
import { removePlansOfDeletedLocations } from '../../../../server/tracking/floor-plans/queries.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { addImage, createHall, outline } from '../../tracking/floor-plans/hall.js';

// What was deleted in the last 30 days, and what comes back with it.

const world = await sharedScanWorld();

const restoreAsset = async (org: ScanOrganization, id: number) =>
  (await org.admin.trash.restore({ asset_ids: [id] })).results[0];

const restoreLocation = async (org: ScanOrganization, id: number) =>
  (await org.admin.trash.restore({ location_ids: [id] })).results[0];

/** Moves a deletion 31 days into the past. */
async function age(table: 'assets' | 'locations', id: number): Promise<void> {
  await world.db.$executeRawUnsafe(`UPDATE ${table} SET deleted_at = deleted_at - interval '31 days' WHERE id = ${id}`);
}

const actionsOf = async (org: ScanOrganization, kind: 'asset' | 'location', id: number) =>
  (await org.admin.activity.list({ kind, object_id: String(id) })).data.map(({ action }) => action);

it('brings an asset back under its id, with key, tags, custom details, photo and position', async () => {
  const org = await world.organization();
  const hall = await org.location({ name: 'Hall' });
  const { data: pump } = await org.admin.assets.create({
    name: 'Pump',
    metadata: { owner: 'Ada', big: 1e21 },
    tags: [
      { tag_type: 'rfid', value: 'E2801160' },
      { tag_type: 'barcode', value: '4006381333931' },
    ],
  });
  await org.admin.assets.addPhoto({ asset_id: pump.id, image_id: await addImage(world, org.orgId, 'photo') });
  await org.admin.scans.submit({ submission_id: ulid(), location_id: hall, reads: [{ asset_id: pump.id }] });
  const before = await org.admin.assets.detail({ asset_id: pump.id });
  const manager = await org.as('manager');
  await manager.assets.delete({ asset_id: pump.id });
  const now = new Date();
  const unknown = { orgId: org.orgId, tagType: 'rfid', value: 'E2801160', count: 1, firstSeen: now, lastSeen: now };
  await world.db.unknownTag.create({ data: unknown });
  await removePhotosOfDeletedAssets(world.db);

  const { data, next } = await manager.trash.list();
  expect(next).toBeNull();
  expect(data).toEqual([
    {
      kind: 'asset',
      id: pump.id,
      external_key: pump.external_key,
      name: 'Pump',
      deleted_at: expect.any(String),
      entry_point: 'app',
      actor: { kind: 'user', id: expect.any(String), name: 'manager' },
    },
  ]);
  expect(await restoreAsset(org, pump.id)).toEqual({
    kind: 'asset',
    id: pump.id,
    name: 'Pump',
    status: 'done',
    was_live: false,
  });

  const after = await org.admin.assets.detail({ asset_id: pump.id });
  expect({ ...after, updated_at: before.updated_at }).toEqual(before);
  expect(after.updated_at > before.updated_at).toBe(true);
  expect((await org.admin.assets.photos({ asset_id: pump.id })).data).toHaveLength(1);
  expect((await org.admin.assets.detailKeys()).keys).toEqual(['big', 'owner']);
  expect((await org.admin.locations.contents({ location_id: hall })).total_count).toBe(1);
  expect((await org.admin.assets.list({ external_key: [pump.external_key], sort: undefined })).total_count).toBe(1);
  expect(await world.db.unknownTag.count({ where: { orgId: org.orgId } })).toBe(0);
  expect(await actionsOf(org, 'asset', pump.id)).toEqual(['restored', 'deleted', 'updated', 'created']);
  expect((await manager.trash.list()).data).toEqual([]);
  // The key is taken again: a generated one is the next.
  expect((await org.admin.assets.create({ name: 'Other' })).data.external_key).toBe('ASSET-0002');
  expect(await restoreAsset(org, pump.id)).toMatchObject({ status: 'done' });
});

it('names the asset or location that has the key or a tag by now', async () => {
  const org = await world.organization();
  const tags = [{ tag_type: 'ble' as const, value: 'C3:00' }];
  const { data: first } = await org.admin.assets.create({ name: 'First', external_key: 'K-1', tags });
  await org.admin.assets.delete({ asset_id: first.id });
  const { data: second } = await org.admin.assets.create({ name: 'Second', external_key: 'K-1' });
  const { data: aisle } = await org.admin.locations.create({ name: 'Aisle', tags });
  const failed = { kind: 'asset', id: first.id, name: 'First', status: 'failed' };
  expect(await restoreAsset(org, first.id)).toEqual({
    ...failed,
    reason: 'key_taken',
    value: 'K-1',
    by: { kind: 'asset', id: second.id, name: 'Second' },
  });
  await org.admin.assets.rename({ asset_id: second.id, external_key: 'K-2' });
  expect(await restoreAsset(org, first.id)).toEqual({
    ...failed,
    reason: 'tag_taken',
    value: 'C3:00',
    by: { kind: 'location', id: aisle.id, name: 'Aisle' },
  });
  await org.admin.tags.removeFromLocation({ location_id: aisle.id, tag_id: aisle.tags[0]?.id ?? 0 });
  expect(await restoreAsset(org, first.id)).toMatchObject({ status: 'done' });
});

it('restores all of several assets that can be restored, and one of two with the same key', async () => {
  const org = await world.organization();
  const ids: number[] = [];
  for (const external_key of ['SAME', 'SAME', 'OTHER']) {
    const { data } = await org.admin.assets.create({ name: 'Thing', external_key });
    await org.admin.assets.delete({ asset_id: data.id });
    ids.push(data.id);
  }
  const [one = 0, two = 0, other = 0] = ids;
  const both = await Promise.all([restoreAsset(org, one), restoreAsset(org, two)]);
  expect(both.filter((result) => result?.status === 'done')).toHaveLength(1);
  const { results } = await org.admin.trash.restore({ asset_ids: [...ids, other] });
  expect(results.map(({ id, status }) => [id, status])).toEqual([
    [one, both[0]?.status],
    [two, both[1]?.status],
    [other, 'done'],
  ]);
});

it('restores a location below its parent, with its floor plan and its outline on the plan above', async () => {
  const { org, id: hall, north, shelf, updated_at } = await createHall(world);
  await org.admin.floorPlans.setShapes({
    location_id: hall,
    updated_at,
    shapes: [{ location_id: north, points: outline }],
  });
  await org.admin.floorPlans.set({
    location_id: shelf,
    image_id: await addImage(world, org.orgId),
    updated_at: null,
  });
  await org.admin.locations.delete({ location_id: shelf });
  await org.admin.locations.delete({ location_id: north });
  const plan = await org.admin.floorPlans.get({ location_id: hall });
  expect(plan?.shapes).toEqual([]);
  await org.admin.floorPlans.setShapes({ location_id: hall, updated_at: plan?.updated_at ?? '', shapes: [] });
  await removePlansOfDeletedLocations(world.db);

  const { data } = await org.admin.trash.list({ limit: 1 });
  expect(data.map(({ id }) => id)).toEqual([north]);
  expect(await restoreLocation(org, shelf)).toEqual({
    kind: 'location',
    id: shelf,
    name: 'Shelf',
    status: 'failed',
    reason: 'parent_deleted',
    by: { kind: 'location', id: north, name: 'North' },
  });
  const { results } = await org.admin.trash.restore({ location_ids: [north, shelf] });
  expect(results.map(({ status }) => status)).toEqual(['done', 'done']);
  expect((await org.admin.locations.get({ location_id: shelf })).data.parent_id).toBe(north);
  expect((await org.admin.floorPlans.get({ location_id: hall }))?.shapes.map(({ name }) => name)).toEqual(['North']);
  expect(await org.admin.floorPlans.get({ location_id: shelf })).not.toBeNull();
  expect(await actionsOf(org, 'location', north)).toEqual(['restored', 'deleted', 'created']);
});

it('keeps what was deleted for 30 days, and photos and floor plans as long', async () => {
  const org = await world.organization();
  const [asset, location] = [await org.asset(), await org.location()];
  await org.admin.assets.addPhoto({ asset_id: asset, image_id: await addImage(world, org.orgId, 'photo') });
  const image = await addImage(world, org.orgId);
  await org.admin.floorPlans.set({ location_id: location, image_id: image, updated_at: null });
  await org.admin.assets.delete({ asset_id: asset });
  await org.admin.locations.delete({ location_id: location });
  const images = () => world.db.image.count({ where: { orgId: org.orgId } });
  await age('assets', asset);
  await removePhotosOfDeletedAssets(world.db);
  expect(await images()).toBe(1);
  await age('locations', location);
  await removePlansOfDeletedLocations(world.db);
  expect(await images()).toBe(0);
  expect((await org.admin.trash.list()).data).toEqual([]);
  expect(await restoreAsset(org, asset)).toMatchObject({ status: 'failed', reason: 'gone' });
  expect(await restoreLocation(org, location)).toMatchObject({ status: 'failed', reason: 'gone' });
});

it('lists both kinds page by page, for managers of the organization alone', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  const wanted: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const [asset, location] = [await org.asset(), await org.location()];
    await org.admin.assets.delete({ asset_id: asset });
    await org.admin.locations.delete({ location_id: location });
    wanted.unshift(`location ${location}`, `asset ${asset}`);
  }
  // Of one instant, each is on one page.
  await world.db.$executeRaw`UPDATE assets SET deleted_at = date_trunc('day', now()) WHERE org_id = ${org.orgId}`;
  await world.db.$executeRaw`UPDATE locations SET deleted_at = date_trunc('day', now()) WHERE org_id = ${org.orgId}`;
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, next } = await org.admin.trash.list({ limit: 2, ...(cursor !== undefined && { cursor }) });
    found.push(...data.map(({ kind, id }) => `${kind} ${id}`));
    if (next === null) break;
    cursor = next;
  }
  expect(found.toSorted()).toEqual(wanted.toSorted());

  const asset = Number(wanted[1]?.slice('asset '.length));
  expect((await other.admin.trash.list()).data).toEqual([]);
  expect(await restoreAsset(other, asset)).toMatchObject({ reason: 'gone' });
  const operator = await org.as('operator');
  expect(await refusalOf(operator.trash.list())).toMatchObject({ type: 'forbidden' });
  expect(await refusalOf(operator.trash.restore({ asset_ids: [asset] }))).toMatchObject({ type: 'forbidden' });
});
