import pg from 'pg';
import { type Database, openDatabase } from '../../kernel/database/client.js';
import { findEmbeddedDatabase, hasEmbeddedDatabase, startEmbeddedDatabase } from '../../kernel/database/embedded.js';
import type { Log } from '../../kernel/log.js';
import { dataLocation, namesDatabase, type Settings } from '../../kernel/settings.js';
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

const connectTimeoutMs = 10_000;

const howToName = 'name the settings of the service with --env-file, or its data with DATA_DIR or DATABASE_URL';

/**
 * Opens the database of the settings. If it is embedded and a service runs on it, connects to it directly; otherwise
 * starts it until the command ends. Creates no database.
 *
 * @throws StartError if there is no database, it has no data, a secret is missing or the embedded database cannot start
 */
export async function openAdminDatabase(settings: Needed, log: Log): Promise<AdminDatabase> {
  const database = await open(settings, log);
  try {
    await requireData(database.url, settings);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function open(settings: Needed, log: Log): Promise<AdminDatabase> {
  const { databaseUrl, dataDir, authSecret } = settings;
  if (databaseUrl !== undefined) {
    if (authSecret === undefined) throw new StartError('AUTH_SECRET is missing: it is needed with DATABASE_URL');
    return { url: databaseUrl, authSecret, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  if (!hasEmbeddedDatabase(dataDir)) throw new StartError(`${dataDir} has no database: ${howToName}`);
  const running = findEmbeddedDatabase({ dataDir, authSecret });
  if (running) return { ...running, [Symbol.asyncDispose]: () => Promise.resolve() };
  const embedded = await startEmbeddedDatabase({ dataDir, log, authSecret });
  return { url: embedded.url, authSecret: embedded.authSecret, [Symbol.asyncDispose]: () => embedded.stop() };
}

async function requireData(url: string, settings: Needed): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  let hasData: boolean | undefined;
  try {
    await client.connect();
    const { rows } = await client.query<{ has_data: boolean }>(
      `SELECT to_regclass('organizations') IS NOT NULL AS has_data`,
    );
    hasData = rows[0]?.has_data;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${dataLocation(settings)} cannot be opened: ${reason}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
  if (!hasData) throw new StartError(`${dataLocation(settings)} has no data of Whereabouts: ${howToName}`);
}

/**
 * Checks that a restore creates an embedded database only where somebody has named its folder.
 *
 * @throws StartError if nobody has, and the usual folder has no database
 */
export function requireNamedDatabase({ databaseUrl, dataDir }: Needed): void {
  if (databaseUrl !== undefined || hasEmbeddedDatabase(dataDir) || namesDatabase()) return;
  throw new StartError(`${dataDir} has no database: ${howToName}. For a new one in this folder set DATA_DIR=.data`);
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
