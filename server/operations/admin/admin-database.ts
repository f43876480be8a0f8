import { type Database, openDatabase } from '../../kernel/database/client.js';
import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../kernel/database/embedded.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { StartError } from '../../kernel/start-error.js';
import { idMax } from '../../kernel/validation/fields.js';
import { enteredEmail } from '../../people/session/email-address.js';
import { type Credentials, findCredentials } from '../../people/session/queries.js';

/** The database that an operator's command works on. */
export type AdminDatabase = AsyncDisposable & {
  readonly url: string;
  readonly authSecret: string;
};

type Needed = Pick<Settings, 'databaseUrl' | 'dataDir' | 'authSecret'>;

/**
 * Opens the database of the settings. If it is embedded and a service runs on it, connects to it directly; otherwise
 * starts it until the command ends.
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
  return { url: embedded.url, authSecret: embedded.authSecret, [Symbol.asyncDispose]: () => embedded.stop() };
}

export type AdminOptions = { readonly settings: Settings; readonly log: Log };

/** Runs `work` on the database of the settings, over one connection. Throws like `openAdminDatabase`. */
export async function withAdminDatabase<Result>(
  { settings, log }: AdminOptions,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  await using database = await openAdminDatabase(settings, log);
  await using pool = openDatabase({ url: database.url, poolSize: 1, log });
  return await work(pool.db);
}

/** @throws StartError if nobody has this address */
export async function requireAccount(db: Database, email: string): Promise<Credentials> {
  const user = await findCredentials(db, enteredEmail(email));
  if (!user) throw new StartError(`nobody has the email address ${email}`);
  return user;
}

/** @throws StartError if the text is not an id */
export function readOrganizationId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= idMax) return Number(text);
  throw new StartError(`${text} is not the ID of an organization`);
}
