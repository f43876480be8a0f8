import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { undoBatch } from '../../../support/undo.js';
import { sendFile, settled } from './import-file.js';

// What an import did is taken back, except what was changed since.

const world = await sharedScanWorld();

async function apply(org: ScanOrganization, file: Parameters<typeof sendFile>[1]): Promise<string> {
  const id = await sendFile(org.admin, file);
  await org.admin.imports.check({ import_id: id });
  expect(await settled(org.admin, id)).toMatchObject({ status: 'checked', problem_count: 0 });
  await org.admin.imports.applyFile({ import_id: id, despite_warnings: true });
  expect(await settled(org.admin, id)).toMatchObject({ status: 'applied', is_undoable: true });
  return id;
}

const byKey = async (org: ScanOrganization, key: string) =>
  (await org.admin.assets.list({ external_key: [key], sort: undefined })).data[0];

it('deletes the assets that it created, and gives the others their values and tags back', async () => {
  const org = await world.organization();
  const tag = (value: string) => ({ tag_type: 'rfid' as const, value });
  const { data: pump } = await org.admin.assets.create({
    name: 'Pump',
    external_key: 'A-1',
    description: 'old',
    metadata: { color: 'red', kept: 1 },
    tags: [tag('AA01'), tag('AA02')],
  });
  const { data: drill } = await org.admin.assets.create({ name: 'Drill', external_key: 'A-2', tags: [tag('AA03')] });
  const { data: saw } = await org.admin.assets.create({ name: 'Saw', external_key: 'A-3' });
  const id = await apply(org, {
    columns: ['external_key', 'name', 'description', 'rfid_tags'],
    rows: [
      ['A-1', 'Pump 2', 'new', 'AA01 AA04'],
      ['A-2', 'Drill', '', 'AA02'],
      ['A-3', 'Saw 2', '', ''],
      ['A-4', 'Lamp', '', 'AA03'],
    ],
  });
  const lamp = await byKey(org, 'A-4');
  await org.admin.assets.update({ asset_id: saw.id, name: 'Chainsaw' });
  expect(await refusalOf((await org.as('operator')).undo.batch({ batch_id: id }))).toMatchObject({
    type: 'forbidden',
  });
  const { left } = await undoBatch(await org.as('manager'), id);
  expect(left).toMatchObject([{ kind: 'asset', id: saw.id, name: 'Saw 2', status: 'changed_since', fields: ['name'] }]);
  const pairs = (row: typeof lamp) => row?.tags.map(({ value }) => value).toSorted((a, b) => a.localeCompare(b));
  const back = await byKey(org, 'A-1');
  expect({ ...back, tags: [], updated_at: '' }).toEqual({ ...pump, tags: [], updated_at: '' });
  expect(pairs(back)).toEqual(['AA01', 'AA02']);
  expect(pairs(await byKey(org, 'A-2'))).toEqual(['AA03']);
  expect((await byKey(org, 'A-2'))?.id).toBe(drill.id);
  expect((await byKey(org, 'A-3'))?.name).toBe('Chainsaw');
  expect(await byKey(org, 'A-4')).toBeUndefined();
  expect((await org.admin.trash.list()).data).toMatchObject([{ kind: 'asset', id: lamp?.id, name: 'Lamp' }]);
  const { data: entries } = await org.admin.activity.list({ kind: 'import' });
  expect(entries.map(({ action }) => action)).toEqual(['undone', 'applied']);
  expect(await org.admin.imports.get({ import_id: id })).toMatchObject({ status: 'applied', is_undoable: false });
  expect(await refusalOf(undoBatch(org.admin, id))).toMatchObject({ type: 'conflict' });
});

it('takes back one of two imports alone, in parts', async () => {
  const org = await world.organization();
  const columns = ['external_key', 'name'];
  const first = await apply(org, { columns, rows: Array.from({ length: 600 }, (_, n) => [`F-${n}`, 'First']) });
  await apply(org, { columns, rows: [['G-1', 'Second']] });
  expect(await undoBatch(org.admin, first)).toEqual({ takenBack: 600, left: [] });
  expect((await org.admin.assets.list({ sort: undefined })).data.map(({ name }) => name)).toEqual(['Second']);
});

it('deletes created locations from the bottom, except those that something is in, and moves others back', async () => {
  const org = await world.organization();
  const [site, hall] = [
    await org.location({ name: 'Site', externalKey: 'SITE' }),
    (await org.admin.locations.create({ name: 'Hall', external_key: 'HALL', parent_external_key: 'SITE' })).data,
  ];
  const id = await apply(org, {
    kind: 'locations',
    columns: ['external_key', 'name', 'parent_external_key'],
    rows: [
      ['NEW', 'New', ''],
      ['SHELF', 'Shelf', 'AISLE'],
      ['AISLE', 'Aisle', 'NEW'],
      ['HALL', 'Hall', 'NEW'],
      ['USED', 'Used', ''],
    ],
  });
  const used = (await org.admin.locations.list({ external_key: ['USED'], sort: undefined })).data[0]?.id ?? 0;
  const asset = await org.asset();
  await org.admin.scans.submit({ submission_id: ulid(), location_id: used, reads: [{ asset_id: asset }] });
  const { left } = await undoBatch(org.admin, id);
  expect(left).toMatchObject([{ name: 'Used', reason: 'in_use' }]);
  const locations = (await org.admin.locations.list({ sort: undefined })).data;
  expect(locations.map(({ external_key: key }) => key)).toEqual(['HALL', 'SITE', 'USED']);
  expect(locations.find(({ id: own }) => own === hall.id)?.parent_id).toBe(site);
});

it('deletes and restores more nested locations than one call takes, whatever the order of their keys', async () => {
  const org = await world.organization();
  const [chains, levels] = [150, 8];
  // The keys of those above come last, so the undo meets them first.
  const key = (chain: number, level: number) => `${levels - level}-${chain}`;
  const rows = Array.from({ length: chains * levels }, (_, n) => {
    const [chain, level] = [n % chains, Math.floor(n / chains)];
    return [key(chain, level), `Level ${level}`, level === 0 ? '' : key(chain, level - 1)];
  });
  const id = await apply(org, { kind: 'locations', columns: ['external_key', 'name', 'parent_external_key'], rows });
  const all = { takenBack: rows.length, left: [] };
  const undone = async () =>
    (await org.admin.activity.list({ grouped: true, limit: 2 })).data.find(({ batch }) => batch)?.batch;
  const count = async () => (await org.admin.locations.list({ sort: undefined })).total_count;
  expect([await undoBatch(org.admin, id), await count()]).toEqual([all, 0]);
  expect([await undoBatch(org.admin, (await undone())?.id ?? null), await count()]).toEqual([all, rows.length]);
  expect([await undoBatch(org.admin, (await undone())?.id ?? null), await count()]).toEqual([all, 0]);
});

it('turns a chain of locations around again, also when its undo is undone', async () => {
  const org = await world.organization();
  const columns = ['external_key', 'name', 'parent_external_key'];
  const keys = Array.from({ length: 20 }, (_, n) => `L-${n}`);
  const chain = (from: readonly string[]) => from.map((key, level) => [key, key, from[level - 1] ?? '']);
  await apply(org, { kind: 'locations', columns, rows: chain(keys) });
  const id = await apply(org, { kind: 'locations', columns, rows: chain(keys.toReversed()) });
  const top = async () =>
    (await org.admin.locations.list({ sort: undefined, limit: 100 })).data.find(
      ({ parent_id: parent }) => parent === null,
    )?.external_key;
  expect(await top()).toBe('L-19');
  expect(await undoBatch(org.admin, id)).toEqual({ takenBack: 20, left: [] });
  expect(await top()).toBe('L-0');
  const [undone] = (await org.admin.activity.list({ grouped: true, limit: 2 })).data.filter(({ batch }) => batch);
  expect(await undoBatch(org.admin, undone?.batch?.id ?? null)).toEqual({ takenBack: 20, left: [] });
  expect(await top()).toBe('L-19');
});

it('restores what its undo deleted with a tag that it had moved there, when the undo is undone', async () => {
  const org = await world.organization();
  const columns = ['external_key', 'name', 'rfid_tags'];
  await apply(org, { columns, rows: [['FROM', 'From', 'T1']] });
  const id = await apply(org, {
    columns,
    rows: [
      ['FROM', 'From', ''],
      ['NEW', 'New', 'T1'],
    ],
  });
  expect((await undoBatch(org.admin, id)).left).toEqual([]);
  expect((await byKey(org, 'FROM'))?.tags).toMatchObject([{ value: 'T1' }]);
  const [undone] = (await org.admin.activity.list({ grouped: true, limit: 2 })).data.filter(({ batch }) => batch);
  expect((await undoBatch(org.admin, undone?.batch?.id ?? null)).left).toEqual([]);
  expect((await byKey(org, 'NEW'))?.tags).toMatchObject([{ value: 'T1' }]);
  expect((await byKey(org, 'FROM'))?.tags).toEqual([]);
});

it('puts assets back into the containers that they were in, except those that were put elsewhere since', async () => {
  const org = await world.organization();
  const columns = ['external_key', 'name', 'container_external_key'];
  const row = (key: string, container = '') => [key, key, container];
  const containers = async () =>
    Object.fromEntries(
      (await org.admin.assets.exportPage({})).data.map((one) => [one.external_key, one.container_external_key]),
    );
  await apply(org, {
    columns,
    rows: [row('CART'), row('CASE', 'CART'), row('A', 'CASE'), row('B', 'CASE'), row('C'), row('D')],
  });
  const before = await containers();
  const id = await apply(org, {
    columns,
    rows: [
      row('CASE'),
      row('CART', 'CASE'),
      row('NEW', 'CART'),
      row('A', 'NEW'),
      row('B'),
      row('C', 'NEW'),
      row('D', 'CART'),
    ],
  });
  expect(await containers()).toEqual({ CART: 'CASE', CASE: null, NEW: 'CART', A: 'NEW', B: null, C: 'NEW', D: 'CART' });
  const [other, moved] = [await org.asset({ name: 'Other', externalKey: 'OTHER' }), await byKey(org, 'D')];
  await org.admin.containers.putIn({ container_id: other, asset_ids: [moved?.id ?? 0] });
  const { left } = await undoBatch(org.admin, id);
  expect(left).toMatchObject([{ id: moved?.id, name: 'D', status: 'changed_since', fields: ['container'] }]);
  expect(await containers()).toEqual({ ...before, D: 'OTHER', OTHER: null });

  // The undo is undone like any other, with what it deleted.
  const [undone] = (await org.admin.activity.list({ grouped: true, limit: 2 })).data.filter(({ batch }) => batch);
  expect(undone?.batch).toMatchObject({ kind: 'undo' });
  expect((await undoBatch(org.admin, undone?.batch?.id ?? null)).left).toEqual([]);
  expect(await containers()).toEqual({
    CART: 'CASE',
    CASE: null,
    NEW: 'CART',
    A: 'NEW',
    B: null,
    C: 'NEW',
    D: 'OTHER',
    OTHER: null,
  });
});

it('leaves an asset in no container that a person took out of the one that the import put it into', async () => {
  const org = await world.organization();
  const columns = ['external_key', 'name', 'container_external_key'];
  await apply(org, {
    columns,
    rows: [
      ['B', 'B', ''],
      ['C', 'C', ''],
      ['IN', 'In', 'C'],
      ['OUT', 'Out', 'C'],
    ],
  });
  const id = await apply(org, {
    columns,
    rows: [
      ['IN', 'In', 'B'],
      ['OUT', 'Out', 'B'],
    ],
  });
  const out = await byKey(org, 'OUT');
  await org.admin.containers.takeOut({ asset_ids: [out?.id ?? 0] });
  const container = async (key: string) =>
    (await org.admin.assets.exportPage({})).data.find((row) => row.external_key === key)?.container_external_key;
  const { left } = await undoBatch(org.admin, id);
  expect(left).toMatchObject([{ id: out?.id, status: 'changed_since', fields: ['container'] }]);
  expect([await container('IN'), await container('OUT')]).toEqual(['C', null]);
  const entries = left.map(({ entry }) => entry);
  expect(await org.admin.undo.changes({ entries, overwrite: true })).toEqual({ taken_back: 1, left: [] });
  expect(await container('OUT')).toBe('C');
});

it('leaves a tag detached that a person detached from the asset that the import attached it to', async () => {
  const org = await world.organization();
  const columns = ['external_key', 'name', 'rfid_tags'];
  await apply(org, {
    columns,
    rows: [
      ['FROM', 'From', 'T0|T1|T2|T3'],
      ['TO', 'To', ''],
    ],
  });
  const id = await apply(org, {
    columns,
    rows: [
      ['FROM', 'From', 'T0'],
      ['TO', 'To', 'T1|T2'],
      ['NEW', 'New', 'T3'],
    ],
  });
  for (const [key, value] of [
    ['TO', 'T1'],
    ['NEW', 'T3'],
  ] as const) {
    const asset = await byKey(org, key);
    const tag = asset?.tags.find((one) => one.value === value);
    await org.admin.tags.removeFromAsset({ asset_id: asset?.id ?? 0, tag_id: tag?.id ?? 0 });
  }
  const values = async () => (await byKey(org, 'FROM'))?.tags.map(({ value }) => value).toSorted();
  const { left } = await undoBatch(org.admin, id);
  expect(left).toMatchObject([
    { name: 'From', status: 'changed_since', fields: ['tag'] },
    { name: 'From', status: 'changed_since', fields: ['tag'] },
  ]);
  expect(await values()).toEqual(['T0', 'T2']);
  const entries = left.map(({ entry }) => entry);
  expect(await org.admin.undo.changes({ entries, overwrite: true })).toEqual({ taken_back: 2, left: [] });
  expect(await values()).toEqual(['T0', 'T1', 'T2', 'T3']);
});
