import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { sendFile, settled } from './import-file.js';

const world = await sharedScanWorld();

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
  ])('of columns %j are rejected', async (columns, detail) => {
    const manager = await (await world.organization()).as('manager');
    const input = { kind: 'assets' as const, file_name: 'a.csv', columns, row_count: 1 };
    expect(await refusalOf(manager.imports.create(input))).toMatchObject({ type: 'validation_error', detail });
  });
});

it('a file has 100,000 rows and 64 MiB of cells at most', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const create = (row_count: number) =>
    manager.imports.create({ kind: 'assets', file_name: 'a.csv', columns: ['name'], row_count });
  expect(await refusalOf(create(100_001))).toMatchObject({ type: 'validation_error' });
  const { id } = (await create(100_000)).import;
  await world.db.$executeRaw`UPDATE imports SET received_bytes = 67108864 - 3 WHERE id = ${id}::uuid`;
  const send = (cell: string) =>
    manager.imports.addRows({ import_id: id, chunk: 0, rows: [{ line: 2, cells: [cell] }] });
  const detail = 'A file must be at most 67108864 bytes';
  // Two characters, four bytes.
  expect(await refusalOf(send('äö'))).toMatchObject({ type: 'payload_too_large', detail });
  expect(await send('äo')).toMatchObject({ received_rows: 1 });
});

it('an import belongs to its organization, and is rejected for operators', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const id = await sendFile(manager, { columns: ['name'], rows: [['x']] });
  const outsider = await (await world.organization()).as('admin');
  const operator = await org.as('operator');
  const calls = (caller: typeof manager) => [
    () => caller.imports.get({ import_id: id }),
    () => caller.imports.problems({ import_id: id }),
    () => caller.imports.addRows({ import_id: id, chunk: 1, rows: [{ line: 9, cells: ['y'] }] }),
    () => caller.imports.check({ import_id: id }),
    () => caller.imports.applyFile({ import_id: id }),
    () => caller.imports.cancel({ import_id: id }),
  ];
  for (const call of calls(outsider)) {
    expect(await refusalOf(call())).toMatchObject({ type: 'not_found', detail: 'Import not found' });
  }
  expect((await outsider.imports.list()).data).toEqual([]);
  const file = { kind: 'assets' as const, file_name: 'a.csv', columns: ['name'], row_count: 1 };
  for (const call of [...calls(operator), () => operator.imports.list(), () => operator.imports.create(file)]) {
    expect(await refusalOf(call())).toMatchObject({ type: 'forbidden', detail: 'Missing required role: manager' });
  }
  expect((await manager.imports.list()).data).toMatchObject([{ id, status: 'received' }]);
  expect(await refusalOf(manager.imports.get({ import_id: 'x' }))).toMatchObject({ type: 'not_found' });
});

it('a canceled import keeps nothing of its file, and a sixth waiting import removes the first', async () => {
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
