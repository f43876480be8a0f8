import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../../support/caller.js';
import { createScanWorld, type ScanWorld } from '../../support/scan-world.js';
import { applyChecked, checkFile, importFile, problemsOf, sendFile, settled } from './import-file.js';

let world: ScanWorld;

beforeAll(async () => {
  world = await createScanWorld();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('a file of assets', () => {
  it('is checked without changing anything, then applied whole', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const columns = ['external_key', 'name', 'is_active', 'metadata', 'valid_from', 'rfid_tags', 'barcode_tags'];
    const rows = [
      ['A-1', 'Forklift', 'TRUE', '{"color":"red"}', '2026-01-01T00:00:00Z', 'E28011|E28012', ''],
      ['', 'Pallet 🚚', 'false', '', '', '', 'a\\|b'],
      ['ASSET-0001', '=HYPERLINK("x")', '', '', '', '', ''],
    ];
    const checked = await checkFile(manager, { columns, rows });
    expect(checked).toMatchObject({
      status: 'checked',
      to_create: 3,
      to_change: 0,
      unchanged: 0,
      problem_count: 0,
      failure: null,
    });
    expect(await world.db.asset.count({ where: { orgId: org.orgId } })).toBe(0);
    const applied = await applyChecked(manager, checked);
    expect(applied).toMatchObject({ status: 'applied', to_create: 3, finished_at: expect.any(String) });
    const { data } = await manager.assets.list({ sort: 'external_key' });
    expect(data.map(({ id: _id, created_at: _c, updated_at: _u, ...asset }) => asset)).toMatchObject([
      {
        external_key: 'A-1',
        name: 'Forklift',
        is_active: true,
        metadata: { color: 'red' },
        valid_from: '2026-01-01T00:00:00.000Z',
        tags: [
          { tag_type: 'rfid', value: 'E28011' },
          { tag_type: 'rfid', value: 'E28012' },
        ],
      },
      { external_key: 'ASSET-0001', name: '=HYPERLINK("x")', is_active: true, metadata: {}, tags: [] },
      {
        external_key: 'ASSET-0002',
        name: 'Pallet 🚚',
        is_active: false,
        tags: [{ tag_type: 'barcode', value: 'a|b' }],
      },
    ]);
    expect(await world.db.importRow.count({ where: { orgId: org.orgId } })).toBe(0);
    // What the triggers keep agrees with what is there.
    expect((await manager.assets.list({ sort: 'external_key' })).total_count).toBe(3);
    const next = await manager.assets.create({ name: 'Next' });
    expect(next.data.external_key).toBe('ASSET-0003');
  });

  it('reports the errors of each line, in the words of the API', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.assets.create({ name: 'Other', external_key: 'OTHER', tags: [{ tag_type: 'rfid', value: 'TAKEN' }] });
    await manager.locations.create({ name: 'Hall', tags: [{ tag_type: 'ble', value: 'HALL' }] });
    const columns = ['external_key', 'name', 'is_active', 'metadata', 'valid_to', 'rfid_tags', 'ble_tags'];
    const checked = await checkFile(manager, {
      columns,
      rows: [
        ['A 1', '', 'yes', '[1]', 'tomorrow', '', ''],
        ['A-2', 'x\ny', '', '{', '', '', ''],
        ['A-3', 'fine', '', '', '', 'TAKEN', 'HALL'],
        ['A-3', 'again', '', '', '', 'TWICE|TWICE', ''],
        ['A-4', 'too', '', '', '0001-01-01T00:00:00Z', 'TWICE', ''],
        ['A-5', 'tags', '', '', '', 'ok|', ''],
        ['A-6', 'twice', '', '', '', 'TWICE', ''],
      ],
    });
    expect(checked).toMatchObject({ status: 'checked', problem_count: 15, problem_lines: 7 });
    expect(await problemsOf(manager, checked)).toEqual([
      '2 external_key: external_key must match ^[A-Za-z0-9-]+$: letters, digits and hyphens only',
      '2 name: name must be at least 1 character(s)',
      "2 is_active: is_active must be 'true' or 'false'",
      '2 metadata: metadata must be object; received array',
      '2 valid_to: valid_to must be an RFC 3339 timestamp',
      String.raw`3 name: name must match ^\S(?:[^\x00-\x1F\x7F]*\S)?$: no control characters, no white space at the ends`,
      '3 metadata: metadata must be a JSON object, such as {"color":"red"}',
      '4 rfid_tags: tag rfid:TAKEN already exists',
      '4 ble_tags: tag ble:HALL already exists',
      '5 external_key: external_key A-3 duplicates line 4',
      '5 rfid_tags: tag rfid:TWICE duplicates line 5',
      '6 valid_to: valid_to must not be a default-value sentinel (0001-01-01T00:00:00Z); omit the field or send a real timestamp',
      '6 rfid_tags: tag rfid:TWICE duplicates line 5',
      '7 rfid_tags: a tag of rfid_tags: value must be at least 1 character(s)',
      '8 rfid_tags: tag rfid:TWICE duplicates line 5',
    ]);
    const refusal = await refusalOf(manager.imports.applyFile({ import_id: checked.id }));
    expect(refusal).toMatchObject({ type: 'conflict', detail: expect.stringContaining('has problems') });
    const page = await manager.imports.problems({ import_id: checked.id, column: 'rfid_tags', q: 'twice', limit: 1 });
    expect(page).toMatchObject({ total_count: 3, data: [{ line: 5, column: 'rfid_tags' }] });
  });

  it('reports all errors of a line at once, and what the others would change', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await org.asset({ tags: [['rfid', 'TAKEN']] });
    const { data: known } = await manager.assets.create({
      name: 'Known',
      external_key: 'K-1',
      description: 'before',
      metadata: { a: 1 },
      valid_from: '2026-01-01T00:00:00Z',
      tags: [{ tag_type: 'rfid', value: 'OWN' }],
    });
    const columns = ['external_key', 'name', 'description', 'is_active', 'metadata', 'valid_from', 'rfid_tags'];
    const wrong = await checkFile(manager, {
      columns,
      rows: [
        ['K-1', '', '', '', '', '', 'TAKEN|OWN'],
        ['N-2', 'two', '', 'maybe', '', '', 'SAME'],
        ['N-2', 'three', '', '', '[]', '', 'SAME'],
      ],
    });
    expect(await problemsOf(manager, wrong)).toEqual([
      '2 name: name must be at least 1 character(s)',
      '2 rfid_tags: tag rfid:TAKEN already exists',
      "3 is_active: is_active must be 'true' or 'false'",
      '4 external_key: external_key N-2 duplicates line 3',
      '4 metadata: metadata must be object; received array',
      '4 rfid_tags: tag rfid:SAME duplicates line 3',
    ]);

    const right = await checkFile(manager, {
      columns,
      rows: [
        [' K-1 ', ' Known ', 'after', '', '{"a":1,"b":2}', '', 'OWN|NEW'],
        ['', 'new one', '', '', '', '', ''],
      ],
    });
    expect(right).toMatchObject({ to_create: 1, to_change: 1, problem_count: 0 });
    const changes = await manager.imports.changes({ import_id: right.id });
    expect(changes).toMatchObject({
      total_count: 1,
      data: [{ line: 2, id: known.id, external_key: 'K-1', name: 'Known' }],
    });
    expect(changes.data[0]?.fields).toEqual([
      { column: 'description', before: 'before', after: 'after' },
      { column: 'metadata', before: '{"a":1}', after: '{"a":1,"b":2}' },
      { column: 'rfid_tags', before: 'OWN', after: 'NEW, OWN' },
    ]);
    const stranger = await (await world.organization()).as('manager');
    expect(await refusalOf(stranger.imports.changes({ import_id: right.id }))).toMatchObject({ type: 'not_found' });
    const viewer = await org.as('viewer');
    expect(await refusalOf(viewer.imports.changes({ import_id: right.id }))).toMatchObject({ type: 'forbidden' });
  });

  it('changes an asset to exactly its row, and leaves alone what it has no column for', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const { data: before } = await manager.assets.create({
      name: 'Forklift',
      external_key: 'A-1',
      description: 'yellow',
      metadata: { b: 1, a: [1.5, 'x'] },
      tags: [
        { tag_type: 'rfid', value: 'R1' },
        { tag_type: 'rfid', value: 'R2' },
        { tag_type: 'ble', value: 'B1' },
      ],
    });
    const { data: other } = await manager.assets.create({
      name: 'Crate',
      external_key: 'A-2',
      tags: [{ tag_type: 'rfid', value: 'R3' }],
    });
    const applied = await importFile(manager, {
      columns: ['name', 'rfid_tags', 'external_key', 'metadata'],
      rows: [
        ['Forklift 2', 'R3|R2', 'A-1', '{ "a": [15e-1, "x"], "b": 1 }'],
        ['Crate', 'R1', 'A-2', ''],
      ],
    });
    expect(applied).toMatchObject({ status: 'applied', to_create: 0, to_change: 2, unchanged: 0 });
    const after = (await manager.assets.get({ asset_id: before.id })).data;
    expect(after).toMatchObject({ name: 'Forklift 2', description: 'yellow', metadata: { b: 1, a: [1.5, 'x'] } });
    expect(after.tags.map(({ tag_type, value }) => `${tag_type}:${value}`)).toEqual(['rfid:R2', 'ble:B1', 'rfid:R3']);
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    const second = (await manager.assets.get({ asset_id: other.id })).data;
    // Only its tags changed, which leave the concurrency token alone.
    expect(second.updated_at).toBe(other.updated_at);
    expect(second.tags.map(({ value }) => value)).toEqual(['R1']);
  });
});

describe('a file of locations', () => {
  it('finds parents in the database and anywhere in the file', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.locations.create({ name: 'Site', external_key: 'SITE' });
    await manager.locations.create({ name: 'Old', external_key: 'OLD', parent_external_key: 'SITE' });
    const applied = await importFile(manager, {
      kind: 'locations',
      columns: ['external_key', 'name', 'parent_external_key', 'barcode_tags'],
      rows: [
        ['ROOM', 'Room', 'HALL', 'room-1'],
        ['HALL', 'Hall', 'SITE', ''],
        ['', 'Yard', 'ROOM', ''],
        ['OLD', 'Old', 'ROOM', ''],
        ['TOP', 'Top', '', ''],
      ],
    });
    expect(applied).toMatchObject({ status: 'applied', to_create: 4, to_change: 1 });
    const { data } = await manager.locations.list({ sort: 'external_key' });
    expect(data.map((row) => [row.external_key, row.parent_external_key])).toEqual([
      ['HALL', 'SITE'],
      ['LOC-0001', 'ROOM'],
      ['OLD', 'ROOM'],
      ['ROOM', 'HALL'],
      ['SITE', null],
      ['TOP', null],
    ]);
  });

  it('lists what a file would change about locations', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.locations.create({ name: 'Site', external_key: 'SITE' });
    const { data: hall } = await manager.locations.create({
      ...{ name: 'Hall', external_key: 'HALL', description: 'before' },
      tags: [{ tag_type: 'barcode', value: 'hall-1' }],
    });
    const checked = await checkFile(manager, {
      kind: 'locations',
      columns: ['external_key', 'name', 'description', 'parent_external_key', 'barcode_tags'],
      rows: [['HALL', 'Hall', 'after', 'SITE', 'hall-1|hall-2']],
    });
    const { data } = await manager.imports.changes({ import_id: checked.id });
    expect(data).toEqual([
      {
        ...{ line: 2, id: hall.id, external_key: 'HALL', name: 'Hall' },
        fields: [
          { column: 'description', before: 'before', after: 'after' },
          { column: 'parent_external_key', before: null, after: 'SITE' },
          { column: 'barcode_tags', before: 'hall-1', after: 'hall-1, hall-2' },
        ],
      },
    ]);
  });

  it('tells missing parents and circles, those through what is stored too', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.locations.create({ name: 'A', external_key: 'A' });
    await manager.locations.create({ name: 'B', external_key: 'B', parent_external_key: 'A' });
    await manager.locations.create({ name: 'C', external_key: 'C', parent_external_key: 'B' });
    const checked = await checkFile(manager, {
      kind: 'locations',
      columns: ['external_key', 'name', 'parent_external_key'],
      rows: [
        ['A', 'A', 'C'],
        ['D', 'D', 'D'],
        ['E', 'E', 'NOWHERE'],
        ['F', 'below a circle', 'A'],
        ['G', 'fine', 'H'],
        ['H', 'fine', ''],
      ],
    });
    expect(await problemsOf(manager, checked)).toEqual([
      '2 parent_external_key: parent_external_key "C" would create a cycle through location A',
      '3 parent_external_key: parent_external_key "D" would create a self-referential cycle',
      '4 parent_external_key: parent_external_key "NOWHERE" not found',
    ]);
  });
});

describe('chunks', () => {
  it('count once, however often they are sent, and only in order', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const { import: created, chunk_bytes_max } = await manager.imports.create({
      kind: 'assets',
      file_name: 'a.csv',
      columns: ['name'],
      row_count: 3,
    });
    expect(chunk_bytes_max).toBe(world.settings.bodyBytesMax - 512);
    const send = (chunk: number, lines: number[], cells = ['x']) =>
      manager.imports.addRows({ import_id: created.id, chunk, rows: lines.map((line) => ({ line, cells })) });
    expect(await refusalOf(manager.imports.check({ import_id: created.id }))).toMatchObject({ type: 'conflict' });
    expect(await refusalOf(send(1, [2]))).toMatchObject({ detail: 'Chunk 0 comes next, not 1' });
    expect(await refusalOf(send(0, [2], ['x', 'y']))).toMatchObject({ detail: 'line 2 must have 1 cells' });
    expect(await refusalOf(send(0, [2], ['\0']))).toMatchObject({ type: 'validation_error' });
    expect(await send(0, [2, 5])).toMatchObject({ received_rows: 2, next_chunk: 1, status: 'uploading' });
    expect(await send(0, [2, 5])).toMatchObject({ received_rows: 2, next_chunk: 1, status: 'uploading' });
    expect(await refusalOf(send(1, [5]))).toMatchObject({ type: 'validation_error' });
    expect(await refusalOf(send(1, [6, 7]))).toMatchObject({ detail: 'rows must be 3 altogether' });
    expect(await send(1, [9])).toMatchObject({ received_rows: 3, status: 'received' });
    expect(await send(1, [9])).toMatchObject({ received_rows: 3, status: 'received' });
  });

  it.each([
    [['nam'], 'unknown column "nam"'],
    [['name', 'name'], 'column name appears twice'],
    [['external_key'], 'column name is missing'],
    [['name', 'parent_external_key'], 'unknown column "parent_external_key"'],
  ])('of columns %j are refused', async (columns, detail) => {
    const manager = await (await world.organization()).as('manager');
    const input = { kind: 'assets' as const, file_name: 'a.csv', columns, row_count: 1 };
    expect(await refusalOf(manager.imports.create(input))).toMatchObject({ type: 'validation_error', detail });
  });
});

it('an import is nobody else’s, and not for operators', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const id = await sendFile(manager, { columns: ['name'], rows: [['x']] });
  const stranger = await (await world.organization()).as('admin');
  const operator = await org.as('operator');
  const calls = (caller: typeof manager) => [
    () => caller.imports.get({ import_id: id }),
    () => caller.imports.problems({ import_id: id }),
    () => caller.imports.addRows({ import_id: id, chunk: 1, rows: [{ line: 9, cells: ['y'] }] }),
    () => caller.imports.check({ import_id: id }),
    () => caller.imports.applyFile({ import_id: id }),
    () => caller.imports.cancel({ import_id: id }),
  ];
  for (const call of calls(stranger)) {
    expect(await refusalOf(call())).toMatchObject({ type: 'not_found', detail: 'Import not found' });
  }
  expect((await stranger.imports.list()).data).toEqual([]);
  const file = { kind: 'assets' as const, file_name: 'a.csv', columns: ['name'], row_count: 1 };
  for (const call of [...calls(operator), () => operator.imports.list(), () => operator.imports.create(file)]) {
    expect(await refusalOf(call())).toMatchObject({ type: 'forbidden', detail: 'Missing required role: manager' });
  }
  expect((await manager.imports.list()).data).toMatchObject([{ id, status: 'received' }]);
  expect(await refusalOf(manager.imports.get({ import_id: 'x' }))).toMatchObject({ type: 'not_found' });
});

it('a canceled import keeps nothing of its file, and the sixth that waits sends the first away', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const first = await sendFile(manager, { columns: ['name'], rows: [['x']] });
  expect(await manager.imports.cancel({ import_id: first })).toMatchObject({ status: 'cancelled' });
  expect(await manager.imports.cancel({ import_id: first })).toMatchObject({ status: 'cancelled' });
  expect(await refusalOf(manager.imports.check({ import_id: first }))).toMatchObject({ type: 'conflict' });
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await sendFile(manager, { columns: ['name'], rows: [['x']] }));
  expect(await settled(manager, ids[0] ?? '')).toMatchObject({ status: 'cancelled' });
  expect(await settled(manager, ids[1] ?? '')).toMatchObject({ status: 'received' });
  expect(await world.db.importRow.count({ where: { orgId: org.orgId } })).toBe(5);
});
