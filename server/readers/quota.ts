import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import type { Quota } from '../database/quota.js';

/** Deleted readers of an organization that are kept while events refer to them. */
export const deletedReadersMax = 10_000;

/** Returns the quota of readers of one organization, of which `liveMax` can be in use. */
export function readerQuota(liveMax: number): Quota {
  const isLive = Prisma.sql`deleted_at IS NULL`;
  return { table: 'readers', lock: 'readers', isLive, noun: 'readers', liveMax, pastMax: deletedReadersMax };
}

/**
 * Deletes the rows of readers that were deleted before the retention of events, since no event refers to them any more.
 * Those that never sent anything go after a day.
 */
export async function removeDeletedReaders(db: Pick<Database, '$executeRaw'>, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM readers
     WHERE deleted_at < clock_timestamp() - make_interval(days => ${retentionDays}::int + 1)
        OR last_message_at IS NULL AND deleted_at < clock_timestamp() - interval '1 day'`;
}
