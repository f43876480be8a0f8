import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import type { Quota } from '../database/quota.js';

/** Deleted readers of an organization that are kept while events name them. */
export const deletedReadersMax = 10_000;

/** Readers of one organization, of which `liveMax` can be in use. */
export function readerQuota(liveMax: number): Quota {
  const isLive = Prisma.sql`deleted_at IS NULL`;
  return { table: 'readers', lock: 'readers', isLive, noun: 'readers', liveMax, pastMax: deletedReadersMax };
}

/**
 * Deletes the rows of readers that were deleted before the retention of events, as no event names them any more, and after a
 * day of those that never sent anything.
 */
export async function removeDeletedReaders(db: Pick<Database, '$executeRaw'>, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM readers
     WHERE deleted_at < clock_timestamp() - make_interval(days => ${retentionDays}::int + 1)
        OR last_message_at IS NULL AND deleted_at < clock_timestamp() - interval '1 day'`;
}
