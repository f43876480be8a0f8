import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Log } from '../log.js';
import { projectRoot } from '../project-root.js';
import { StartError } from '../start-error.js';

/** The advisory lock of Prisma's own migration engine: the two never work on one database at once. */
const PRISMA_MIGRATE_LOCK = 72_707_369;
const SERVER_VERSION_MIN = 150_000;

/** The definition that Prisma's engine gives this table. */
const MIGRATIONS_TABLE = `
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

export interface MigrateOptions {
  readonly url: string;
  readonly log: Log;
  /** Where the migrations are; that of the project unless told. */
  readonly folder?: string;
}

interface Migration {
  readonly name: string;
  readonly script: string;
  readonly checksum: string;
}

interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly isFinished: boolean;
}

/** All migrations in the order of their names. A checkout may have turned the line ends; Prisma's checksum is of LF. */
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
      throw new StartError(`the database has the migration ${name}, which this release does not know: run a newer one`);
    }
    if (migration.checksum !== checksum) {
      throw new StartError(`the migration ${name} was edited after the database had it: restore its file`);
    }
  }
}

/** An address with several hosts fails with one error for each, and no message of its own. */
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
  if (server && server.number < SERVER_VERSION_MIN) {
    throw new StartError(`the database server is PostgreSQL ${server.version}, and at least 15 is needed`);
  }
}

/** The script and its record commit together: a start killed half-way leaves neither. */
async function apply(client: pg.Client, { name, script, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    const startedAt = new Date();
    await client.query(script);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name, startedAt],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the migration ${name} failed, and nothing of it was kept: ${reason}`, { cause: error });
  }
}

/**
 * Brings the database to the newest migration, and records each as `prisma migrate deploy` does, which then finds
 * nothing to do. Processes that start at once wait for each other. A script runs in one transaction, so it holds
 * neither `COMMIT` nor `CONCURRENTLY`.
 *
 * @returns the names of the migrations applied now
 * @throws StartError if a migration fails, was edited, or is unknown to this release, or the server is too old
 */
export async function migrate({ url, log, folder }: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(folder ?? path.join(projectRoot(), 'prisma', 'migrations'));
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts migrate' });
  client.on('error', () => {});
  await connect(client);
  try {
    await checkServerVersion(client);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const recorded = await readRecorded(client);
    checkRecorded(recorded, migrations);
    const pending = migrations.filter(({ name }) => !recorded.some((row) => row.name === name));
    for (const migration of pending) {
      await apply(client, migration);
      log.info({ migration: migration.name }, 'migration applied');
    }
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
