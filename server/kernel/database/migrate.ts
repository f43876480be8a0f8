import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { createJobLogger } from '../jobs/job-logger.js';
import type { Log } from '../log.js';
import { projectRoot } from '../project-root.js';
import { errorCode, StartError } from '../start-error.js';

/** The advisory lock of Prisma's own migration engine, so that the two never migrate one database at once. */
const prismaMigrateLock = 72_707_369;
const serverVersionMin = 150_000;

/** The definition of the table, as Prisma's engine creates it. */
const migrationsTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/** How long a migration waits for a lock. Other statements queue behind it, so it gives up after two seconds and tries again. */
const lockTimeoutMs = 2000;

/** The interval of checks whether another process has finished its migrations. */
const turnPauseMs = 200;
const lockAttemptsMax = 30;
const lockPauseDefaultMs = 2000;

/** The SQLSTATE of a lock that was not available in time. */
const lockNotAvailable = '55P03';

/** The first line of a script whose statements run one by one, outside of a transaction. */
const outsideMarker = '-- Outside of a transaction.';

export type MigrateOptions = {
  readonly url: string;
  readonly log: Log;
  /** The folder of the migrations; the project's by default. */
  readonly folder?: string;
  /** The pause before a migration that could not lock a table tries again. */
  readonly lockPauseMs?: number;
  /** Applies only these migrations, which the database of a backup had; all by default. */
  readonly until?: readonly { readonly name: string; readonly checksum: string }[];
};

type Migration = {
  readonly name: string;
  readonly script: string;
  readonly checksum: string;
};

type RecordedMigration = {
  readonly name: string;
  readonly checksum: string;
  readonly isFinished: boolean;
};

/** Reads all migrations, sorted by name. A checkout may have converted line ends; Prisma's checksum is for LF. */
function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, 'migration.sql')))
    .map(({ name }) => {
      const script = readFileSync(path.join(folder, name, 'migration.sql'), 'utf8').replaceAll('\r\n', '\n');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readRecorded(client: pg.Client): Promise<RecordedMigration[]> {
  const { rows } = await client.query<RecordedMigration>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
       FROM _prisma_migrations
      WHERE rolled_back_at IS NULL
      ORDER BY migration_name`,
  );
  return rows;
}

function checkRecorded(recorded: readonly RecordedMigration[], migrations: readonly Migration[]): void {
  for (const { name, checksum, isFinished } of recorded) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!isFinished) {
      throw new StartError(
        `the migration ${name} failed half-way: repair the database, then run prisma migrate resolve`,
      );
    }
    if (!migration) {
      throw new StartError(
        `the database has the migration ${name}, which this release does not know: run a newer one, unless a version before 1.0.0 made the database`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new StartError(`the migration ${name} was edited after the database had it: restore its file`);
    }
  }
}

/** Returns the migrations that a backup's database had; all by default. */
function upTo(until: MigrateOptions['until'], migrations: Migration[], recorded: readonly RecordedMigration[]) {
  if (!until) return migrations;
  for (const { name, checksum } of until) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (!migration)
      throw new StartError(`the backup has the migration ${name}, which this release does not know: run a newer one`);
    if (migration.checksum !== checksum) {
      throw new StartError(
        `the backup has another version of the migration ${name}: restore it with the release that made it`,
      );
    }
  }
  const names = new Set(until.map(({ name }) => name));
  const newer = recorded.find(({ name }) => !names.has(name));
  if (newer) {
    throw new StartError(
      `the database has the migration ${newer.name}, which the backup lacks: restore into a database without tables`,
    );
  }
  return migrations.filter(({ name }) => names.has(name));
}

/** Connects. If an address has several hosts, the error contains one error for each host and has no message itself. */
async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
    const reason = first instanceof Error ? first.message : String(first);
    throw new StartError(`the database cannot be reached (${reason}): check DATABASE_URL`, { cause: error });
  }
}

async function checkServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
  );
  const server = rows[0];
  if (server && server.number < serverVersionMin) {
    throw new StartError(`the database server is PostgreSQL ${server.version}, and at least 15 is needed`);
  }
}

/**
 * Waits for the lock of the migrations without holding a snapshot. A statement that waits inside the database would
 * hold a snapshot, and a `CREATE INDEX CONCURRENTLY` of the process that has the lock would wait for this snapshot: a
 * deadlock.
 */
async function waitForTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
      prismaMigrateLock,
    ]);
    if (rows[0]?.held) return;
    await delay(turnPauseMs);
  }
}

async function record(client: pg.Client, { name, checksum }: Migration, startedAt: Date): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, startedAt],
  );
}

/** Applies a migration. The script and its record commit together, so a killed start leaves neither. */
async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    const startedAt = new Date();
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.script);
    await record(client, migration, startedAt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * Runs the statements one by one, as `CREATE INDEX CONCURRENTLY` requires. A killed start leaves some statements done
 * and no record, so the next start runs all statements again: each must be repeatable. They wait for locks without a
 * limit, since such statements block nobody else.
 */
async function applyOutside(client: pg.Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  for (const statement of migration.script.split(/;\s*$/m)) {
    if (statement.replaceAll(/^\s*--.*$/gm, '').trim() !== '') await client.query(statement);
  }
  await record(client, migration, startedAt);
}

type Retry = { log: Log; pauseMs: number };

/** Applies one migration, with retries while another transaction holds a lock that it needs. */
async function apply(client: pg.Client, migration: Migration, { log, pauseMs }: Retry): Promise<void> {
  const { name, script } = migration;
  const isOutside = script.startsWith(outsideMarker);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (isOutside ? applyOutside : applyInTransaction)(client, migration);
      return;
    } catch (error) {
      const isLocked = errorCode(error) === lockNotAvailable;
      if (!isLocked || attempt >= lockAttemptsMax) {
        const reason = error instanceof Error ? error.message : String(error);
        const kept = isOutside ? 'and the next start runs it again' : 'and nothing of it was kept';
        throw new StartError(`the migration ${name} failed, ${kept}: ${reason}`, { cause: error });
      }
      log.warn({ migration: name, attempt }, 'a table is locked by another transaction; the migration tries again');
      await delay(pauseMs);
    }
  }
}

/**
 * Migrates the database to the newest migration, and records each as `prisma migrate deploy` does, which then finds
 * nothing to do. Processes that start at once wait for each other. A script runs in one transaction, unless its first
 * line is `-- Outside of a transaction.`. While another transaction holds a lock that a script needs, it is retried for
 * two minutes. Migrates the schema of the job queue as well.
 *
 * @returns the names of the migrations applied now
 * @throws StartError if a migration fails, was edited, or is unknown to this release, or the server is too old
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, log, folder, lockPauseMs = lockPauseDefaultMs, until } = options;
  const migrations = readMigrations(folder ?? path.join(projectRoot(), 'prisma', 'migrations'));
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts migrate' });
  client.on('error', () => {});
  await connect(client);
  try {
    await checkServerVersion(client);
    await waitForTurn(client);
    await client.query(migrationsTable);
    const recorded = await readRecorded(client);
    checkRecorded(recorded, migrations);
    const wanted = upTo(until, migrations, recorded);
    const pending = wanted.filter(({ name }) => !recorded.some((row) => row.name === name));
    for (const migration of pending) {
      await apply(client, migration, { log, pauseMs: lockPauseMs });
      log.info({ migration: migration.name }, 'migration applied');
    }
    // The job queue has migrations of its own, in its own schema. Ours call its functions, but only when rows change.
    await migrateJobQueue(options);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Creates the tables of the job queue. The library gets a pool of ours, since it would not handle the error of a
 * connection that breaks while its own pool ends.
 */
async function migrateJobQueue({ url, log }: MigrateOptions): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'whereabouts migrate' });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool: pool, logger: createJobLogger(log) });
  } finally {
    await pool.end();
  }
}
