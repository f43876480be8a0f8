import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../../generated/prisma/client.js';
import type { Log } from '../log.js';
import { limitsOf, type Purpose, prepareConnection } from './connection-settings.js';
import { rejectUnreplicated } from './replication-faults.js';
import { createSilenceWatch } from './silence.js';
import { createStatementNames, type StatementNames } from './statement-names.js';

/** The pool of connections, with Prisma's queries on top. */
export type Database = PrismaClient;

/** The client inside `db.$transaction(async (tx) => …)`. */
export type TransactionClient = Prisma.TransactionClient;

/** Long enough to wait for the locks of an organization. */
const transactionOptions = { maxWait: 10_000, timeout: 30_000 };

/** A new connection plans every statement again, which costs the first ones a tenth of a second. */
const idleConnectionMs = 600_000;

/** How much later than the database this process ends a statement that takes too long. */
const graceMs = 2000;

export type ConnectionOptions = {
  url: string;
  poolSize: number;
  /** Selects the limits of the connections; `background` by default. */
  purpose?: Purpose;
  /** Receives a warning when an idle connection breaks; the pool replaces it. */
  log?: Log;
};

/** A pool of connections, with Prisma's queries on top, and the names of the statements that are prepared on them. */
export type DatabasePool = {
  db: Database;
  pool: pg.Pool;
  names: StatementNames;
  /** Whether the database is frozen or cut off: a statement would fail, after some seconds. */
  isSilent(): boolean;
  /** Cancels the statements that run on these connections, over a connection of another pool. */
  cancelStatements(other: Pick<pg.Pool, 'query'>): Promise<void>;
  /** Ends all connections. */
  close(): Promise<void>;
};

/** Creates a pool that connects on first use, with at most `poolSize` connections. The caller has to call `close()`. */
export function openDatabase({ url, poolSize, purpose = 'background', log }: ConnectionOptions): DatabasePool {
  const names = createStatementNames();
  const { connectionTimeoutMs, silenceMaxMs, statementTimeoutMs } = limitsOf[purpose];
  const silence = createSilenceWatch({
    ...{ url, patienceMs: silenceMaxMs, statementMs: statementTimeoutMs + graceMs, log },
    isEnded: () => pool.ending,
  });
  // The pool awaits the promise, though its types do not say so.
  const onConnect: (client: pg.ClientBase) => unknown = (client) => {
    // A connection that breaks is reported to its user by the statement under way, or by the next one. Without a listener the
    // event would end the process.
    client.on('error', () => {});
    silence.watch(client);
    rejectUnreplicated(client);
    return prepareConnection(client, purpose);
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: `whereabouts ${purpose}`,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: idleConnectionMs,
    onConnect,
  });
  pool.on('error', () => {});
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: names,
    disposeExternalPool: true,
    onPoolError: (error) => {
      // A pool has ended once it has asked its connections to close. The database may end them first, as when it stops as well.
      if (!pool.ending) log?.warn({ err: error }, 'an idle database connection broke');
    },
    onConnectionError: (error) => log?.warn({ err: error }, 'a database connection broke'),
  });
  // Errors without excerpts of our source, which would cost every query a stack trace.
  const db = new PrismaClient({ adapter, transactionOptions, errorFormat: 'minimal' });
  return {
    db,
    pool,
    names,
    isSilent: silence.isSilent,
    async cancelStatements(other) {
      const ids = [...clients].map((client) => (client as unknown as { processID: number }).processID);
      await other.query('SELECT pg_cancel_backend(id) FROM unnest($1::int[]) AS id', [ids]);
    },
    async close() {
      await db.$disconnect();
      // Prisma ends the pool only if it has used it.
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

/**
 * Creates a client that connects on first use, with at most `poolSize` connections. The caller has to call
 * `$disconnect()`.
 */
export function createDatabase(options: ConnectionOptions): Database {
  return openDatabase(options).db;
}
