import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
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

/** Takes back all parts, as the app does. */
async function undo(caller: AppCaller, importId: string) {
  let takenBack = 0;
  const refused: Awaited<ReturnType<AppCaller['imports']['undo']>>['refused'] = [];
  for (let cursor: string | undefined; ; ) {
    const part = await caller.imports.undo({ import_id: importId, ...(cursor !== undefined && { cursor }) });
    takenBack += part.taken_back;
    refused.push(...part.refused);
    if (part.next === null) return { takenBack, refused };
    cursor = part.next;
  }
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
  expect(await refusalOf((await org.as('operator')).imports.undo({ import_id: id }))).toMatchObject({
    type: 'forbidden',
  });
  const { refused } = await undo(await org.as('manager'), id);
  expect(refused).toEqual([{ kind: 'asset', id: saw.id, name: 'Saw 2', reason: 'changed' }]);
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
  expect(await refusalOf(undo(org.admin, id))).toMatchObject({ type: 'conflict' });
});

it('takes back one of two imports alone, in parts', async () => {
  const org = await world.organization();
  const columns = ['external_key', 'name'];
  const first = await apply(org, { columns, rows: Array.from({ length: 600 }, (_, n) => [`F-${n}`, 'First']) });
  await apply(org, { columns, rows: [['G-1', 'Second']] });
  expect(await undo(org.admin, first)).toEqual({ takenBack: 600, refused: [] });
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
  const { refused } = await undo(org.admin, id);
  expect(refused.map(({ name, reason }) => [name, reason])).toEqual([
    ['New', 'in_use'],
    ['Used', 'in_use'],
  ]);
  const left = (await org.admin.locations.list({ sort: undefined })).data;
  expect(left.map(({ external_key: key }) => key)).toEqual(['HALL', 'NEW', 'SITE', 'USED']);
  expect(left.find(({ id: own }) => own === hall.id)?.parent_id).toBe(site);
});

it('is not offered and is refused for an import whose changes are not known to be its own', async () => {
  const org = await world.organization();
  const file = { columns: ['external_key', 'name'], rows: [['A-1', 'Pump']] };
  const id = await apply(org, file);
  // As imports were logged before they could be undone.
  await world.db.$executeRaw`UPDATE activity_log SET import_id = NULL WHERE org_id = ${org.orgId}`;
  expect(await org.admin.imports.get({ import_id: id })).toMatchObject({ status: 'applied', is_undoable: false });
  expect(await refusalOf(org.admin.imports.undo({ import_id: id }))).toMatchObject({ type: 'conflict' });
  expect(await refusalOf(org.admin.imports.undo({ import_id: id, cursor: '3.' }))).toMatchObject({ type: 'conflict' });
  expect(await org.admin.imports.get({ import_id: id })).toMatchObject({ undone_at: null });
});
