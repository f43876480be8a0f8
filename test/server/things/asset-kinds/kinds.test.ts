import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { applyChecked, checkFile, problemsOf } from '../../app/imports/import-file.js';
import { undoBatch, undoChange } from '../../../support/undo.js';

// Kinds of assets, which the app alone knows; the public API neither shows nor accepts them.

const world = await sharedScanWorld();

const pumpKind = { name: 'Infusion pump', icon: 'droplet', color: 'teal' } as const;
const bedKind = { name: 'Bed', icon: 'bed', color: 'blue' } as const;

async function organization() {
  const org = await world.organization();
  const manager = await org.as('manager');
  const { id: pumps } = await manager.assetKinds.create(pumpKind);
  const { id: beds } = await manager.assetKinds.create(bedKind);
  return { org, manager, pumps, beds };
}

async function assetOf({ org, manager }: { org: ScanOrganization; manager: AppCaller }, name: string, kind?: number) {
  const id = await org.asset({ name });
  if (kind !== undefined) await manager.assetKinds.setOfAsset({ asset_id: id, kind_id: kind });
  return id;
}

type TableFilter = Partial<Parameters<AppCaller['assets']['table']>[0]>;

const tableOf = (caller: AppCaller, filter: TableFilter) => caller.assets.table({ sort: undefined, ...filter });

const namesOf = async (caller: AppCaller, filter: TableFilter) =>
  (await tableOf(caller, filter)).data.map(({ name }) => name);

const place = (caller: AppCaller, location: number, ...assets: number[]) =>
  caller.scans.submit({
    submission_id: ulid(),
    location_id: location,
    reads: assets.map((asset_id) => ({ asset_id })),
  });

it('are edited by managers, each name once whatever its case, also by two at the same time', async () => {
  const { org, manager, pumps } = await organization();
  expect((await (await org.as('viewer')).assetKinds.list()).data).toMatchObject([bedKind, pumpKind]);
  expect(await refusalOf((await org.as('operator')).assetKinds.create(bedKind))).toMatchObject({ type: 'forbidden' });
  const both = await Promise.allSettled([
    manager.assetKinds.create({ ...bedKind, name: 'Ventilator' }),
    manager.assetKinds.create({ ...bedKind, name: 'VENTILATOR' }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await refusalOf(manager.assetKinds.update({ ...pumpKind, id: pumps, name: 'bed' }))).toMatchObject({
    type: 'conflict',
  });
  await manager.assetKinds.update({ ...pumpKind, id: pumps, name: 'Syringe pump' });
  expect((await manager.activity.list({ kind: 'asset_kind', object_id: String(pumps) })).data[0]).toMatchObject({
    action: 'updated',
    before: { name: 'Infusion pump' },
    after: { name: 'Syringe pump' },
  });
  const stranger = await (await world.organization()).as('manager');
  expect(await refusalOf(stranger.assetKinds.update({ ...pumpKind, id: pumps }))).toMatchObject({ type: 'not_found' });
  expect(await refusalOf(stranger.assetKinds.delete({ id: pumps }))).toMatchObject({ type: 'not_found' });
});

it('are at most 200 of an organization', async () => {
  const { manager } = await organization();
  for (let n = 3; n <= 199; n += 1) await manager.assetKinds.create({ ...bedKind, name: `Kind ${n}` });
  const last = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => manager.assetKinds.create({ ...bedKind, name: `Last ${name}` })),
  );
  expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('cannot be deleted while assets have them, and belong to one organization', async () => {
  const made = await organization();
  const { org, manager, pumps, beds } = made;
  const id = await assetOf(made, 'P1', pumps);
  expect(await refusalOf(manager.assetKinds.delete({ id: pumps }))).toMatchObject({ type: 'conflict' });
  const other = await organization();
  const foreign = other.manager.assetKinds.setOfAsset({ asset_id: await other.org.asset(), kind_id: pumps });
  expect(await refusalOf(foreign)).toMatchObject({ type: 'validation_error' });
  expect(await refusalOf(other.manager.assetKinds.setOfAsset({ asset_id: id, kind_id: null }))).toMatchObject({
    type: 'not_found',
  });
  // What is in the trash does not keep a kind, and comes back without it.
  await org.admin.assets.delete({ asset_id: id });
  await manager.assetKinds.delete({ id: pumps });
  await manager.trash.restore({ asset_ids: [id] });
  expect((await manager.assets.detail({ asset_id: id })).kind).toBeNull();
  await manager.assetKinds.delete({ id: beds });
  expect((await manager.assetKinds.list()).data).toEqual([]);
});

it('are given to an asset as it is created, or it is not created', async () => {
  const { manager, pumps } = await organization();
  const { pumps: foreign } = await organization();
  const asset = { name: 'Alaris', external_key: 'P-1', tags: [{ tag_type: 'rfid' as const, value: 'E280' }] };
  expect(await refusalOf(manager.assets.createInApp({ ...asset, kind_id: foreign }))).toMatchObject({
    type: 'validation_error',
    fields: [{ field: 'kind_id', code: 'fk_not_found' }],
  });
  const { data: made } = await manager.assets.createInApp({ ...asset, kind_id: pumps });
  expect(made).toMatchObject({ ...asset, tags: [{ value: 'E280' }] });
  expect(await manager.assets.detail({ asset_id: made.id })).toMatchObject({ kind: { id: pumps } });
  const log = (await manager.activity.list({ kind: 'asset', object_id: String(made.id) })).data;
  expect(log).toMatchObject([{ action: 'created', after: { kind: 'Infusion pump' } }]);
  expect(await refusalOf(manager.assets.createInApp({ ...asset, kind_id: null }))).toMatchObject({
    type: 'conflict',
  });
  const overRest = { name: 'Alaris', kind_id: pumps };
  expect(await refusalOf(manager.assets.create(overRest))).toMatchObject({ type: 'validation_error' });
});

it('are not part of the public view, and one change of them can be restored', async () => {
  const made = await organization();
  const { manager, pumps, beds } = made;
  const id = await assetOf(made, 'P1', pumps);
  expect((await manager.assets.get({ asset_id: id })).data).not.toHaveProperty('kind');
  await manager.assetKinds.setOfAsset({ asset_id: id, kind_id: beds });
  const log = async () => (await manager.activity.list({ kind: 'asset', object_id: String(id) })).data;
  const [change] = await log();
  expect(change).toMatchObject({ before: { kind: 'Infusion pump' }, after: { kind: 'Bed' } });
  // The same kind again is no change.
  await manager.assetKinds.setOfAsset({ asset_id: id, kind_id: beds });
  expect((await log())[0]?.id).toBe(change?.id);
  expect(await undoChange(manager, change)).toEqual({ status: 'done' });
  expect((await manager.assets.detail({ asset_id: id })).kind).toMatchObject({ id: pumps, color: 'teal' });
  await manager.assetKinds.setOfAsset({ asset_id: id, kind_id: beds });
  const [again] = await log();
  await manager.assetKinds.delete({ id: pumps });
  expect(await undoChange(manager, again)).toEqual({ status: 'failed', reason: 'kind_deleted' });
});

it('are changed for many assets together, and taken back', async () => {
  const made = await organization();
  const { manager, pumps, beds } = made;
  const ids = [await assetOf(made, 'P1', pumps), await assetOf(made, 'P2')];
  const preview = await manager.bulkEdits.preview({ ids, kind_id: beds });
  expect(preview.data.map(({ before, after }) => [before.kind, after.kind])).toEqual(
    expect.arrayContaining([
      ['Infusion pump', 'Bed'],
      [null, 'Bed'],
    ]),
  );
  const { batch_id: edit } = await manager.bulkEdits.edit({ ids, kind_id: beds });
  expect(await namesOf(manager, { kind_id: beds })).toEqual(expect.arrayContaining(['P1', 'P2']));
  await undoBatch(manager, edit);
  expect(await namesOf(manager, { kind_id: pumps })).toEqual(['P1']);
  expect(await namesOf(manager, { kind_id: beds })).toEqual([]);
});

it('are imported by name, and created only after the check has said so', async () => {
  const made = await organization();
  const { manager, pumps } = made;
  const columns = ['external_key', 'name', 'kind'];
  const file = {
    columns,
    rows: [
      ['K-1', 'One', 'INFUSION PUMP'],
      ['K-2', 'Two', 'Syringe pump'],
      ['K-3', 'Three', 'syringe pump'],
      ['K-4', 'Four', ''],
    ],
  };
  const state = await checkFile(manager, file);
  expect(await problemsOf(manager, state)).toEqual(['3 kind: kind "Syringe pump" is created for 2 assets']);
  expect((await manager.assetKinds.list()).data).toHaveLength(2);
  await manager.imports.applyFile({ import_id: state.id, despite_warnings: true });
  await expect.poll(async () => (await manager.imports.get({ import_id: state.id })).status).toBe('applied');
  const kinds = (await manager.assetKinds.list()).data.map(({ name, asset_count }) => [name, asset_count]);
  expect(kinds).toEqual([
    ['Bed', 0],
    ['Infusion pump', 1],
    ['Syringe pump', 2],
  ]);
  const exported = (await manager.assets.exportPage({ limit: 100 })).data;
  expect(exported.map(({ external_key: key, kind }) => [key, kind])).toEqual([
    ['K-1', 'Infusion pump'],
    ['K-2', 'Syringe pump'],
    ['K-3', 'Syringe pump'],
    ['K-4', null],
  ]);
  // The export changes nothing; an empty cell takes the kind away, and undo gives it back.
  const rows = exported.map(({ external_key: key, name, kind }) => [key, name, kind ?? '']);
  expect(await checkFile(manager, { columns, rows })).toMatchObject({ unchanged: 4, warning_count: 0 });
  const cleared = await applyChecked(manager, await checkFile(manager, { columns, rows: [['K-1', 'One', '']] }));
  expect(await namesOf(manager, { kind_id: pumps })).toEqual([]);
  await undoBatch(manager, cleared.id);
  expect(await namesOf(manager, { kind_id: pumps })).toEqual(['One']);
});

it('are found by their words, with typing errors, beside words of the location; and filter and sort the table', async () => {
  const made = await organization();
  const { org, manager, pumps, beds } = made;
  const ward = await org.location({ name: 'Ward 3A' });
  const [alaris] = [await assetOf(made, 'Alaris 8015', pumps), await assetOf(made, 'Alaris 9', pumps)];
  const bed = await assetOf(made, 'Hillrom', beds);
  const other = await assetOf(made, 'Bilge');
  await place(manager, ward, alaris, bed);
  for (const q of ['pump', 'INFUSION', 'infusion alaris', 'pmup', 'ward 3a pump', 'pump hillrom']) {
    const names = await namesOf(manager, { q, sort: 'name' });
    const expected = {
      'ward 3a pump': ['Alaris 8015'],
      'pump hillrom': [],
    }[q] ?? ['Alaris 9', 'Alaris 8015'];
    expect({ q, names }).toEqual({ q, names: expected });
  }
  const { assets } = await manager.search.everything({ q: 'pump' });
  expect(assets.map(({ name, kind }) => [name, kind?.icon])).toEqual([
    ['Alaris 9', 'droplet'],
    ['Alaris 8015', 'droplet'],
  ]);
  expect(await namesOf(manager, { sort: 'kind' })).toEqual(['Hillrom', 'Alaris 9', 'Alaris 8015', 'Bilge']);
  expect(await namesOf(manager, { kind_id: pumps, location_id: ward, q: 'alaris' })).toEqual(['Alaris 8015']);
  expect((await manager.assets.exportPage({ kind_id: beds, limit: 10 })).data.map(({ id }) => id)).toEqual([bed]);
  expect(other).toBeGreaterThan(0);
});

it('assets at marked locations and below are free, and results near a place come first', async () => {
  const made = await organization();
  const { org, manager, pumps } = made;
  const house = await org.location({ name: 'House' });
  const [ward, store] = [
    await org.location({ name: 'Ward 3A', parentId: house }),
    await org.location({ name: 'Store', parentId: house }),
  ];
  const [shelf, repairs, room] = [
    await org.location({ name: 'Shelf', parentId: store }),
    await org.location({ name: 'Repairs', parentId: store }),
    await org.location({ name: 'Room 1', parentId: ward }),
  ];
  const at: [string, number | null][] = [
    ['A in repairs', repairs],
    ['B far away', await org.location({ name: 'Elsewhere' })],
    ['C never seen', null],
    ['D on the shelf', shelf],
    ['E in the room', room],
  ];
  for (const [name, location] of at) {
    const id = await assetOf(made, name, pumps);
    if (location !== null) await place(manager, location, id);
  }
  expect(await tableOf(manager, { free: true })).toMatchObject({ data: [], has_free_locations: false });
  await manager.locations.setFreeMark({ location_id: store, assets_free: true });
  await manager.locations.setFreeMark({ location_id: repairs, assets_free: false });
  expect(await manager.locations.freeMark({ location_id: shelf })).toEqual({
    own: null,
    above: { id: store, name: 'Store', says: true },
  });
  const free = await tableOf(manager, { free: true, kind_id: pumps });
  expect(free).toMatchObject({ data: [{ name: 'D on the shelf' }], has_free_locations: true });
  expect(free.data[0]?.location?.is_free).toBe(true);
  expect((await manager.assets.exportPage({ free: true, limit: 10 })).data.map(({ name }) => name)).toEqual([
    'D on the shelf',
  ]);
  expect(await namesOf(manager, { free: true, location_id: ward })).toEqual([]);
  expect(await namesOf(manager, { near: ward })).toEqual([
    'E in the room',
    'A in repairs',
    'D on the shelf',
    'B far away',
    'C never seen',
  ]);
  const { assets } = await manager.search.everything({ q: 'pump', near: store });
  expect(assets.slice(0, 3).map(({ name }) => name)).toEqual(['A in repairs', 'D on the shelf', 'E in the room']);
  // The location of another organization is near nothing.
  const foreign = await (await world.organization()).location({ name: 'Store' });
  expect((await namesOf(manager, { near: foreign }))[0]).toBe('A in repairs');
  const [change] = (await manager.activity.list({ kind: 'location', object_id: String(repairs) })).data;
  expect(change?.after).toEqual({ assets_free: false });
});
