import { expect, it } from 'vitest';
import { removeUnusedImages } from '../../../../server/things/images/queries.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

/** An image that was uploaded and belongs to nothing yet. */
async function image({ orgId }: ScanOrganization, kind = 'photo'): Promise<number> {
  const bytes = Buffer.from('webp');
  const { id } = await world.db.image.create({
    data: { orgId, kind, width: 40, height: 30, content: bytes, thumbnail: bytes, etag: 'e', storedBytes: 8 },
  });
  return id;
}

const images = ({ orgId }: ScanOrganization) => world.db.image.count({ where: { orgId } });

it('are added, listed, noted in the activity log and removed, and can be added again where they were for an hour', async () => {
  const org = await world.organization();
  const [manager, viewer] = [await org.as('manager'), await org.as('viewer')];
  const asset = await org.asset();
  const [one, two] = [await image(org), await image(org)];
  await manager.assets.addPhoto({ asset_id: asset, image_id: one });
  const { data } = await manager.assets.addPhoto({ asset_id: asset, image_id: two });
  expect(data).toEqual([one, two].map((id) => ({ image_id: id, width: 40, height: 30, added_at: expect.any(String) })));
  expect(await viewer.assets.photos({ asset_id: asset })).toEqual({ data });
  await manager.assets.removePhoto({ asset_id: asset, image_id: one });
  expect((await viewer.assets.photos({ asset_id: asset })).data).toMatchObject([{ image_id: two }]);
  await removeUnusedImages(world.db);
  expect((await manager.assets.addPhoto({ asset_id: asset, image_id: one })).data).toEqual(data);
  await manager.assets.removePhoto({ asset_id: asset, image_id: one });
  await world.db.image.update({ where: { id: one }, data: { detachedAt: new Date(Date.now() - 3_601_000) } });
  await removeUnusedImages(world.db);
  expect(await images(org)).toBe(1);
  const { data: entries } = await manager.activity.list({ kind: 'asset', object_id: String(asset) });
  const updates = entries.filter(({ action }) => action === 'updated');
  expect(updates.map(({ before, after }) => [before['photos'], after['photos']])).toEqual([
    [2, 1],
    [1, 2],
    [2, 1],
    [1, 2],
    [0, 1],
  ]);
  expect(await refusalOf(manager.assets.removePhoto({ asset_id: asset, image_id: one }))).toMatchObject({
    type: 'not_found',
  });
});

it('belong to one asset of one organization, and are changed by managers', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  const [asset, second, theirs] = [await org.asset(), await org.asset(), await other.asset()];
  const [own, foreign, plan] = [await image(org), await image(other), await image(org, 'plan')];
  const add = (assetId: number, imageId: number, caller = org.admin) =>
    caller.assets.addPhoto({ asset_id: assetId, image_id: imageId });
  await add(asset, own);
  for (const id of [own, foreign, plan, 999_999]) {
    expect(await refusalOf(add(second, id))).toMatchObject({ fields: [{ field: 'image_id', code: 'fk_not_found' }] });
  }
  expect(await refusalOf(add(theirs, await image(org)))).toMatchObject({ type: 'not_found' });
  expect(await refusalOf(other.admin.assets.photos({ asset_id: asset }))).toMatchObject({ type: 'not_found' });
  expect(await refusalOf(other.admin.assets.removePhoto({ asset_id: asset, image_id: own }))).toMatchObject({
    type: 'not_found',
  });
  const operator = await org.as('operator');
  expect(await refusalOf(add(asset, await image(org), operator))).toMatchObject({ type: 'forbidden' });
  expect(await refusalOf(operator.assets.removePhoto({ asset_id: asset, image_id: own }))).toMatchObject({
    type: 'forbidden',
  });
});

it('are ten of one asset at most, also when they come at once', async () => {
  const org = await world.organization();
  const asset = await org.asset();
  const ids = await Promise.all(Array.from({ length: 12 }, () => image(org)));
  const added = await Promise.allSettled(ids.map((id) => org.admin.assets.addPhoto({ asset_id: asset, image_id: id })));
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect((await org.admin.assets.photos({ asset_id: asset })).data).toHaveLength(10);
});
