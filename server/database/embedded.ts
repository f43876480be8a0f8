import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.js';
import { errorCode, StartError } from '../start-error.js';
import { type Binaries, findBinaries } from './embedded/binaries.js';
import { keptSecret } from './embedded/kept-value.js';
import { checkPassable, findOsUser, type OsUser } from './embedded/os-user.js';
import { takeOwnerLock } from './embedded/owner-lock.js';
import { findPostmaster, isAlive } from './embedded/postmaster.js';

const DATABASE = 'whereabouts';
const SUPERUSER = 'postgres';
const MAJOR_VERSION = '18';
const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 10_000;
const POLL_MS = 10;
const LOG_LINES_SHOWN = 5;

/** Meant for one machine that also runs the service; what is acknowledged is on the disk. */
const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '256MB',
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

export interface EmbeddedOptions {
  /** Absolute; made if missing. Holds the cluster, the server's log and the secrets. */
  readonly dataDir: string;
  readonly log: Log;
  /** Added to the server's settings, for tests that need no durability. */
  readonly serverSettings?: Readonly<Record<string, string>>;
  /** Called once if the server is lost while it should run. */
  readonly onLost?: (error: unknown) => void;
}

export interface EmbeddedDatabase {
  /** Of the database `whereabouts`, as its superuser, with the password. */
  readonly url: string;
  /** Made at the first start and kept in the data folder. */
  readonly authSecret: string;
  /**
   * Ends every connection and stops the server.
   *
   * @param deadline in epoch milliseconds; a server that has not stopped a second before it is cut off, and recovers
   *   at its next start. Ten seconds from now unless told.
   */
  stop(deadline?: number): Promise<void>;
}

interface Cluster {
  readonly binaries: Binaries;
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly logFile: string;
  readonly user: OsUser;
  readonly password: string;
}

/** Runs a program of PostgreSQL to its end, away from the terminal's signals. */
async function runProgram(program: string, args: string[], user: OsUser): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { ...user, cwd: path.parse(program).root, detached: true });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

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

/** Folders in which a start was killed before its cluster was whole. */
function removeDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const maker = /^postgres\.new-(\d+)-/.exec(name)?.[1];
    if (maker && !isAlive(Number(maker))) rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
}

/** The cluster appears under its name only when it is whole, so that a start killed half-way leaves nothing behind. */
async function createCluster({ binaries, dataDir, clusterDir, user, password }: Cluster): Promise<void> {
  removeDrafts(dataDir);
  const draft = `${clusterDir}.new-${process.pid}-${randomUUID()}`;
  const draftCluster = path.join(draft, 'cluster');
  const passwordFile = path.join(draft, 'password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if ('uid' in user) for (const place of [draft, passwordFile]) chownSync(place, user.uid, user.gid);
  const { code, output } = await runProgram(
    binaries.initdb,
    [
      ...[`--pgdata=${draftCluster}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ],
    user,
  );
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new StartError(`the embedded PostgreSQL cannot make its data files:\n${lastLines(output)}`);
  }
  try {
    renameSync(draftCluster, clusterDir);
  } catch (error) {
    if (!existsSync(path.join(clusterDir, 'PG_VERSION'))) throw error;
  }
  rmSync(draft, { recursive: true, force: true });
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The port of the last time while it is free, so that whoever looks into the database finds it again. */
async function choosePort(dataDir: string): Promise<number> {
  const file = path.join(dataDir, 'postgres-port');
  const remembered = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (remembered > 0 && (await isFree(remembered))) return remembered;
  const port = await findFreePort();
  writeFileSync(file, `${port}\n`);
  return port;
}

/** In a session of its own: a Ctrl-C in the terminal reaches the service alone, which stops the server last. */
function spawnServer(cluster: Cluster, port: number, settings: Readonly<Record<string, string>>): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = openSync(cluster.logFile, 'w', 0o600);
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.clusterDir, '-p', String(port), ...flags], {
    ...cluster.user,
    cwd: path.parse(cluster.clusterDir).root,
    detached: true,
    stdio: ['ignore', logFile, logFile],
  });
  closeSync(logFile);
  child.on('error', () => {});
  child.unref();
  return child;
}

/**
 * A server that accepts connections on the cluster, and its port: the one that a killed process left running, or a
 * new one. PostgreSQL itself sees to it that there is never more than one.
 */
async function startServer(cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<number> {
  const deadline = Date.now() + START_PATIENCE_MS;
  let child: ChildProcess | undefined;
  while (Date.now() < deadline) {
    const postmaster = findPostmaster(cluster.clusterDir);
    if (postmaster === 'stale') {
      if (!child || child.exitCode !== null) rmSync(path.join(cluster.clusterDir, 'postmaster.pid'), { force: true });
    } else if (postmaster?.isReady) return postmaster.port;
    if (!child && typeof postmaster !== 'object') {
      child = spawnServer(cluster, await choosePort(cluster.dataDir), settings);
    } else if (child && (child.pid === undefined || child.exitCode !== null) && typeof postmaster !== 'object') {
      const output = lastLines(readFileSync(cluster.logFile, 'utf8'));
      if (!/pre-existing shared memory block|lock file .* (is empty|already exists)/.test(output)) {
        throw new StartError(`the embedded PostgreSQL does not start (${cluster.logFile}):\n${output}`);
      }
      child = undefined;
      await delay(POLL_MS * 10);
    }
    await delay(POLL_MS);
  }
  throw new StartError(`the embedded PostgreSQL does not become ready (${cluster.logFile})`);
}

async function createDatabaseIfMissing(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function stopServer({ binaries, clusterDir, user }: Cluster, deadline: number): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const patienceSeconds = Math.max(1, Math.floor((deadline - Date.now()) / 1000) - 1);
    const args = ['stop', '-D', clusterDir, '-m', mode, '-w', '-t', String(patienceSeconds)];
    const { code } = await runProgram(binaries.pgCtl, args, user);
    if (code === 0 || typeof findPostmaster(clusterDir) !== 'object') return;
  }
}

function checkVersion(clusterDir: string): void {
  const version = readFileSync(path.join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  if (version === MAJOR_VERSION) return;
  throw new StartError(
    `${clusterDir} was made by PostgreSQL ${version}, and this release has PostgreSQL ${MAJOR_VERSION}`,
  );
}

/**
 * Starts the PostgreSQL that comes with the service, on 127.0.0.1 alone; makes its data at the first start. A server
 * left running by a process that was killed is taken over.
 *
 * @throws StartError with one line that says what to do
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, log } = options;
  const binaries = findBinaries();
  const clusterDir = path.join(dataDir, 'postgres');
  openDataDir(dataDir);
  const user = findOsUser(clusterDir);
  for (const place of [binaries.postgres, dataDir]) checkPassable(place, user);
  const password = keptSecret(path.join(dataDir, 'postgres-password'));
  const authSecret = keptSecret(path.join(dataDir, 'auth-secret'));
  const cluster = { binaries, dataDir, clusterDir, logFile: path.join(dataDir, 'postgres.log'), user, password };

  if (!existsSync(path.join(clusterDir, 'PG_VERSION'))) await createCluster(cluster);
  checkVersion(clusterDir);
  const port = await startServer(cluster, { ...SERVER_SETTINGS, ...options.serverSettings });
  const urlOf = (database: string) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  const ownerLock = await takeOwnerLock({
    url: urlOf('postgres'),
    isServerAlive: () => typeof findPostmaster(clusterDir) === 'object',
    onLost: (error) => options.onLost?.(error),
  });
  async function stop(deadline = Date.now() + STOP_PATIENCE_MS): Promise<void> {
    await ownerLock.release();
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
    url: urlOf(DATABASE),
    authSecret,
    stop,
  };
}
