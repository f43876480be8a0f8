import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { removeOldPlacements } from '../../../../server/tracking/scans/placement-queries.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { checkFile, settled } from '../../app/imports/import-file.js';

// Assets that were placed without a scan: set by hand in the app, or by an import. They hold their location as after a scan, and
// were not seen.

const world = await sharedScanWorld();

const dayMs = 86_400_000;
const startOfDay = () => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

async function setUp() {
  const org = await world.organization();
  const manager = await org.as('manager');
  const { user } = await world.db.membership.findFirstOrThrow({
    where: { orgId: org.orgId, role: 'manager' },
    include: { user: true },
  });
  const ward = await org.location({ name: 'Ward', externalKey: 'WARD' });
  const store = await org.location({ name: 'Store', externalKey: 'STORE' });
  const pump = await org.asset({ name: 'Pump', externalKey: 'PUMP', tags: [['rfid', 'E280AA']] });
  const submit = (given: Partial<Parameters<typeof manager.scans.submit>[0]>) =>
    manager.scans.submit({ submission_id: ulid(), location_id: ward, reads: [{ asset_id: pump }], ...given });
  const file = async (place: string) => {
    const { id } = await checkFile(manager, {
      columns: ['external_key', 'name', 'place_at'],
      rows: [['PUMP', 'Pump', place]],
    });
    await manager.imports.applyFile({ import_id: id, despite_warnings: true });
    expect((await settled(manager, id)).status).toBe('applied');
  };
  const figures = async () => (await manager.home.summary({ day_start: startOfDay() })).assets;
  const found = async (filter: Partial<Parameters<typeof manager.assets.table>[0]>) =>
    (await manager.assets.table({ sort: undefined, ...filter })).total_count;
  return { org, manager, name: user.name, ward, store, pump, submit, file, figures, found };
}

const words = [
  ['by hand', null],
  ['by an import', 'things.csv'],
] as const;

test.each(words)('an asset that was placed %s is shown as placed, never as seen', async (_, fileName) => {
  const { manager, name, ward, pump, submit, file, figures, found } = await setUp();
  if (fileName === null) await submit({ is_by_hand: true });
  else await file('WARD');
  const placement = { by: name, file_name: fileName, seen_before: null, container: null, with_contents: false };

  const { position } = await manager.assets.detail({ asset_id: pump });
  expect(position).toMatchObject({ location: { id: ward }, reader: null, placement });
  expect((await manager.assets.table({ sort: undefined })).data[0]).toMatchObject({
    location: { id: ward },
    placement,
  });
  expect((await manager.locations.contents({ location_id: ward })).data[0]).toMatchObject({ id: pump, placement });
  expect((await manager.assets.visits({ asset_id: pump })).data).toMatchObject([{ location: { id: ward }, placement }]);
  expect((await manager.home.moves())[0]).toMatchObject({ asset_id: pump, placement });
  expect((await manager.search.everything({ q: 'Pump' })).assets[0]).toMatchObject({ id: pump, placement });
  expect((await manager.assets.exportPage({})).data[0]).toMatchObject({
    asset_last_seen: null,
    location_external_key: 'WARD',
  });

  // The word holds, as a scan does, without a confidence that nothing has measured.
  expect(await manager.assets.evidence({ asset_id: pump })).toMatchObject({
    location_id: ward,
    confidence: null,
    placement,
    is_held_by_scan: true,
  });

  expect(await figures()).toMatchObject({ total: 1, seen: 0, seen_24h: 0, moved_today: 0, unseen_for_days: 1 });
  expect(await found({ seen: true })).toBe(0);
  expect(await found({ seen: false })).toBe(1);
  expect(await found({ seen: false, location_id: ward })).toBe(1);
  expect(await found({ unseen_days: 7 })).toBe(1);
  expect(await found({ moved_since: startOfDay() })).toBe(0);
  expect(await found({ sort: '-asset_last_seen' })).toBe(0);
  const { data } = await manager.reports.unseen({ days: 7 });
  expect(data).toMatchObject([{ id: pump, last_seen: null, location: { id: ward } }]);
});

test.each(words)('what was seen before an asset was placed %s counts, and a scan after it', async (_, fileName) => {
  const { org, manager, ward, store, pump, submit, file, figures, found } = await setUp();
  const seenAt = ago(10);
  await submit({ observed_at: seenAt });
  if (fileName === null) await submit({ is_by_hand: true, location_id: store });
  else await file('STORE');
  // A second placement does not count as a sighting for the next one.
  await submit({ is_by_hand: true, location_id: ward });
  await file('STORE');

  expect((await manager.assets.detail({ asset_id: pump })).position?.placement?.seen_before).toBe(seenAt);
  expect((await manager.assets.exportPage({})).data[0]?.asset_last_seen).toBe(seenAt);
  expect((await manager.reports.unseen({ days: 7 })).data).toMatchObject([{ id: pump, last_seen: seenAt }]);
  expect((await manager.reports.unseen({ days: 11 })).data).toEqual([]);
  expect(await figures()).toMatchObject({ seen: 1, seen_24h: 0, moved_today: 0, unseen_for_days: 1 });
  expect([await found({ seen: true }), await found({ unseen_days: 7 }), await found({ unseen_days: 11 })]).toEqual([
    1, 1, 0,
  ]);
  expect(await found({ unseen_days: 7, sort: '-asset_last_seen' })).toBe(1);
  const visits = (await manager.assets.visits({ asset_id: pump })).data;
  expect(visits.map(({ placement }) => placement?.file_name)).toEqual(['things.csv', null, fileName, undefined]);

  await submit({ location_id: store, reads: [{ value: 'E280AA' }] });
  expect((await manager.assets.detail({ asset_id: pump })).position?.placement).toBeNull();
  expect((await manager.assets.evidence({ asset_id: pump })).placement).toBeNull();
  // The figures are kept for a moment.
  await expect.poll(figures).toMatchObject({ seen: 1, seen_24h: 1, moved_today: 0, unseen_for_days: 0 });
  expect((await org.positions())[0]).toMatchObject({ asset_id: pump, location_id: store });
});

test.each(words)(
  'an asset that was placed %s has not moved, and nobody knows how long it stayed',
  async (_, fileName) => {
    const { org, ward, store, pump, submit, file } = await setUp();
    const range = { from: ago(30), until: new Date(Date.now() + dayMs).toISOString() };
    const moves = async () =>
      (await org.admin.reports.flow(range)).data.map(({ from, to, moves: n }) => [from?.id, to?.id, n]);
    const stays = async () =>
      (await org.admin.reports.dwell(range)).data.map(({ location, visits }) => [location.id, visits]);
    await submit({ observed_at: ago(10) });
    if (fileName === null) await submit({ is_by_hand: true, location_id: store });
    else await file('STORE');
    expect([await moves(), await stays()]).toEqual([[], []]);
    await submit({ location_id: ward, reads: [{ value: 'E280AA' }] });
    expect([await moves(), await stays()]).toEqual([[[store, ward, 1]], []]);
    await submit({ location_id: store, reads: [{ value: 'E280AA' }] });
    expect(await moves()).toEqual(
      expect.arrayContaining([
        [store, ward, 1],
        [ward, store, 1],
      ]),
    );
    expect(await stays()).toEqual([[ward, 1]]);

    // Where an asset was said to be counts as where it was.
    const { data } = await org.admin.reports.use({ asset_id: pump, ...range, time_zone: 'UTC' });
    expect(data.map(({ location }) => location?.id)).toEqual(expect.arrayContaining([ward, store]));
  },
);

test('the public report has the time of a placement, as the contract says', async () => {
  const { org, manager, pump, submit } = await setUp();
  await submit({ is_by_hand: true });
  const [position] = await org.positions();
  const { data } = await manager.reports.assetLocations({ sort: undefined });
  expect(data).toMatchObject([{ asset_last_seen: position?.at, location_external_key: 'WARD' }]);
  expect(data).toHaveLength(1);
  expect(pump).toBe(position?.asset_id);
});

test('an import counts as no check of the readers, and a location that is set by hand as no read', async () => {
  const { org, manager, submit, file } = await setUp();
  await submit({ is_by_hand: true });
  await file('STORE');
  expect(await world.db.locationCheck.count({ where: { orgId: org.orgId } })).toBe(0);
  expect(
    (await manager.home.summary({ day_start: startOfDay() })).reads.slots.reduce((sum, { reads }) => sum + reads, 0),
  ).toBe(0);
});

test('maintenance deletes placements that nothing refers to, after the retention of events', async () => {
  const { org, manager, ward, store, pump, submit } = await setUp();
  await submit({ is_by_hand: true });
  await submit({ is_by_hand: true, location_id: store });
  await submit({ is_by_hand: true, location_id: ward });
  const kept = () => world.db.assetPlacement.count({ where: { orgId: org.orgId } });
  await removeOldPlacements(world.db, 0);
  expect(await kept()).toBe(3);
  await world.db.assetVisit.deleteMany({ where: { assetId: pump, leftAt: { not: null } } });
  await removeOldPlacements(world.db, 30);
  expect(await kept()).toBe(3);
  await removeOldPlacements(world.db, 0);
  expect(await kept()).toBe(1);
  expect((await manager.assets.detail({ asset_id: pump })).position?.placement).not.toBeNull();
});
