import { PrismaPg } from '@prisma/adapter-pg';
import type { ClientBase } from 'pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.js';
import type { Log } from '../log.js';

/** The pool of connections, with Prisma's queries on top. */
export type Database = PrismaClient;

/** What runs inside `db.$transaction(async (tx) => …)`. */
export type TransactionClient = Prisma.TransactionClient;

/** Long enough to queue for an organisation's lock; a transaction that is cut off is a fault, not an answer. */
const transactionOptions = { maxWait: 10_000, timeout: 30_000 };

/** A new connection plans everything anew, which costs the first to use it a tenth of a second. */
const IDLE_CONNECTION_MS = 600_000;

const PREPARED_TEXTS_MAX = 500;
const CANDIDATE_TEXTS_MAX = 1000;

/**
 * Names for prepared statements: a text gets one the second time it is seen, and keeps it; until then it runs under
 * the empty name, unprepared. One-off texts thus never use up the places, of which there is a limit since each
 * connection holds every statement that has a name.
 */
export function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const candidates = new Set<string>();
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= PREPARED_TEXTS_MAX) return '';
    if (candidates.delete(sql)) {
      const next = `s${names.size + 1}`;
      names.set(sql, next);
      return next;
    }
    if (candidates.size >= CANDIDATE_TEXTS_MAX) candidates.clear();
    candidates.add(sql);
    return '';
  };
}

/**
 * A prepared statement is planned once a connection. Left to itself PostgreSQL plans lists anew for every page, as it takes
 * a page of unknown length for a tenth of the table; that costs more than finding the page.
 */
export const plansOnce = 'SET plan_cache_mode = force_generic_plan';

/** A connection that breaks here is told to its user by the statement that comes next. */
function prepareConnection(client: ClientBase): void {
  client.query(plansOnce).catch(() => {});
}

/**
 * Connects on first use, with at most `poolSize` connections. Whoever creates it calls `$disconnect()`.
 *
 * @param log hears of idle connections that break; the pool replaces them by itself
 */
export function createDatabase(options: { url: string; poolSize: number; log?: Log }): Database {
  const { url, poolSize, log } = options;
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: poolSize,
      application_name: 'whereabouts',
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      onConnect: prepareConnection,
    },
    {
      statementNameGenerator: createStatementNames(),
      onPoolError: (error) => log?.warn({ err: error }, 'an idle database connection broke'),
      onConnectionError: (error) => log?.warn({ err: error }, 'a database connection broke'),
    },
  );
  // Errors without excerpts of our source, whose making would cost every query a stack trace.
  return new PrismaClient({ adapter, transactionOptions, errorFormat: 'minimal' });
}
