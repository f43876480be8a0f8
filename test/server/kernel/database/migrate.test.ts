import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../../../server/kernel/database/migrate.js';
import { createLog } from '../../../../server/kernel/log.js';
import { projectRoot } from '../../../../server/kernel/project-root.js';
import { StartError } from '../../../../server/kernel/start-error.js';
import { createEmptyDatabase, query } from '../../../support/postgres.js';

const log = createLog('silent');
const projectMigrations = path.join(projectRoot(), 'prisma', 'migrations');

type Row = {
  readonly id: string;
  readonly checksum: string;
  readonly migration_name: string;
  readonly logs: string | null;
  readonly rolled_back_at: Date | null;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly applied_steps_count: number;
};

/** An empty database, and a folder of migrations given as scripts by name. */
async function createTrial(scripts: Record<string, string>) {
  const database = await createEmptyDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  const write = (name: string, script: string) => {
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, 'migration.sql'), script);
  };
  writeFileSync(path.join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  for (const [name, script] of Object.entries(scripts)) write(name, script);
  return {
    url: database.url,
    write,
    remove: (name: string) => rmSync(path.join(folder, name), { recursive: true }),
    migrate: (lockPauseMs = 50) => migrate({ url: database.url, log, folder, lockPauseMs }),
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
      await database[Symbol.asyncDispose]();
    },
  };
}

const two = {
  '1_one': 'CREATE TABLE one (id int);',
  '2_two': 'CREATE TABLE two (id int); INSERT INTO two VALUES (1);',
};

test('each migration is recorded as Prisma records it', async () => {
  await using database = await createEmptyDatabase();
  const applied = await migrate({ url: database.url, log });
  const rows = await query<Row>(database.url, 'SELECT * FROM _prisma_migrations ORDER BY migration_name');
  expect(rows.map((row) => row.migration_name)).toEqual(applied);
  for (const row of rows) {
    const script = readFileSync(path.join(projectMigrations, row.migration_name, 'migration.sql'));
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      checksum: createHash('sha256').update(script).digest('hex'),
      migration_name: row.migration_name,
      logs: null,
      rolled_back_at: null,
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      applied_steps_count: 1,
    });
  }
});

test('the table of records has the columns of Prisma', async () => {
  await using trial = await createTrial({});
  await trial.migrate();
  const columns = await query<{ column: string }>(
    trial.url,
    `SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END,
                      pg_get_expr(adbin, adrelid)) AS column
       FROM pg_attribute
       LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE attrelid = '_prisma_migrations'::regclass AND attnum > 0
      ORDER BY attnum`,
  );
  expect(columns.map(({ column }) => column)).toEqual([
    'id character varying(36) not null',
    'checksum character varying(64) not null',
    'finished_at timestamp with time zone',
    'migration_name character varying(255) not null',
    'logs text',
    'rolled_back_at timestamp with time zone',
    'started_at timestamp with time zone not null now()',
    'applied_steps_count integer not null 0',
  ]);
});

test('a second run applies nothing, a third one only what is new', async () => {
  await using trial = await createTrial(two);
  expect(await trial.migrate()).toEqual(['1_one', '2_two']);
  expect(await trial.migrate()).toEqual([]);
  trial.write('3_three', 'ALTER TABLE two ADD COLUMN name text;');
  expect(await trial.migrate()).toEqual(['3_three']);
});

test('of processes that start at once each migration is applied by one', async () => {
  await using trial = await createTrial(two);
  const applied = await Promise.all(Array.from({ length: 5 }, () => trial.migrate()));
  expect(applied.flat().toSorted()).toEqual(['1_one', '2_two']);
});

test('a run waits while the engine of Prisma holds its lock', async () => {
  await using trial = await createTrial(two);
  const holder = new pg.Client({ connectionString: trial.url });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(72707369)');
  const run = trial.migrate();
  let waiting = 0;
  while (waiting === 0) {
    const { rows } = await holder.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'whereabouts migrate' AND query LIKE '%advisory%'`,
    );
    waiting = rows[0]?.n ?? 0;
  }
  expect((await holder.query("SELECT to_regclass('one') AS one")).rows).toEqual([{ one: null }]);
  await holder.end();
  expect(await run).toEqual(['1_one', '2_two']);
});

test('a migration that fails leaves nothing, stops the start and is tried again by the next', async () => {
  await using trial = await createTrial({ '1_one': 'CREATE TABLE one (id int);' });
  trial.write('2_two', 'CREATE TABLE two (id int); SELECT 1 / 0;');
  const failure = trial.migrate();
  await expect(failure).rejects.toBeInstanceOf(StartError);
  await expect(failure).rejects.toThrow('the migration 2_two failed, and nothing of it was kept: division by zero');
  expect(await query(trial.url, "SELECT to_regclass('one') IS NULL AS one, to_regclass('two') IS NULL AS two")).toEqual(
    [{ one: false, two: true }],
  );
  trial.write('2_two', 'CREATE TABLE two (id int);');
  expect(await trial.migrate()).toEqual(['2_two']);
});

test('a migration that was edited after it was applied is rejected', async () => {
  await using trial = await createTrial(two);
  await trial.migrate();
  trial.write('1_one', 'CREATE TABLE one (id bigint);');
  await expect(trial.migrate()).rejects.toThrow('the migration 1_one was edited after the database had it');
});

test('other line ends from a checkout do not count as an edit', async () => {
  await using trial = await createTrial({ '1_one': 'CREATE TABLE one (\n  id int\n);\n' });
  await trial.migrate();
  trial.write('1_one', 'CREATE TABLE one (\r\n  id int\r\n);\r\n');
  expect(await trial.migrate()).toEqual([]);
});

test('a database of a newer release is rejected', async () => {
  await using trial = await createTrial(two);
  await trial.migrate();
  trial.remove('2_two');
  await expect(trial.migrate()).rejects.toThrow(
    'the database has the migration 2_two, which this release does not know',
  );
});

test('a migration that another tool left half-way is rejected, and ignored once it is marked as rolled back', async () => {
  await using trial = await createTrial(two);
  await trial.migrate();
  await query(trial.url, "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_two'");
  await expect(trial.migrate()).rejects.toThrow('the migration 2_two failed half-way');
  await query(
    trial.url,
    'DROP TABLE two; UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL',
  );
  expect(await trial.migrate()).toEqual(['2_two']);
});

test('an unreachable server is reported in one line', async () => {
  const failure = migrate({ url: 'postgresql://nobody:x@127.0.0.1:1/x', log });
  await expect(failure).rejects.toBeInstanceOf(StartError);
  await expect(failure).rejects.toThrow(
    /^the database cannot be reached \(connect ECONNREFUSED .*\): check DATABASE_URL$/,
  );
});

test('a migration that finds its table locked gives way, and is applied when the table is free', async () => {
  await using trial = await createTrial({ '1_one': 'CREATE TABLE one (id int);' });
  await trial.migrate();
  const holder = new pg.Client({ connectionString: trial.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM one');
    trial.write('2_two', 'ALTER TABLE one ADD COLUMN name text;');
    // It pauses for long enough to be seen between two attempts.
    const migrated = trial.migrate(2000);
    const refused = async () => {
      const [row] = await query<{ n: number }>(
        trial.url,
        `SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE application_name = 'whereabouts migrate' AND datname = current_database() AND state = 'idle' AND query = 'ROLLBACK'`,
      );
      return row?.n;
    };
    await expect.poll(refused, { interval: 5 }).toBe(1);
    // Meanwhile nobody waits behind it.
    await holder.query('COMMIT');
    expect(await migrated).toEqual(['2_two']);
  } finally {
    await holder.end();
  }
});

test('a migration outside of a transaction can build an index concurrently, and is repeated if it was not recorded', async () => {
  await using trial = await createTrial({
    '1_one': 'CREATE TABLE one (id int);',
    '2_index': `-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on one; reads and writes go on.
DROP INDEX CONCURRENTLY IF EXISTS one_id;
CREATE INDEX CONCURRENTLY one_id ON one (id);
`,
  });
  expect(await trial.migrate()).toEqual(['1_one', '2_index']);
  await query(trial.url, "DELETE FROM _prisma_migrations WHERE migration_name = '2_index'");
  expect(await trial.migrate()).toEqual(['2_index']);
  expect(await query(trial.url, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'one_id'::regclass")).toEqual([
    { indisvalid: true },
  ]);
});
