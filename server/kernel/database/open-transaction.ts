import type { Database, TransactionClient } from './client.js';

/** A transaction in progress, as another connection can identify it. */
export type OpenTransaction = { processId: number; startedAt: string };

export async function identifyTransaction(tx: Pick<TransactionClient, '$queryRaw'>): Promise<OpenTransaction> {
  const [row] = await tx.$queryRaw<[OpenTransaction]>`
    SELECT pg_backend_pid() AS "processId", now()::text AS "startedAt"`;
  return row;
}

/**
 * Cancels the statement of a transaction, which then fails. Does nothing if the transaction has ended, even if its
 * connection is in use again.
 */
export async function cancelTransaction(
  db: Pick<Database, '$queryRaw'>,
  { processId, startedAt }: OpenTransaction,
): Promise<void> {
  await db.$queryRaw`
    SELECT pg_cancel_backend(pid)
      FROM pg_stat_activity
     WHERE pid = ${processId}::int AND xact_start = ${startedAt}::timestamptz`;
}
