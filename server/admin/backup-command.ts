import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { TableDigest } from '../backup/archive.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { writeBackup } from '../backup/write-backup.js';
import {
  findEmbeddedDatabase,
  hasEmbeddedDatabase,
  presetAuthSecret,
  startEmbeddedDatabase,
} from '../database/embedded.js';
import type { Log } from '../log.js';
import type { Settings } from '../settings.js';
import { StartError } from '../start-error.js';
import { openAdminDatabase } from './admin-database.js';

/** Stands for standard output, or input. */
export const standardStream = '-';

/** Returns the name of a backup made now, such as `whereabouts-2026-11-22T10-45-03Z.tar.gz`. */
export function backupName(now: Date): string {
  return `whereabouts-${now.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.tar.gz`;
}

type CommandOptions = { readonly settings: Settings; readonly log: Log };

/**
 * Writes a backup into `file`, which only its owner can read and which gets its name once it is complete, or to
 * `output` if the file is `-`.
 *
 * @throws StartError if the file exists
 */
export async function backUp(
  file: string,
  { settings, log, output }: CommandOptions & { readonly output: Writable },
): Promise<readonly TableDigest[]> {
  await using database = await openAdminDatabase(settings, log);
  const { url, authSecret } = database;
  if (file === standardStream) return await writeBackup({ url, authSecret, target: output });
  return await writeBackupFile(file, { url, authSecret });
}

/**
 * Writes a backup of the database at `url` into a file.
 *
 * @throws StartError if the file exists
 */
export async function writeBackupFile(
  file: string,
  { url, authSecret }: { readonly url: string; readonly authSecret: string },
): Promise<readonly TableDigest[]> {
  if (existsSync(file)) throw new StartError(`${file} exists already: a backup replaces no file`);
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
  try {
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    const digests = await writeBackup({ url, authSecret, target });
    renameSync(draft, file);
    return digests;
  } finally {
    rmSync(draft, { force: true });
  }
}

export type RestoreCommandOptions = CommandOptions & {
  readonly input: Readable;
  /**
   * Restores even if `AUTH_SECRET` differs from that of the backup, so that all sessions and API keys become invalid.
   */
  readonly acceptsOtherSecret: boolean;
};

/**
 * Restores a backup into the empty database of the settings. An embedded database takes over the secret of the backup.
 *
 * @throws StartError if the database is not empty or in use, or the secrets differ
 */
export async function restore(file: string, options: RestoreCommandOptions): Promise<readonly TableDigest[]> {
  const { settings, log, input, acceptsOtherSecret } = options;
  const { databaseUrl, dataDir, authSecret } = settings;
  let stop = () => Promise.resolve();
  const source = file === standardStream ? input : createReadStream(file);
  try {
    return await restoreBackup({
      source,
      log,
      open: async ({ auth_secret: secret }) => {
        if (authSecret !== undefined && authSecret !== secret && !acceptsOtherSecret) {
          throw new StartError(
            'AUTH_SECRET is not the one of the backup. Set it to the one in secrets.json of the archive, or add ' +
              '--other-secret: then everybody has to sign in again and all API keys are invalid',
          );
        }
        if (databaseUrl !== undefined) return databaseUrl;
        if (findEmbeddedDatabase({ dataDir, authSecret }))
          throw new StartError(`a service runs on ${dataDir}: stop it first`);
        if (!hasEmbeddedDatabase(dataDir)) presetAuthSecret(dataDir, secret);
        const embedded = await startEmbeddedDatabase({ dataDir, log, authSecret });
        stop = () => embedded.stop();
        if (embedded.authSecret !== secret && !acceptsOtherSecret) {
          throw new StartError(`${dataDir} has a database with another secret: restore into an empty folder`);
        }
        return embedded.url;
      },
    });
  } finally {
    source.destroy();
    await stop();
  }
}
