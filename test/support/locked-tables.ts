import { expect } from 'vitest';
import type { Queries } from '../../server/kernel/database/client.js';
import { pollOptions } from './poll-options.js';

/** Resolves once a statement waits for a table that a transaction has locked. Other test databases have tables of the same ids. */
export async function untilWaitedFor(tx: Queries, table: string): Promise<void> {
  await expect
    .poll(
      () => tx.$queryRaw`
        SELECT 1 FROM pg_locks
         WHERE NOT granted AND relation = ${table}::text::regclass
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      pollOptions,
    )
    .not.toEqual([]);
}
