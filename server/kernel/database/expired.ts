import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from './client.js';

/** Rows of one transaction. A writer of one of these rows waits for less than a second. */
const batchMax = 500;

/**
 * Flags assets and locations whose window has ended (`is_expired`), so that lists need not count them. Changing the
 * window of a row clears the flag (`prisma/functions/clear_expired.sql`). Skips locked rows until the next run.
 *
 * @returns how many rows were flagged
 */
export async function markExpired(db: Database): Promise<number> {
  let flagged = 0;
  for (const table of ['assets', 'locations']) {
    let batch: number;
    do {
      batch = await flagBatch(db, Prisma.raw(table));
      flagged += batch;
    } while (batch === batchMax);
  }
  return flagged;
}

/**
 * Flags some rows whose window has ended. A separate statement locks the rows first, also against foreign keys, as for
 * a deletion. So a first position that is being stored is counted before the next statement moves its asset to another
 * count.
 */
function flagBatch(db: Database, table: Prisma.Sql): Promise<number> {
  return db.$transaction(async (tx) => {
    const held = await tx.$queryRaw<{ id: number }[]>`
      SELECT id FROM ${table}
       WHERE valid_to IS NOT NULL AND NOT is_expired AND valid_to <= statement_timestamp()
       ORDER BY org_id, id
       LIMIT ${batchMax}
         FOR UPDATE SKIP LOCKED`;
    const ids = held.map(({ id }) => id);
    if (ids.length > 0) await tx.$executeRaw`UPDATE ${table} SET is_expired = true WHERE id = ANY(${ids}::int[])`;
    return ids.length;
  });
}
