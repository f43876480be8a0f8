import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from './client.js';

export type AgedRows = {
  table: 'alerts' | 'webhook_deliveries';
  /** The column that a row's age is counted from. */
  since: 'opened_at' | 'created_at';
  keptDays: number;
  /** The most rows that one call deletes, so that its transaction stays short. */
  rowsMax: number;
  /** Rows that can expire; all by default. */
  where?: Prisma.Sql;
};

/** Deletes the oldest of the rows that are older than `keptDays`. */
export async function removeAged(
  db: Pick<Database, '$executeRaw'>,
  { table, since, keptDays, rowsMax, where = Prisma.sql`true` }: AgedRows,
): Promise<void> {
  const [rows, at] = [Prisma.raw(table), Prisma.raw(since)];
  await db.$executeRaw`
    DELETE FROM ${rows}
     WHERE id IN (SELECT id FROM ${rows}
                   WHERE ${at} < now() - make_interval(days => ${keptDays}::int) AND (${where})
                   ORDER BY ${at} LIMIT ${rowsMax}::int)`;
}
