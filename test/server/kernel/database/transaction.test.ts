import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabasePool, openDatabase } from '../../../../server/kernel/database/client.js';
import { sqlState } from '../../../../server/kernel/database/faults.js';
import { defineStatement } from '../../../../server/kernel/database/statement.js';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.js';

const addName = defineStatement<string>(
  'add_name',
  ({ value }) => `INSERT INTO organizations (name) VALUES (${value('text', (name) => name)}) RETURNING name`,
);
const divide = defineStatement<number>(
  'divide',
  ({ value }) => `SELECT 1 / ${value('int', (number) => number)} AS quotient`,
);
const names = defineStatement<undefined, { name: string }>('names', () => 'SELECT name FROM organizations ORDER BY id');
const ownPid = defineStatement<undefined, { pid: number }>('own_pid', () => 'SELECT pg_backend_pid() AS pid');
const end = defineStatement<number>(
  'end_session',
  ({ value }) => `SELECT pg_terminate_backend(${value('int', (pid) => pid)})`,
);
const numbered = defineStatement<readonly { id: number | null; name: string }[]>(
  'numbered',
  ({ numberedRows }) => `
    SELECT n.id, n.name, n.no::int
      FROM ${numberedRows('n', (rows) => rows, { id: ['int', ({ id }) => id], name: ['text', ({ name }) => name] })}`,
);

let database: TestDatabase;
let connections: DatabasePool;

beforeAll(async () => {
  database = await createTestDatabase();
  connections = openDatabase({ url: database.url, poolSize: 1, purpose: 'ingestion' });
});

afterAll(async () => {
  await connections.close();
  await database[Symbol.asyncDispose]();
});

const readNames = () => connections.db.$transaction((runner) => runner.run(names, undefined));

it('keeps what a transaction did, and nothing of one that failed', async () => {
  await connections.db.$transaction((runner) => runner.run(addName, 'kept'));
  const failed = connections.db.$transaction(async (runner) => {
    await runner.run(addName, 'undone');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await readNames()).toEqual([{ name: 'kept' }]);
});

it('commits with the last statement, unless that fails', async () => {
  await connections.db.$transaction((runner) => runner.runLast(addName, 'last'));
  const failed = connections.db.$transaction(async (runner) => {
    await runner.run(addName, 'undone');
    await runner.runLast(divide, 0);
  });
  expect(await failed.catch(sqlState)).toBe('22012');
  expect((await readNames()).at(-1)).toEqual({ name: 'last' });
});

it('runs nothing after its last statement', async () => {
  const late = connections.db.$transaction(async (runner) => {
    await runner.runLast(addName, 'before the end');
    await runner.run(addName, 'after the end');
  });
  await expect(late).rejects.toThrow('the transaction has ended');
  expect((await readNames()).at(-1)).toEqual({ name: 'before the end' });
});

it('hands over rows with empty fields, odd characters and their numbers', async () => {
  const rows = [
    { id: 7, name: 'a "quoted" \\ name' },
    { id: null, name: '' },
  ];
  const answered = await connections.db.$transaction((runner) => runner.run(numbered, rows));
  expect(answered).toEqual([
    { ...rows[0], no: 1 },
    { ...rows[1], no: 2 },
  ]);
});

it('goes on with a new connection after one was cut', async () => {
  const other = openDatabase({ url: database.url, poolSize: 1, purpose: 'ingestion' });
  const cut = connections.db.$transaction(async (runner) => {
    const [row] = await runner.run(ownPid, undefined);
    await other.db.$transaction((killer) => killer.run(end, row?.pid ?? 0));
    await runner.run(addName, 'never');
  });
  await expect(cut).rejects.toBeInstanceOf(Error);
  expect((await readNames()).map(({ name }) => name)).not.toContain('never');
  await other.close();
});
