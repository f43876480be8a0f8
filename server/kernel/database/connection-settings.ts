import type { ClientBase } from 'pg';

/** The purpose of a pool's connections, each with its own limits. */
export type Purpose = 'requests' | 'system' | 'ingestion' | 'background' | 'maintenance';

export type Limits = {
  /** How long work waits for a connection, an existing one or a new one. */
  connectionTimeoutMs: number;
  /** How long the database may be frozen or unreachable before running statements are given up. */
  silenceMaxMs: number;
  statementTimeoutMs: number;
  /** How long a statement waits for a lock inside the database. Requests wait longer, but without a connection. */
  lockTimeoutMs: number;
  /** How long a transaction may be idle. */
  idleTransactionTimeoutMs: number;
  /** Temporary files of one statement, in MiB. */
  tempFilesMib: number;
  /** Parallel workers that a statement may use besides its own process. */
  parallelWorkers: number;
  /** Whether every plan finds rows by key, even a plan that is made while a table is still empty. */
  isByKey: boolean;
};

/** For work on whole tables. */
const wholeTables: Limits = {
  connectionTimeoutMs: 10_000,
  silenceMaxMs: 30_000,
  statementTimeoutMs: 1_800_000,
  lockTimeoutMs: 10_000,
  idleTransactionTimeoutMs: 600_000,
  tempFilesMib: 4096,
  parallelWorkers: 2,
  isByKey: false,
};

/** A request is answered four seconds after the database has frozen, with 503. */
const answeredSoon = { connectionTimeoutMs: 4000, silenceMaxMs: 0 };

/**
 * The limits of each purpose. Requests are answered within seconds. `system` is for identities, leases and health
 * checks, which are lookups by key; `ingestion` for batches of reads; `background` for imports and maintenance, which
 * process whole tables.
 *
 * Statements of requests use no parallel workers, because the fair queue counts connections, not processes. Starting
 * workers also takes longer than most statements.
 */
export const limitsOf: Record<Purpose, Limits> = {
  requests: {
    ...answeredSoon,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 250,
    idleTransactionTimeoutMs: 20_000,
    tempFilesMib: 256,
    parallelWorkers: 0,
    isByKey: false,
  },
  system: {
    ...answeredSoon,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 2000,
    idleTransactionTimeoutMs: 10_000,
    tempFilesMib: 64,
    parallelWorkers: 0,
    isByKey: false,
  },
  ingestion: {
    connectionTimeoutMs: 10_000,
    silenceMaxMs: 30_000,
    statementTimeoutMs: 30_000,
    lockTimeoutMs: 30_000,
    idleTransactionTimeoutMs: 60_000,
    tempFilesMib: 256,
    parallelWorkers: 0,
    isByKey: true,
  },
  background: wholeTables,
  maintenance: wholeTables,
};

/**
 * A prepared statement is planned once per connection. By default PostgreSQL plans lists again for every page, because
 * it estimates a page of unknown length as a tenth of the table. That costs more than finding the page.
 */
export const plansOnce = 'SET plan_cache_mode = force_generic_plan';

/**
 * A connection keeps its plans, so it would also keep a plan that reads the whole table. Plans by key are not worth
 * compiling.
 */
const plansByKey = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'].map((name) => `SET ${name} = off`);

/**
 * Sets the limits of a new connection.
 *
 * Only a superuser, or a role with `GRANT SET ON PARAMETER temp_file_limit`, may limit temporary files. Other roles
 * keep the limit of the database. Not every platform supports checking whether the client is still connected.
 */
export async function prepareConnection(client: ClientBase, purpose: Purpose): Promise<void> {
  const { statementTimeoutMs, lockTimeoutMs, idleTransactionTimeoutMs, tempFilesMib, parallelWorkers, isByKey } =
    limitsOf[purpose];
  const settings = [
    plansOnce,
    `SET statement_timeout = ${statementTimeoutMs}`,
    `SET lock_timeout = ${lockTimeoutMs}`,
    `SET idle_in_transaction_session_timeout = ${idleTransactionTimeoutMs}`,
    `SET max_parallel_workers_per_gather = ${parallelWorkers}`,
    ...(isByKey ? plansByKey : []),
  ];
  await client.query(settings.join('; '));
  await client.query(`SET temp_file_limit = '${tempFilesMib}MB'`).catch(() => {});
  await client.query("SET client_connection_check_interval = '5s'").catch(() => {});
}
