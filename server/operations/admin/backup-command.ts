import {
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  type ReadStream,
  renameSync,
  rmSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import type { TableDigest } from '../backup/contents.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { type BackupOptions, writeBackup } from '../backup/write-backup.js';
import {
  findEmbeddedDatabase,
  hasEmbeddedDatabase,
  presetAuthSecret,
  startEmbeddedDatabase,
} from '../../kernel/database/embedded.js';
import { isAlive } from '../../kernel/database/embedded/postmaster.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { errorCode, StartError } from '../../kernel/start-error.js';
import { openAdminDatabase } from './admin-database.js';

/** Stands for standard output, or input. */
export const standardStream = '-';

/** Returns the name of a backup made now, such as `whereabouts-2026-11-22T10-45-03Z.tar.gz`. */
export function backupName(now: Date): string {
  return `whereabouts-${now.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.tar.gz`;
}

type CommandOptions = {
  readonly settings: Settings;
  readonly log: Log;
  /** Ends the command, which then rejects and leaves no files behind. */
  readonly signal?: AbortSignal;
};

/**
 * Writes a backup into `file`, which only its owner can read and which gets its name once it is complete, or to
 * `output` if the file is `-`.
 *
 * @throws StartError if the file exists
 */
export async function backUp(
  file: string,
  { settings, log, output, signal }: CommandOptions & { readonly output: Writable },
): Promise<readonly TableDigest[]> {
  await using database = await openAdminDatabase(settings, log);
  const { url, authSecret } = database;
  const source = { url, authSecret, backupKey: settings.backupKey, signal };
  if (file === standardStream) return await writeBackup({ ...source, target: output });
  return await writeBackupFile(file, source);
}

/**
 * Writes a backup of a database into a file.
 *
 * @throws StartError if the file exists
 */
export async function writeBackupFile(
  file: string,
  source: Omit<BackupOptions, 'target'>,
): Promise<readonly TableDigest[]> {
  if (existsSync(file)) throw new StartError(`${file} exists already: a backup replaces no file`);
  const folder = path.dirname(file);
  removeDrafts(folder);
  const draft = path.join(folder, `${draftName}${process.pid}`);
  try {
    const target = createWriteStream(draft, { fd: openSync(draft, 'wx', 0o600), flush: true });
    const digests = await writeBackup({ ...source, target });
    renameSync(draft, file);
    return digests;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Contains the name of this machine, since other machines may write into the same folder. */
const draftName = `.whereabouts-backup-${hostname()}-`;

/** Removes the drafts of killed processes of this machine. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const maker = name.startsWith(draftName) ? Number(name.slice(draftName.length)) : Number.NaN;
    if (maker === process.pid || (maker > 0 && !isAlive(maker))) rmSync(path.join(folder, name), { force: true });
  }
}

export type RestoreCommandOptions = CommandOptions & {
  readonly input: Readable;
  /**
   * Restores even if `AUTH_SECRET` differs from the secret of the backup, so that all sessions and API keys become invalid.
   */
  readonly acceptsOtherSecret: boolean;
  /** Restores a backup that is not signed, although `BACKUP_KEY` is set. */
  readonly acceptsUnsigned: boolean;
  /** Pauses mail, webhooks and the external broker of the restored service. */
  readonly pausesOutbound: boolean;
};

/**
 * Restores a backup into the empty database of the settings. An embedded database takes over the secret of the backup.
 *
 * @throws StartError if the database is not empty or in use, or the secrets differ
 */
export async function restore(file: string, options: RestoreCommandOptions): Promise<readonly TableDigest[]> {
  const { settings, log, input, acceptsOtherSecret, acceptsUnsigned, pausesOutbound, signal } = options;
  const { databaseUrl, dataDir, authSecret } = settings;
  let stop = () => Promise.resolve();
  const source = file === standardStream ? input : openBackup(file);
  if (signal) addAbortSignal(signal, source);
  try {
    return await restoreBackup({
      source,
      log,
      pausesOutbound,
      backupKey: acceptsUnsigned ? undefined : settings.backupKey,
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
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    source.destroy();
    await stop();
  }
}

function openBackup(file: string): ReadStream {
  try {
    return createReadStream(file, { fd: openSync(file, 'r') });
  } catch (error) {
    const reason = errorCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${errorCode(error)})`;
    throw new StartError(`the backup ${file} ${reason}`, { cause: error });
  }
}
