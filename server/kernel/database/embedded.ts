import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withDeadline } from '../deadline.js';
import type { Log } from '../log.js';
import { memoryBytes } from '../resources.js';
import { errorCode, StartError } from '../start-error.js';
import { type Binaries, findBinaries } from './embedded/binaries.js';
import { currentMajorVersion, ensureCluster, superuser, versionOf } from './embedded/cluster.js';
import { generateSecret, keptSecret } from './embedded/kept-secret.js';
import { explainEnd, keepLogShort } from './embedded/log-file.js';
import { checkPassable, findOsUser } from './embedded/os-user.js';
import { type OwnerLock, takeOwnerLock } from './embedded/owner-lock.js';
import { findPostmaster } from './embedded/postmaster.js';
import { finishUpgrade } from './embedded/upgraded-cluster.js';
import { type ServerSettings, startServer, stopServer } from './embedded/server.js';

const databaseName = 'whereabouts';
const stopTimeoutMs = 10_000;
const releaseMs = 1000;
const recoveryTimeoutMs = 60_000;
const retryMs = 50;

// docs/decisions/0006-embedded-postgresql-and-migrations.md explains how the server outlives a killed process.

/** Errors that occur while the server recovers from a crash or is about to stop. */
const passingFaults = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET']);

/** Settings for a machine that also runs the service. Acknowledged data is on the disk. */
const serverSettings: ServerSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  max_locks_per_transaction: '256',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

const megabyte = 1024 * 1024;
const memoryShare = 1 / 16;

/**
 * Returns the memory for pages of tables and indexes: a sixteenth of the memory of the machine or container, from 256 MB to
 * 1 GB. It is used as the data grows.
 */
function sharedBuffers(): string {
  return `${Math.min(1024, Math.max(256, Math.floor((memoryBytes() * memoryShare) / megabyte)))}MB`;
}

export type EmbeddedOptions = {
  /** Absolute; made if missing. Holds the cluster, the server's log and the secrets. */
  readonly dataDir: string;
  readonly log: Log;
  /** Used instead of the secret stored in the data folder, which is then neither generated nor needed. */
  readonly authSecret?: string | undefined;
  /** Added to the server's settings, for tests that need no durability. */
  readonly serverSettings?: ServerSettings;
  /** Programs of an earlier major version, for a cluster that is about to be upgraded. */
  readonly older?: { readonly majorVersion: string; readonly binaries: Binaries };
  /** Called once if the server is lost while it should run. */
  readonly onLost?: (error: unknown) => void;
};

export type EmbeddedDatabase = {
  /** The URL of the database `whereabouts`, with the superuser and its password. */
  readonly url: string;
  /** The secret from the options, or else the secret that was generated with the data and stored in the data folder. */
  readonly authSecret: string;
  /**
   * Ends every connection and stops the server.
   *
   * @param deadline in epoch milliseconds, ten seconds from now by default; a server that is still running a second
   * before the deadline is killed, and recovers at its next start
   */
  stop(deadline?: number): Promise<void>;
};

function openDataDir(dataDir: string): void {
  try {
    if (!existsSync(dataDir)) {
      mkdirSync(dataDir, { recursive: true });
      chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    }
    const probe = path.join(dataDir, `.writable.${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartError(
      `the data folder ${dataDir} cannot be written (${errorCode(error)}): set DATA_DIR to another`,
      {
        cause: error,
      },
    );
  }
}

async function createDatabaseIfMissing(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}

/**
 * Returns a server that answers and that no other process uses. A server that was left running may be recovering, or
 * about to stop.
 */
async function startAndLock(start: () => Promise<number>, lock: (port: number) => Promise<OwnerLock>) {
  const deadline = Date.now() + recoveryTimeoutMs;
  for (;;) {
    const port = await start();
    try {
      return { port, ownerLock: await lock(port) };
    } catch (error) {
      if (!passingFaults.has(errorCode(error) ?? '') || Date.now() > deadline) throw error;
      await delay(retryMs);
    }
  }
}

const paths = (dataDir: string) => ({
  clusterDir: path.join(dataDir, 'postgres'),
  passwordFile: path.join(dataDir, 'postgres-password'),
  authSecretFile: path.join(dataDir, 'auth-secret'),
});

const urlAt = (password: string, port: number, database: string) =>
  `postgresql://${superuser}:${password}@127.0.0.1:${port}/${database}`;

const lostSecrets = 'docs/operations.md describes the way back under "Lost secrets"';

const readPassword = (dataDir: string) =>
  keptSecret(paths(dataDir).passwordFile, `Copy it back from another copy of the folder; ${lostSecrets}`);

const readAuthSecret = (dataDir: string) =>
  keptSecret(paths(dataDir).authSecretFile, `Copy it back, or take it from secrets.json in a backup; ${lostSecrets}`);

/**
 * Returns the address of the embedded database of a running service; undefined if none runs.
 *
 * @throws StartError if a secret is missing
 */
export function findEmbeddedDatabase({
  dataDir,
  authSecret,
}: Pick<EmbeddedOptions, 'dataDir' | 'authSecret'>): Pick<EmbeddedDatabase, 'url' | 'authSecret'> | undefined {
  const postmaster = findPostmaster(paths(dataDir).clusterDir);
  if (typeof postmaster !== 'object') return undefined;
  return {
    url: urlAt(readPassword(dataDir), postmaster.port, databaseName),
    authSecret: authSecret ?? readAuthSecret(dataDir),
  };
}

/** Returns whether the folder already has a database. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(paths(dataDir).clusterDir);
}

/** Writes the secret that the first start in an empty folder would otherwise generate. */
export function presetAuthSecret(dataDir: string, secret: string): void {
  openDataDir(dataDir);
  writeFileSync(paths(dataDir).authSecretFile, `${secret}\n`, { mode: 0o600, flush: true });
}

/**
 * Starts the PostgreSQL that comes with the service, on 127.0.0.1 only, and creates its data at the first start. Takes
 * over a server that a killed process left running.
 *
 * @throws StartError with one line about what to do
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, log } = options;
  const { majorVersion, binaries } = options.older ?? { majorVersion: currentMajorVersion, binaries: findBinaries() };
  const { clusterDir, passwordFile, authSecretFile } = paths(dataDir);
  openDataDir(dataDir);
  finishUpgrade(clusterDir);
  const user = findOsUser(clusterDir, log);
  for (const target of [binaries.postgres, dataDir]) checkPassable(target, user);
  // Secrets are generated only together with the data. New secrets could not open existing data, or would silently
  // invalidate all sessions and keys.
  if (versionOf(clusterDir) === undefined) {
    generateSecret(passwordFile);
    if (options.authSecret === undefined) generateSecret(authSecretFile);
  }
  const password = readPassword(dataDir);
  const authSecret = options.authSecret ?? readAuthSecret(dataDir);
  const cluster = { binaries, dataDir, clusterDir, logFile: path.join(dataDir, 'postgres.log'), user, password };

  const ownSettings: ServerSettings = { ...serverSettings, shared_buffers: sharedBuffers() };
  const settings: ServerSettings = { ...ownSettings, ...options.serverSettings };
  await ensureCluster(cluster, settings.fsync !== 'off', majorVersion);
  const { port, ownerLock } = await startAndLock(
    () => startServer(cluster, settings),
    (at) =>
      takeOwnerLock({
        url: urlAt(password, at, 'postgres'),
        isServerAlive: () => typeof findPostmaster(clusterDir) === 'object',
        onLost: (error) => options.onLost?.(explainEnd(cluster.logFile, error)),
      }),
  );
  const urlOf = (database: string) => urlAt(password, port, database);
  const endRotation = keepLogShort(cluster.logFile, (error) =>
    log.warn({ err: error }, 'postgres.log cannot be rotated'),
  );
  async function stop(deadline = Date.now() + stopTimeoutMs): Promise<void> {
    endRotation();
    // A frozen server does not answer, but is still asked to stop.
    await withDeadline({ what: 'the embedded database', ms: releaseMs }, () => ownerLock.release()).catch(() => {});
    await stopServer(cluster, deadline);
  }
  try {
    await createDatabaseIfMissing(urlOf('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  log.debug({ port, clusterDir }, 'the embedded PostgreSQL runs');
  return {
    url: urlOf(databaseName),
    authSecret,
    stop,
  };
}
