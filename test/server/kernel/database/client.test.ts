import pg from 'pg';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../support/models.js';
import { createStatementNames } from '../../../../server/kernel/database/statement-names.js';
import { createTestDatabase } from '../../../support/postgres.js';

test('a text has a name from the second time on, and keeps it', () => {
  const nameOf = createStatementNames();
  expect(nameOf({ sql: 'SELECT 1' })).toBe('');
  const name = nameOf({ sql: 'SELECT 1' });
  expect(name).not.toBe('');
  expect(nameOf({ sql: 'SELECT 1' })).toBe(name);
});

test('two texts never share a name', () => {
  const nameOf = createStatementNames();
  const names = new Set<string>();
  for (let i = 0; i < 400; i += 1) {
    nameOf({ sql: `SELECT ${i}` });
    names.add(nameOf({ sql: `SELECT ${i}` }));
  }
  expect(names.size).toBe(400);
});

test('texts seen once take no entry of the cache, however many they are', () => {
  const nameOf = createStatementNames();
  for (let i = 0; i < 10_000; i += 1) expect(nameOf({ sql: `SELECT ${i}` })).toBe('');
  nameOf({ sql: 'SELECT now()' });
  expect(nameOf({ sql: 'SELECT now()' })).not.toBe('');
});

test('the number of names has a limit, past which texts run unprepared', () => {
  const nameOf = createStatementNames();
  let named = 0;
  for (let i = 0; i < 2000; i += 1) {
    nameOf({ sql: `SELECT ${i}` });
    if (nameOf({ sql: `SELECT ${i}` }) !== '') named += 1;
  }
  expect(named).toBe(500);
});

test('a repeated query is prepared on the server', async () => {
  await using database = await createTestDatabase();
  const db = openTestDb(database.url, 1);
  try {
    for (let i = 0; i < 3; i += 1) await db.$queryRaw`SELECT ${i}::int AS answer`;
    const rows = await db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
    expect(rows.map(({ statement }) => statement)).toEqual(['SELECT $1::int AS answer']);
  } finally {
    await db.$disconnect();
  }
});

test('a connection that breaks is replaced', async () => {
  await using database = await createTestDatabase();
  const db = openTestDb(database.url, 1);
  const killer = new pg.Client({ connectionString: database.url });
  await killer.connect();
  try {
    const [before] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await killer.query('SELECT pg_terminate_backend($1, 5000)', [before?.pid]);
    const [after] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    expect(after?.pid).not.toBe(before?.pid);
  } finally {
    await killer.end();
    await db.$disconnect();
  }
});
