import type { Queries } from '../../kernel/database/client.js';

const deletedAtOnceMax = 2000;

/** Deletes containments that ended before the retention of events. */
export async function removeOldContainments(db: Queries, retentionDays: number): Promise<void> {
  for (let removed = deletedAtOnceMax; removed === deletedAtOnceMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM asset_containments k
       USING (
         SELECT o.id
           FROM asset_containments o
          WHERE o.until < now() - make_interval(days => ${retentionDays}::int)
          LIMIT ${deletedAtOnceMax}::int
            FOR UPDATE SKIP LOCKED
       ) old
       WHERE k.id = old.id`;
  }
}
