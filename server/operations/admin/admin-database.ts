import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../kernel/database/embedded.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { StartError } from '../../kernel/start-error.js';

/** The database that an operator's command works on. */
export type AdminDatabase = AsyncDisposable & {
  readonly url: string;
  readonly authSecret: string;
};

type Needed = Pick<Settings, 'databaseUrl' | 'dataDir' | 'authSecret'>;

/**
 * Opens the database of the settings. Uses an embedded one directly if a service runs on it, and otherwise starts it
 * until the command ends.
 *
 * @throws StartError if a secret is missing or the embedded database cannot start
 */
export async function openAdminDatabase(settings: Needed, log: Log): Promise<AdminDatabase> {
  const { databaseUrl, dataDir, authSecret } = settings;
  if (databaseUrl !== undefined) {
    if (authSecret === undefined) throw new StartError('AUTH_SECRET is missing: it is needed with DATABASE_URL');
    return { url: databaseUrl, authSecret, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const running = findEmbeddedDatabase({ dataDir, authSecret });
  if (running) return { ...running, [Symbol.asyncDispose]: () => Promise.resolve() };
  const embedded = await startEmbeddedDatabase({ dataDir, log, authSecret });
  return {
    url: embedded.url,
    authSecret: embedded.authSecret,
    [Symbol.asyncDispose]: () => embedded.stop(),
  };
}
