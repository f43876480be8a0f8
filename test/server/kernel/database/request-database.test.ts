import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Prisma } from '../../../../generated/prisma/client.js';
import { type DatabasePool, openDatabase } from '../../../../server/kernel/database/client.js';
import { isUnavailable } from '../../../../server/kernel/database/faults.js';
import { lockStatement } from '../../../../server/kernel/database/locks.js';
import { createPresence } from '../../../../server/kernel/database/presence.js';
import { createRequestDatabases, type RequestDatabases } from '../../../../server/kernel/database/request-database.js';
import { createLoopTurns } from '../../../../server/kernel/loop-turns.js';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.js';

let database: TestDatabase;
let connections: DatabasePool;
let databases: RequestDatabases;
/** A connection of another client. */
let other: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
  connections = openDatabase({ url: database.url, poolSize: 4, purpose: 'requests', canceledBy: other });
  databases = createRequestDatabases(connections, createLoopTurns());
});

afterAll(async () => {
  await other.end();
  await connections.close();
  await database[Symbol.asyncDispose]();
});

test('rows are as Prisma reads them', async () => {
  const statement = Prisma.sql`
    SELECT 1::int AS int4, 9007199254740993 AS int8, 1.5::float8 AS float8, 2.5::real AS float4, 12.30::numeric AS decimal,
           'text' AS text, true AS bool, NULL::int AS nothing, ARRAY[1, 2] AS numbers, ARRAY['a"b', NULL] AS texts,
           '{"a": [1, {"__proto__": 2}]}'::json AS json, '{"b": null}'::jsonb AS jsonb,
           '1969-12-31T23:59:58.123Z'::timestamptz(3) AS instant, '0b8f3b1e-6f0b-4c4c-9a33-5b9f8a1c2d3e'::uuid AS uuid,
           (${'x'}::text || ${5}::int || (${[7, 8]}::int[])[2] || (${['p,q']}::text[])[1] || ${null}::text IS NULL) AS given,
           ${new Date(1)}::timestamptz AS date`;
  const expected = await databases.of(1).models((prisma) => prisma.$queryRaw<object[]>(statement));
  expect(await databases.of(1).$queryRaw(statement)).toEqual(expected);
  expect(await databases.of(1).$transaction((tx) => tx.$queryRaw(statement))).toEqual(expected);
});

test('a statement that changes rows returns how many', async () => {
  const db = databases.of(1);
  await db.$executeRaw`CREATE TABLE things (id int)`;
  expect(await db.$executeRaw`INSERT INTO things SELECT generate_series(1, ${3}::int)`).toBe(3);
});

test('models and transactions work', async () => {
  const db = databases.of(1);
  const id = await db.$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<[{ id: number }]>`INSERT INTO organizations (name) VALUES ('Acme') RETURNING id`;
    expect(await tx.$executeRaw`UPDATE organizations SET name = 'Bolt' WHERE id = ${row.id}`).toBe(1);
    return row.id;
  });
  expect(await db.models(({ organization }) => organization.findUnique({ where: { id } }))).toMatchObject({
    name: 'Bolt',
  });
});

test('a transaction that takes too long is rolled back, and counts as unavailable', async () => {
  const slow = databases.of(1).$transaction(
    async (tx) => {
      await tx.$executeRaw`INSERT INTO organizations (name) VALUES ('Late')`;
      await tx.$queryRaw`SELECT 1 AS one FROM pg_sleep(0.05)`;
      await tx.$queryRaw`SELECT 1 AS one`;
    },
    { timeoutMs: 20 },
  );
  expect(isUnavailable(await slow.catch((error: unknown) => error))).toBe(true);
  expect(await databases.of(1).$queryRaw`SELECT FROM organizations WHERE name = 'Late'`).toEqual([]);
});

test('a request that waits for a lock has no connection meanwhile, and continues when the lock is free', async () => {
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock(3, 7)');
  const waiting = Array.from({ length: 8 }, () =>
    databases.of(7).$transaction((tx) => tx.$queryRaw(lockStatement('tree', 7))),
  );
  // Longer than a statement may wait inside a connection: all of them have been rejected at least once by then.
  const repeats = Array.from({ length: 6 }, () => databases.of(7).$queryRaw`SELECT 1 AS one FROM pg_sleep(0.1)`);
  expect((await Promise.all(repeats)).flat()).toHaveLength(6);
  await other.query('COMMIT');
  expect(await Promise.all(waiting)).toHaveLength(8);
});

test('a lock that is not free within four seconds ends in the error that the service is busy', async () => {
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock(3, 8)');
  const startedMs = performance.now();
  const error: unknown = await databases
    .of(8)
    .$queryRaw(lockStatement('tree', 8))
    .catch((fault: unknown) => fault);
  await other.query('COMMIT');
  expect(isUnavailable(error)).toBe(true);
  expect(performance.now() - startedMs).toBeGreaterThan(3500);
});

test('a statement ends when its client leaves', async () => {
  const presence = createPresence();
  const slow = databases.of(1, presence).$queryRaw`SELECT 1 AS slow FROM pg_sleep(60)`.catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rows } = await other.query(
        "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()",
      );
      return rows.length;
    })
    .toBe(1);
  presence.leave();
  expect(await slow).toMatchObject({
    type: 'service_unavailable',
    message: expect.stringContaining('The client closed'),
  });
  // The connection is as good as new.
  expect(await databases.of(1).$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

test('an error in a statement costs no connection, a lost connection is replaced', async () => {
  const pidOf = async () => {
    const [row] = await databases.of(1).$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    return row?.pid;
  };
  await Promise.all(Array.from({ length: 20 }, pidOf));
  const before = connections.pool.totalCount;
  await expect(databases.of(1).$queryRaw`SELECT 1 / 0`).rejects.toMatchObject({ code: '22012' });
  expect(connections.pool.totalCount).toBe(before);
  await other.query('SELECT pg_terminate_backend($1, 5000)', [await pidOf()]);
  await expect.poll(pidOf).toBeTypeOf('number');
});

test('a database that takes no more connections, and one that is away, count as unavailable', async () => {
  await other.query("CREATE ROLE narrow LOGIN PASSWORD 'narrow' CONNECTION LIMIT 0");
  const url = new URL(database.url);
  url.username = 'narrow';
  url.password = 'narrow';
  const away = new URL(database.url);
  away.port = '1';
  for (const address of [url, away]) {
    const broken = openDatabase({ url: address.href, poolSize: 2, purpose: 'requests' });
    const db = createRequestDatabases(broken, createLoopTurns()).of(1);
    const errors = [
      await db.$queryRaw`SELECT 1`.catch((error: unknown) => error),
      await db.$transaction((tx) => tx.$queryRaw`SELECT 1`).catch((error: unknown) => error),
      await db.models(({ organization }) => organization.findFirst()).catch((error: unknown) => error),
      await broken.db.$queryRaw`SELECT 1`.catch((error: unknown) => error),
    ];
    expect(errors.map(isUnavailable)).toEqual([true, true, true, true]);
    await broken.close();
  }
  await other.query('DROP ROLE narrow');
});

test('a connection that is reset during a statement counts as unavailable', async () => {
  const resetting = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  await once(resetting.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database.url);
  url.port = String((resetting.address() as AddressInfo).port);
  const broken = openDatabase({ url: url.href, poolSize: 1, purpose: 'requests' });
  const error: unknown = await broken.db.$queryRaw`SELECT 1`.catch((fault: unknown) => fault);
  expect(isUnavailable(error)).toBe(true);
  await broken.close();
  resetting.close();
});

test('a mistake in a statement does not count as unavailable', async () => {
  const error: unknown = await databases.of(1).$queryRaw`SELECT nothing`.catch((fault: unknown) => fault);
  expect(isUnavailable(error)).toBe(false);
});

test('each purpose has its limits', async () => {
  const { pool } = connections;
  const show = async (name: string) => (await pool.query<Record<string, string>>(`SHOW ${name}`)).rows[0]?.[name];
  expect(await show('statement_timeout')).toBe('10s');
  expect(await show('max_parallel_workers_per_gather')).toBe('0');
  expect(await show('lock_timeout')).toBe('250ms');
  expect(await show('temp_file_limit')).toBe('256MB');
  expect(await show('idle_in_transaction_session_timeout')).toBe('20s');
});
