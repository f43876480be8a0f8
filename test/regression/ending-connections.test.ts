import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../server/kernel/database/client.js';
import type { Log } from '../../server/kernel/log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let other: pg.Client;
let logged: string[];
let log: Log;

beforeAll(async () => {
  database = await createTestDatabase();
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});

beforeEach(() => {
  logged = [];
  log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
});

afterAll(async () => {
  await other.end();
  await database[Symbol.asyncDispose]();
});

/** Has the database end the connection of `pid` after the service has asked it to close and before it has read that. */
async function endFirst(pid: number, close: () => Promise<unknown>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await close();
    await other.query('SELECT pg_terminate_backend($1)', [pid]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect
    .poll(async () => (await other.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount)
    .toBe(0);
}

test('a connection of a pool that has ended breaks without a word', async () => {
  const { db, close } = openDatabase({ url: database.url, poolSize: 1, log });
  const [connection] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await endFirst(connection?.pid ?? 0, close);
  expect(logged).toEqual([]);
});
