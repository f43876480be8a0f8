import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TableDigest } from '../backup/contents.js';
import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../kernel/database/embedded.js';
import type { Binaries } from '../../kernel/database/embedded/binaries.js';
import { currentMajorVersion, versionOf } from '../../kernel/database/embedded/cluster.js';
import { replaceCluster, waitingName } from '../../kernel/database/embedded/upgraded-cluster.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { StartError } from '../../kernel/start-error.js';
import { restore, writeBackupFile } from './backup-command.js';

export type UpgradeOptions = {
  readonly settings: Settings;
  readonly log: Log;
  /** The folder with `postgres` and `pg_ctl` of the major version that made the data. */
  readonly binariesFolder: string;
};

export type Upgrade = {
  readonly from: string;
  readonly to: string;
  readonly digests: readonly TableDigest[];
  /** The files of the old cluster, which nothing uses any longer. */
  readonly oldFiles: string;
  readonly backupFile: string;
};

/**
 * Moves the data of the embedded database to the major version of this release: backs up the old cluster with its own
 * server, restores into a new cluster, compares all tables, and replaces the old cluster, which is kept. Until then the
 * old cluster is unchanged, so a failed or killed upgrade can be repeated.
 *
 * @returns undefined if the data have this version already
 * @throws StartError if there is no data, it has a newer version, or a service runs on it
 */
export async function upgradeDatabase({ settings, log, binariesFolder }: UpgradeOptions): Promise<Upgrade | undefined> {
  const { dataDir, databaseUrl, authSecret, backupKey } = settings;
  if (databaseUrl !== undefined) {
    throw new StartError('DATABASE_URL is set: upgrade that server with its own tools, or by a backup and a restore');
  }
  const clusterDir = path.join(dataDir, 'postgres');
  const from = versionOf(clusterDir);
  if (from === undefined) throw new StartError(`${dataDir} has no database`);
  if (from === currentMajorVersion) return undefined;
  if (Number(from) > Number(currentMajorVersion)) {
    throw new StartError(`${clusterDir} is of PostgreSQL ${from}, and this release has only ${currentMajorVersion}`);
  }
  const draftDir = path.join(dataDir, 'upgrade');
  await removeDraft(draftDir, log);
  rmSync(waitingName(clusterDir), { recursive: true, force: true });

  const backupFile = path.join(dataDir, `before-postgres-${currentMajorVersion}.tar.gz`);
  rmSync(backupFile, { force: true });
  const older = { majorVersion: from, binaries: binariesIn(binariesFolder) };
  const old = await startEmbeddedDatabase({ dataDir, log, authSecret, older });
  try {
    await writeBackupFile(backupFile, { url: old.url, authSecret: old.authSecret, backupKey });
  } finally {
    await old.stop();
  }

  mkdirSync(draftDir, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  copyFileSync(path.join(dataDir, 'postgres-password'), path.join(draftDir, 'postgres-password'));
  const digests = await restore(backupFile, {
    settings: { ...settings, dataDir: draftDir },
    log,
    input: process.stdin,
    acceptsOtherSecret: false,
    acceptsUnsigned: false,
    pausesOutbound: false,
  });
  const oldFiles = replaceCluster(clusterDir, path.join(draftDir, 'postgres'), from);
  rmSync(draftDir, { recursive: true, force: true });
  return { from, to: currentMajorVersion, digests, oldFiles, backupFile };
}

function binariesIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const programs = ['initdb', 'pg_ctl', 'postgres'].map((name) => path.join(path.resolve(folder), `${name}${suffix}`));
  const [initdb = '', pgCtl = '', postgres = ''] = programs;
  for (const program of [pgCtl, postgres]) if (!existsSync(program)) throw new StartError(`${program} is missing`);
  return { initdb, pgCtl, postgres };
}

/** Removes the draft that a killed upgrade left behind, and stops its server. */
async function removeDraft(draftDir: string, log: Log): Promise<void> {
  // Both secrets of the draft are written before its cluster.
  if (findEmbeddedDatabase({ dataDir: draftDir })) {
    await (await startEmbeddedDatabase({ dataDir: draftDir, log })).stop();
  }
  rmSync(draftDir, { recursive: true, force: true });
}
