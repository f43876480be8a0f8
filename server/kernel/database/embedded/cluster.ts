import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { StartError } from '../../start-error.js';
import type { Binaries } from './binaries.js';
import type { OsUser } from './os-user.js';
import { isAlive } from './postmaster.js';
import { lastLines, runProgram } from './program.js';

/** The database cluster's superuser, which the service connects as. */
export const superuser = 'postgres';

/** The major version of the embedded PostgreSQL. */
export const currentMajorVersion = '18';

/** One database cluster: its files, and the programs and the user that run it. */
export type Cluster = {
  readonly binaries: Binaries;
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly logFile: string;
  readonly user: OsUser;
  readonly password: string;
};

/** Removes the folders that killed starts left behind before their cluster was complete. */
function removeDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const maker = /^postgres\.new-(\d+)-/.exec(name)?.[1];
    if (maker && !isAlive(Number(maker))) rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
}

/** Gives the cluster its name only when it is complete, so that a start killed half-way leaves nothing behind. */
async function createCluster(cluster: Cluster, isDurable: boolean): Promise<void> {
  const { binaries, dataDir, clusterDir, user, password } = cluster;
  removeDrafts(dataDir);
  const draft = `${clusterDir}.new-${process.pid}-${randomUUID()}`;
  const draftCluster = path.join(draft, 'cluster');
  const passwordFile = path.join(draft, 'password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if ('uid' in user) for (const file of [draft, passwordFile]) chownSync(file, user.uid, user.gid);
  const { code, output } = await runProgram(
    binaries.initdb,
    [
      `--pgdata=${draftCluster}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(isDurable ? [] : ['--no-sync']),
    ],
    user,
  );
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new StartError(`the embedded PostgreSQL cannot create its data files:\n${lastLines(output)}`);
  }
  try {
    renameSync(draftCluster, clusterDir);
  } catch (error) {
    if (!existsSync(path.join(clusterDir, 'PG_VERSION'))) throw error;
  }
  rmSync(draft, { recursive: true, force: true });
}

/** Returns the major version that made the cluster's files; undefined where there are none. */
export function versionOf(clusterDir: string): string | undefined {
  const versionFile = path.join(clusterDir, 'PG_VERSION');
  return existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : undefined;
}

/**
 * Creates the cluster's files unless they exist.
 *
 * @param majorVersion the version of the binaries
 * @throws StartError if they cannot be created, or are of another major version
 */
export async function ensureCluster(
  cluster: Cluster,
  isDurable: boolean,
  majorVersion = currentMajorVersion,
): Promise<void> {
  if (versionOf(cluster.clusterDir) === undefined) await createCluster(cluster, isDurable);
  const version = versionOf(cluster.clusterDir);
  if (version === majorVersion) return;
  const whatToDo = Number(version) < Number(majorVersion) ? ': run npm run upgrade-database' : '';
  throw new StartError(
    `${cluster.clusterDir} was made by PostgreSQL ${version}, and this release has PostgreSQL ${majorVersion}${whatToDo}`,
  );
}
