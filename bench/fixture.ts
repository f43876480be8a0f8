import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createIdentity } from '../server/auth/identity.js';
import { createDatabase } from '../server/database/client.js';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../server/database/embedded.js';
import { findPostmaster } from '../server/database/embedded/postmaster.js';
import { markExpired } from '../server/database/expired.js';
import { migrate } from '../server/database/migrate.js';
import { createLog } from '../server/log.js';
import { ensurePartitions } from '../server/database/partitions.js';
import { readSettings } from '../server/settings.js';

/** What is to be undone when the run ends, however it ends: the last started first. */
export type Undo = (() => unknown)[];

/** What a benchmark stands on. */
export type Fixture = {
  /** Holds the data and the logs. */
  readonly folder: string;
  readonly database: EmbeddedDatabase;
  readonly client: pg.Client;
  readonly postmasterPid: number;
};

const log = createLog('warn');

/**
 * An embedded database with all migrations and partitions, in the folder given or in one that is removed at the end. What
 * the machine is goes to standard error.
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
  // PostgreSQL runs as another user where this process is root's.
  chmodSync(folder, 0o711);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function makePartitions({ url }: EmbeddedDatabase): Promise<void> {
  const db = createDatabase({ url, poolSize: 2 });
  await ensurePartitions(db, { retentionDays: readSettings({}).eventRetentionDays, nowMs: Date.now() });
  await db.$disconnect();
}

/** Marks what has expired, as maintenance of a running service has done. */
export async function markExpiredRows({ url }: EmbeddedDatabase): Promise<void> {
  const db = createDatabase({ url, poolSize: 1 });
  await markExpired(db);
  await db.$disconnect();
}

async function describeMachine(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const processors = cpus();
  tell(
    `${processors.length} processors (${processors[0]?.model.trim()}), Node ${process.versions.node}, PostgreSQL ${rows[0]?.server_version} with durable settings`,
  );
}

/** Tokens of API keys, in their order. */
export async function mintTokens({ url, authSecret }: EmbeddedDatabase, keyIds: readonly string[]): Promise<string[]> {
  const db = createDatabase({ url, poolSize: 1 });
  const { environment } = readSettings({});
  const identity = createIdentity({ db, log, settings: { authSecret, environment } });
  const tokens = await Promise.all(keyIds.map((id) => identity.signApiKey({ id, expiresAtMs: null })));
  await identity.stop();
  await db.$disconnect();
  return tokens;
}

/** Progress goes to standard error, so that the table can be taken from standard output. */
export function tell(line: string): void {
  console.error(line);
}
