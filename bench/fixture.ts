import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createIdentity, type Identity } from '../server/people/auth/identity.js';
import { openDatabase } from '../server/kernel/database/client.js';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../server/kernel/database/embedded.js';
import { findPostmaster } from '../server/kernel/database/embedded/postmaster.js';
import { markExpired } from '../server/kernel/database/expired.js';
import { migrate } from '../server/kernel/database/migrate.js';
import { createLog } from '../server/kernel/log.js';
import { ensurePartitions } from '../server/kernel/database/partitions.js';
import { readSettings } from '../server/kernel/settings.js';

/** Cleanup functions of a run, which run in reverse order however it ends. */
export type Undo = (() => unknown)[];

/** The environment of a benchmark. */
export type Fixture = {
  /** Holds the data and the logs. */
  readonly folder: string;
  readonly database: EmbeddedDatabase;
  readonly client: pg.Client;
  readonly postmasterPid: number;
};

const log = createLog('warn');

/**
 * Starts an embedded database with all migrations and partitions, in the given folder or in one that is removed at the
 * end. Prints a description of the machine to standard error.
 */
export async function prepareFixture(dataDir: string | undefined, undo: Undo): Promise<Fixture> {
  const folder = openFolder(dataDir, undo);
  const database = await startEmbeddedDatabase({ dataDir: path.join(folder, 'data'), log });
  undo.push(() => database.stop());
  await migrate({ url: database.url, log });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  undo.push(() => client.end());
  await makePartitions(database);
  await describeMachine(client);
  const postmaster = findPostmaster(path.join(folder, 'data', 'postgres'));
  if (typeof postmaster !== 'object') throw new Error('the database is not running');
  return { folder, database, client, postmasterPid: postmaster.pid };
}

function openFolder(dataDir: string | undefined, undo: Undo): string {
  if (dataDir !== undefined) {
    mkdirSync(dataDir, { recursive: true });
    return dataDir;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-bench-'));
  // PostgreSQL runs as another user if this process is root.
  chmodSync(folder, 0o711);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function makePartitions({ url }: EmbeddedDatabase): Promise<void> {
  await using pool = openDatabase({ url, poolSize: 2 });
  await ensurePartitions(pool.db, { retentionDays: readSettings({}).eventRetentionDays, nowMs: Date.now() });
}

/** Flags expired rows, as maintenance of a running service would have done. */
export async function markExpiredRows({ url }: EmbeddedDatabase): Promise<void> {
  await using pool = openDatabase({ url, poolSize: 1 });
  await markExpired(pool.db);
}

async function describeMachine(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const processors = cpus();
  reportProgress(
    `${processors.length} processors (${processors[0]?.model.trim()}), Node ${process.versions.node}, PostgreSQL ${rows[0]?.server_version} with durable settings`,
  );
}

/** Returns tokens of API keys, in the same order. */
export function signTokens(database: EmbeddedDatabase, keyIds: readonly string[]): Promise<string[]> {
  return withIdentity(database, (identity) =>
    Promise.all(keyIds.map((id) => identity.signApiKey({ id, expiresAtMs: null }))),
  );
}

/** Returns an access token of a session, valid for 15 minutes. */
export function signSession(
  database: EmbeddedDatabase,
  session: { id: string; userId: number; orgId: number },
): Promise<string> {
  return withIdentity(database, (identity) => identity.signSession(session));
}

async function withIdentity<Result>(
  { url, authSecret }: EmbeddedDatabase,
  sign: (identity: Identity) => Promise<Result>,
): Promise<Result> {
  await using pool = openDatabase({ url, poolSize: 1 });
  const { environment } = readSettings({});
  const identity = createIdentity({ db: pool.db, log, settings: { authSecret, environment } });
  const result = await sign(identity);
  await identity.stop();
  return result;
}

/** Prints progress to standard error, so that standard output contains only the table. */
export function reportProgress(line: string): void {
  console.error(line);
}
