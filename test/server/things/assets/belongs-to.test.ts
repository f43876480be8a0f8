import { setTimeout } from 'node:timers/promises';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { query } from '../../../support/postgres.js';
import { type AppCaller, sharedScanWorld } from '../../../support/scan-world.js';
import { checkFile, importFile, problemsOf } from '../../app/imports/import-file.js';
import { undoBatch, undoChange } from '../../../support/undo.js';

// An asset belongs to a location, and is away while it is known to be neither there nor below it.

const world = await sharedScanWorld();

/** A hospital with an ICU that has a store, a ward, and a pump that belongs to the ICU. */
async function hospital() {
  const org = await world.organization();
  const [viewer, manager] = [await org.as('viewer'), await org.as('manager')];
  const site = await org.location({ name: 'Hospital', externalKey: 'SITE' });
  const icu = await org.location({ name: 'ICU', externalKey: 'ICU', parentId: site });
  const store = await org.location({ name: 'Store', externalKey: 'ICU-STORE', parentId: icu });
  const ward = await org.location({ name: 'Ward 3A', externalKey: 'WARD', parentId: site });
  const pump = await org.asset({ name: 'Pump', externalKey: 'PUMP' });
  const setTo = (assetId: number, locationId: number | null) =>
    manager.assets.setBelongsTo({ asset_id: assetId, belongs_to_id: locationId });
  const move = (assetId: number, locationId: number) =>
    org.admin.scans.submit({ submission_id: ulid(), location_id: locationId, reads: [{ asset_id: assetId }] });
  await setTo(pump, icu);
  return { org, viewer, manager, site, icu, store, ward, pump, setTo, move };
}

const namesOf = async (caller: AppCaller, filter: Partial<Parameters<AppCaller['assets']['table']>[0]>) =>
  (await caller.assets.table({ sort: undefined, ...filter })).data.map(({ name }) => name);

it('is away at another location, and at home where it belongs and below', async () => {
  const { viewer, icu, store, ward, site, pump, move } = await hospital();
  const stateOf = async () => {
    const { is_away: isAway, belongs_to: belongsTo } = await viewer.assets.detail({ asset_id: pump });
    const [row] = (await viewer.assets.table({ sort: undefined, away: true })).data;
    const { away_assets: away } = await viewer.home.summary({ day_start: new Date().toISOString() });
    expect(belongsTo).toMatchObject({ id: icu, name: 'ICU', path: [{ name: 'Hospital' }, { name: 'ICU' }] });
    expect([row?.is_away ?? false, away.count]).toEqual([isAway, isAway ? 1 : 0]);
    return isAway;
  };
  expect(await stateOf()).toBe(false);
  await move(pump, ward);
  expect(await stateOf()).toBe(true);
  await move(pump, store);
  expect(await stateOf()).toBe(false);
  // Above the location is not at home.
  await move(pump, site);
  expect(await stateOf()).toBe(true);
  await move(pump, icu);
  expect(await stateOf()).toBe(false);
});

it('follows the tree, and what it belongs to, without being read again', async () => {
  const { org, viewer, icu, ward, site, pump, setTo, move } = await hospital();
  await move(pump, ward);
  expect(await namesOf(viewer, { away: true })).toEqual(['Pump']);
  await org.admin.locations.update({ location_id: ward, parent_id: icu });
  expect(await namesOf(viewer, { away: true })).toEqual([]);
  await org.admin.locations.update({ location_id: ward, parent_id: site });
  expect(await namesOf(viewer, { away: true })).toEqual(['Pump']);
  await setTo(pump, ward);
  expect(await namesOf(viewer, { away: true })).toEqual([]);
  await setTo(pump, icu);
  await org.admin.assets.delete({ asset_id: pump });
  expect(await namesOf(viewer, { away: true })).toEqual([]);
  await org.admin.trash.restore({ asset_ids: [pump] });
  expect(await namesOf(viewer, { away: true })).toEqual(['Pump']);
  await setTo(pump, null);
  expect(await namesOf(viewer, { away: true })).toEqual([]);
});

it('is found by where it belongs, together with other filters and in exports', async () => {
  const { org, viewer, icu, store, site, ward, pump, setTo, move } = await hospital();
  const bed = await org.asset({ name: 'Bed', externalKey: 'BED' });
  await setTo(bed, store);
  await move(pump, ward);
  await move(bed, store);
  expect(await namesOf(viewer, { belongs_to_id: icu, sort: 'name' })).toEqual(['Bed', 'Pump']);
  expect(await namesOf(viewer, { belongs_to_id: store })).toEqual(['Bed']);
  expect(await namesOf(viewer, { belongs_to_id: site, away: true, location_id: ward, q: 'pump' })).toEqual(['Pump']);
  expect(await namesOf(viewer, { belongs_to_id: icu, away: true, location_id: icu })).toEqual([]);
  const exported = await viewer.assets.exportPage({ away: true });
  expect(exported.data).toMatchObject([{ name: 'Pump', belongs_to_external_key: 'ICU' }]);
  expect(await refusalOf(viewer.assets.table({ sort: undefined, belongs_to_id: 2_000_000_000 }))).toMatchObject({
    type: 'not_found',
  });
});

it('lets the location be deleted as before, belongs to none meanwhile, and to it again once it is restored', async () => {
  const { viewer, manager, icu, store, ward, pump, move, org } = await hospital();
  await move(pump, ward);
  const version = async () => (await viewer.assets.get({ asset_id: pump })).data.updated_at;
  const before = await version();
  await org.admin.locations.delete({ location_id: store });
  await org.admin.locations.delete({ location_id: icu });
  expect(await viewer.assets.detail({ asset_id: pump })).toMatchObject({
    is_away: false,
    belongs_to: { name: 'ICU', is_deleted: true },
  });
  expect(await namesOf(viewer, { away: true })).toEqual([]);
  expect((await viewer.assets.exportPage({})).data).toMatchObject([{ belongs_to_external_key: null }]);
  await manager.trash.restore({ location_ids: [icu] });
  expect(await viewer.assets.detail({ asset_id: pump })).toMatchObject({ is_away: true, belongs_to: { id: icu } });
  expect(await namesOf(viewer, { away: true })).toEqual(['Pump']);
  expect(await version()).toBe(before);
});

it('is said in audits of other locations, and of values that are scanned', async () => {
  const { org, manager, viewer, icu, ward, pump, move } = await hospital();
  await manager.tags.addToAsset({ asset_id: pump, tag_type: 'barcode', value: 'PUMP-1' });
  const expectedAt = async (locationId: number) =>
    (await viewer.locations.expected({ location_id: locationId })).assets.map(({ name, belongs_to }) => [
      name,
      belongs_to,
    ]);
  await move(pump, ward);
  expect(await expectedAt(ward)).toEqual([['Pump', 'ICU']]);
  const [scanned] = await viewer.scans.resolve({ values: ['PUMP-1'] });
  expect(scanned?.matches).toMatchObject([{ where: { name: 'Ward 3A' }, belongs_to: 'ICU' }]);
  await move(pump, icu);
  expect(await expectedAt(icu)).toEqual([['Pump', null]]);
  await org.admin.locations.update({ location_id: ward, parent_id: icu });
  await move(pump, ward);
  expect(await expectedAt(ward)).toEqual([['Pump', null]]);
});

it('is logged by name, can be undone, and is no part of the public view', async () => {
  const { org, viewer, manager, icu, ward, pump, setTo } = await hospital();
  await setTo(pump, ward);
  const [entry] = (await manager.activity.list({ kind: 'asset', object_id: String(pump) })).data;
  expect(entry).toMatchObject({
    action: 'updated',
    before: { belongs_to: 'ICU (ICU)' },
    after: { belongs_to: 'Ward 3A (WARD)' },
  });
  expect(await undoChange(manager, entry)).toEqual({ status: 'done' });
  expect((await viewer.assets.detail({ asset_id: pump })).belongs_to).toMatchObject({ id: icu });
  expect(Object.keys((await viewer.assets.get({ asset_id: pump })).data).filter((key) => /belong/.test(key))).toEqual(
    [],
  );
  expect(await refusalOf(org.admin.assets.update({ asset_id: pump, belongs_to_id: ward } as never))).toMatchObject({
    type: 'validation_error',
  });
});

it('is changed by a bulk edit, which can be undone, and given to a new asset', async () => {
  const { org, manager, viewer, icu, ward, pump } = await hospital();
  const bed = await org.asset({ name: 'Bed', externalKey: 'BED' });
  const changes = { ids: [pump, bed], belongs_to_id: ward };
  expect((await manager.bulkEdits.preview(changes)).data).toMatchObject([
    { name: 'Bed', before: { belongs_to: null }, after: { belongs_to: 'Ward 3A (WARD)' } },
    { name: 'Pump', before: { belongs_to: 'ICU (ICU)' }, after: { belongs_to: 'Ward 3A (WARD)' } },
  ]);
  const { batch_id: id, changed_count: changed } = await manager.bulkEdits.edit(changes);
  expect(changed).toBe(2);
  expect(await namesOf(viewer, { belongs_to_id: ward, sort: 'name' })).toEqual(['Bed', 'Pump']);
  await undoBatch(manager, id);
  expect(await namesOf(viewer, { belongs_to_id: icu })).toEqual(['Pump']);
  const { data: made } = await manager.assets.createInApp({ name: 'Scale', kind_id: null, belongs_to_id: icu });
  expect((await viewer.assets.detail({ asset_id: made.id })).belongs_to).toMatchObject({ id: icu });
});

it('is imported by key, name or path, and an export imports again unchanged', async () => {
  const { manager, viewer, icu, ward, pump, org } = await hospital();
  const columns = ['external_key', 'name', 'belongs_to_external_key'];
  const rows = [
    ['PUMP', 'Pump', 'ward 3a'],
    ['BED', 'Bed', 'Hospital › ICU'],
    ['SCALE', 'Scale', 'WARD'],
    ['CUFF', 'Cuff', ''],
  ];
  expect(await importFile(manager, { columns, rows })).toMatchObject({ status: 'applied', to_create: 3, to_change: 1 });
  expect(await namesOf(viewer, { belongs_to_id: ward, sort: 'name' })).toEqual(['Pump', 'Scale']);
  expect(await namesOf(viewer, { belongs_to_id: icu })).toEqual(['Bed']);
  const { data } = await viewer.assets.exportPage({});
  const exported = data.map((row) => [row.external_key, row.name, row.belongs_to_external_key ?? '']);
  expect(await checkFile(manager, { columns, rows: exported })).toMatchObject({ unchanged: 4, problem_count: 0 });
  // An asset of a deleted location is exported without it.
  await org.admin.locations.delete({ location_id: ward });
  const again = (await viewer.assets.exportPage({})).data;
  const withoutWard = again.map((row) => [row.external_key, row.name, row.belongs_to_external_key ?? '']);
  expect(await checkFile(manager, { columns, rows: withoutWard })).toMatchObject({ unchanged: 4, problem_count: 0 });

  await org.location({ name: 'Twin', externalKey: 'TWIN-1' });
  await org.location({ name: 'Twin', externalKey: 'TWIN-2' });
  const wrong = await checkFile(manager, {
    columns,
    rows: [
      ['PUMP', 'Pump', 'Nowhere'],
      ['BED', 'Bed', 'Twin'],
    ],
  });
  expect(await problemsOf(manager, wrong)).toEqual([
    '2 belongs_to_external_key: belongs_to_external_key "Nowhere" is no location',
    '3 belongs_to_external_key: belongs_to_external_key "Twin" is the name of 2 locations; write the key of one',
  ]);
  expect((await viewer.assets.detail({ asset_id: pump })).belongs_to).toMatchObject({ id: ward, is_deleted: true });
});

it('is kept with the first position of an asset that is read while this changes', async () => {
  const { org, viewer, icu, ward } = await hospital();
  const bed = await org.asset({ name: 'Bed', tags: [['rfid', 'BED']] });
  const reader = await org.reader({ location_id: ward });
  const read = { tagType: 'rfid', value: 'BED', antenna: 1, rssiDbm: -57, observedAtMs: Date.now() } as const;
  const content = { kind: 'reads', reads: [read] } as const;
  const { moved } = await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE assets SET belongs_to_id = ${icu} WHERE id = ${bed}`;
    const first = world.core.ingestion.ingest({ orgId: org.orgId, readerId: reader.id, topic: 'reads', content });
    // It must not be stored before the change is.
    const isStored = await Promise.race([first.then(() => true), setTimeout(500, false)]);
    expect(isStored).toBe(false);
    return { moved: first };
  });
  await moved;
  expect(await namesOf(viewer, { away: true })).toEqual(['Bed']);
});

it('is of one organization', async () => {
  const { icu, pump, manager } = await hospital();
  const other = await hospital();
  for (const call of [
    () => other.setTo(other.pump, icu),
    () => other.manager.bulkEdits.edit({ ids: [other.pump], belongs_to_id: icu }),
    () => other.manager.assets.createInApp({ name: 'Scale', kind_id: null, belongs_to_id: icu }),
  ]) {
    expect(await refusalOf(call())).toMatchObject({
      type: 'validation_error',
      fields: [{ field: 'belongs_to_id', code: 'fk_not_found' }],
    });
  }
  expect(await refusalOf(other.setTo(pump, null))).toMatchObject({ type: 'not_found' });
  expect((await manager.assets.detail({ asset_id: pump })).belongs_to).toMatchObject({ id: icu });
  const crossing = query(world.databaseUrl, `UPDATE assets SET belongs_to_id = ${icu} WHERE id = ${other.pump}`);
  await expect(crossing).rejects.toThrow('assets_org_id_belongs_to_id_fkey');
});
