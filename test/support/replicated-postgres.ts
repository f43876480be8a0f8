import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { findBinaries } from '../../server/kernel/database/embedded/binaries.js';
import { type Cluster, ensureCluster, superuser } from '../../server/kernel/database/embedded/cluster.js';
import { findOsUser } from '../../server/kernel/database/embedded/os-user.js';
import { findPostmaster } from '../../server/kernel/database/embedded/postmaster.js';
import { startServer } from '../../server/kernel/database/embedded/server.js';
import { createLog } from '../../server/kernel/log.js';
import { signalServer } from './database-process.js';
import { createTestFolder } from './folder.js';

/** One PostgreSQL server of a pair. */
export type PostgresServer = {
  readonly port: number;
  /** Of the database `whereabouts`, straight to this server. */
  readonly url: string;
  /** Stops all its processes where they are, as a machine that the network no longer reaches. */
  freeze(): void;
  thaw(): void;
};

/** A primary, and a standby that has everything before a commit on the primary returns. Disposing of them kills them. */
export type ReplicatedPostgres = AsyncDisposable & {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Makes the standby a primary, and resolves when it accepts changes. */
  promote(): Promise<void>;
};

const password = 'replicated';
const common = { shared_buffers: '32MB', max_connections: '100', unix_socket_directories: '', fsync: 'off' };

function createCluster(dataDir: string): Cluster {
  const clusterDir = path.join(dataDir, 'postgres');
  return {
    binaries: findBinaries(),
    dataDir,
    clusterDir,
    logFile: path.join(dataDir, 'postgres.log'),
    user: findOsUser(clusterDir, createLog('silent')),
    password,
  };
}

function signal({ clusterDir }: Cluster, name: NodeJS.Signals): void {
  const postmaster = findPostmaster(clusterDir);
  if (typeof postmaster === 'object') signalServer(postmaster.pid, name);
}

function urlAt(port: number, database = 'whereabouts'): string {
  return `postgresql://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Lets a copy of the primary's files follow the primary. */
function followPrimary({ clusterDir, user }: Cluster, primaryPort: number): void {
  const source = `host=127.0.0.1 port=${primaryPort} user=${superuser} password=${password} application_name=standby`;
  appendFileSync(path.join(clusterDir, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  const mark = path.join(clusterDir, 'standby.signal');
  writeFileSync(mark, '');
  if ('uid' in user) chownSync(mark, user.uid, user.gid);
}

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = createTestFolder('replicated');
  const clusters = ['primary', 'standby'].map((name) => {
    const dataDir = path.join(folder.path, name);
    mkdirSync(dataDir, { mode: 0o711 });
    return createCluster(dataDir);
  });
  const [primaryCluster, standbyCluster] = clusters as [Cluster, Cluster];

  function dispose(): void {
    for (const cluster of clusters) signal(cluster, 'SIGKILL');
    folder[Symbol.dispose]();
  }

  try {
    await ensureCluster(primaryCluster, false);
    // Nothing has changed the files yet, so a plain copy is a base backup.
    execFileSync('cp', ['-a', primaryCluster.clusterDir, standbyCluster.clusterDir]);
    const primaryPort = await startServer(primaryCluster, { ...common, synchronous_standby_names: 'standby' });
    followPrimary(standbyCluster, primaryPort);
    const standbyPort = await startServer(standbyCluster, common);
    await query(urlAt(primaryPort, 'postgres'), 'CREATE DATABASE whereabouts');
    const serverOf = (cluster: Cluster, port: number): PostgresServer => ({
      port,
      url: urlAt(port),
      freeze: () => signal(cluster, 'SIGSTOP'),
      thaw: () => signal(cluster, 'SIGCONT'),
    });
    return {
      primary: serverOf(primaryCluster, primaryPort),
      standby: serverOf(standbyCluster, standbyPort),
      async promote() {
        await query(urlAt(standbyPort), 'SELECT pg_promote()');
      },
      async [Symbol.asyncDispose]() {
        dispose();
      },
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
