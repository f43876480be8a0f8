import type { ClientBase } from 'pg';

/** What the connections of a pool are for; each purpose has its own limits. */
export type Purpose = 'requests' | 'system' | 'background';

type Limits = {
  statementTimeoutMs: number;
  /** How long a statement waits for a lock inside the database. Requests wait for longer, but without a connection. */
  lockTimeoutMs: number;
  /** How long a transaction may do nothing. */
  idleTransactionTimeoutMs: number;
  /** Temporary files of one statement, in MiB. */
  tempFilesMib: number;
  /** Processes that a statement may have beside its connection's. */
  parallelWorkers: number;
};

/**
 * The limits of each purpose. Requests have answers of seconds at most. The system has identities, leases and health checks,
 * which are look-ups by key. The background has imports and maintenance, which work on whole tables.
 *
 * Statements of requests run in one process each: the fair queue shares connections, and does not know of other processes.
 * Starting them takes longer than most statements, too.
 */
const limitsOf: Record<Purpose, Limits> = {
  requests: {
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 250,
    idleTransactionTimeoutMs: 20_000,
    tempFilesMib: 256,
    parallelWorkers: 0,
  },
  system: {
    statementTimeoutMs: 5000,
    lockTimeoutMs: 2000,
    idleTransactionTimeoutMs: 10_000,
    tempFilesMib: 64,
    parallelWorkers: 0,
  },
  background: {
    statementTimeoutMs: 1_800_000,
    lockTimeoutMs: 10_000,
    idleTransactionTimeoutMs: 600_000,
    tempFilesMib: 4096,
    parallelWorkers: 2,
  },
};

/**
 * A prepared statement is planned once per connection. Left to itself, PostgreSQL plans lists anew for every page, because it
 * estimates a page of unknown length as a tenth of the table. That costs more than finding the page.
 */
export const plansOnce = 'SET plan_cache_mode = force_generic_plan';

/**
 * Sets the limits of a new connection.
 *
 * Only a superuser, or a role with `GRANT SET ON PARAMETER temp_file_limit`, may limit temporary files. Other roles keep the
 * limit that the database has for them. How often a server looks whether its client is still there is not a setting of every
 * platform.
 */
export async function prepareConnection(client: ClientBase, purpose: Purpose): Promise<void> {
  const { statementTimeoutMs, lockTimeoutMs, idleTransactionTimeoutMs, tempFilesMib, parallelWorkers } =
    limitsOf[purpose];
  const settings = [
    plansOnce,
    `SET statement_timeout = ${statementTimeoutMs}`,
    `SET lock_timeout = ${lockTimeoutMs}`,
    `SET idle_in_transaction_session_timeout = ${idleTransactionTimeoutMs}`,
    `SET max_parallel_workers_per_gather = ${parallelWorkers}`,
  ];
  await client.query(settings.join('; '));
  await client.query(`SET temp_file_limit = '${tempFilesMib}MB'`).catch(() => {});
  await client.query("SET client_connection_check_interval = '5s'").catch(() => {});
}
