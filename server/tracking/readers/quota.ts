import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import type { Quota } from '../../kernel/database/quota.js';
import { refusal } from '../../kernel/errors.js';

/** Deleted readers of an organization that are kept while events refer to them. */
export const deletedReadersMax = 10_000;

/** Antennas of all readers of an organization that have settings. Each process keeps them in memory. */
export const antennasPerOrganizationMax = 100_000;

/** Returns the quota of readers of one organization, which can have `liveMax` live readers. */
export function readerQuota(liveMax: number): Quota {
  const isLive = Prisma.sql`deleted_at IS NULL`;
  return { table: 'readers', lock: 'readers', isLive, noun: 'readers', liveMax, pastMax: deletedReadersMax };
}

/**
 * Ensures that an organization stays within its quota of antennas if a reader gets `antennas` antennas instead of its
 * present ones. Holds the quota's lock until the end of the transaction. Call it before the reader is locked.
 *
 * @param options.readerId undefined for a new reader
 * @throws ContractError `conflict` if the organization would have too many antennas, and not fewer than before
 */
export async function ensureAntennaQuota(
  tx: TransactionClient,
  orgId: number,
  { readerId = 0, given }: { readerId?: number; given: number },
): Promise<void> {
  if (given === 0) return;
  await tx.$queryRaw(lockStatement('readers', orgId));
  const [{ own, others }] = await tx.$queryRaw<[{ own: number; others: number }]>`
    SELECT count(*) FILTER (WHERE r.id = ${readerId}::int)::int AS own,
           count(*) FILTER (WHERE r.id <> ${readerId}::int)::int AS others
      FROM readers r
      JOIN reader_antennas a ON a.reader_id = r.id
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL`;
  if (given > own && others + given > antennasPerOrganizationMax) {
    throw refusal('limit_reached', { max: antennasPerOrganizationMax, what: 'antennas with settings' });
  }
}

/**
 * Deletes the rows of readers that were deleted before the retention of events, since no event refers to them any more.
 * Rows of readers that never sent anything are deleted after a day; until then the readers can be restored.
 */
export async function removeDeletedReaders(db: Queries, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM readers
     WHERE deleted_at < clock_timestamp() - make_interval(days => ${retentionDays}::int + 1)
        OR last_message_at IS NULL AND deleted_at < clock_timestamp() - interval '1 day'`;
}
