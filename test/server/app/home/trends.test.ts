import { expect, test } from 'vitest';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const hourMs = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

async function trendsOf(org: ScanOrganization, dayBeganHoursAgo: number) {
  const viewer = await org.as('viewer');
  return viewer.home.trends({ day_start: hoursAgo(dayBeganHoursAgo).toISOString() });
}

test('the figures are compared with the figures of the day before', async () => {
  const org = await world.organization();
  const { db } = world;
  const [young, old, gone] = [await org.asset(), await org.asset(), await org.asset()];
  await db.asset.update({ where: { id: old }, data: { createdAt: hoursAgo(25) } });
  await db.asset.update({ where: { id: gone }, data: { createdAt: hoursAgo(50) } });
  await org.deleteAsset(gone);
  const visit = (assetId: number, arrivedHoursAgo: number) =>
    db.assetVisit.create({
      data: {
        orgId: org.orgId,
        assetId,
        arrivedAt: hoursAgo(arrivedHoursAgo),
        leftAt: hoursAgo(arrivedHoursAgo - 0.5),
        lastSeenAt: hoursAgo(arrivedHoursAgo - 0.5),
      },
    });
  // The day began eight hours ago, so yesterday's first eight hours were 32 to 24 hours ago.
  for (const hours of [33, 31, 30, 25, 23, 2]) await visit(old, hours);
  await visit(young, 26);
  expect(await trendsOf(org, 8)).toEqual({
    assets_added: 1,
    assets_removed: 1,
    moved_yesterday: 2,
    alerts_opened: 0,
    alerts_opened_before: 0,
  });
});

test('nothing of another organization is counted', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  await other.asset();
  expect(await trendsOf(org, 8)).toMatchObject({ assets_added: 0, assets_removed: 0, moved_yesterday: 0 });
});

test('a move says where the asset was before', async () => {
  const org = await world.organization();
  const [dock, shelf] = [await org.location({ name: 'Dock' }), await org.location()];
  const asset = await org.asset({ tags: [['rfid', 'E28044']] });
  const [gate, rack] = [await org.reader({ location_id: dock }), await org.reader({ location_id: shelf })];
  await org.admin.readers.sendTestRead({ id: gate.id, asset_id: asset });
  expect(await org.admin.home.moves()).toMatchObject([{ location_id: dock, from_location_id: null }]);
  await org.admin.readers.sendTestRead({ id: rack.id, asset_id: asset });
  expect(await org.admin.home.moves()).toMatchObject([
    { location_id: shelf, from_location_id: dock, from_location_name: 'Dock' },
  ]);
});
