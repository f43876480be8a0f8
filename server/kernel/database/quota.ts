import { Prisma } from '../../../generated/prisma/client.js';
import { refusal } from '../errors.js';
import type { Limited } from '../reasons.js';
import type { TransactionClient } from './client.js';
import { type LockClass, lockStatement } from './locks.js';

/** How many rows of one kind an organization can have. */
export type Quota = {
  table: 'readers' | 'api_keys' | 'invitations';
  /** Serializes creations, so that the count includes everything committed before. */
  lock: LockClass;
  /** SQL that is true for rows that are in use. */
  isLive: Prisma.Sql;
  /** Plural, as it appears in the message. */
  noun: Limited;
  liveMax: number;
  /**
   * Rows that were deleted, revoked or used up are kept for some time, at most this many of them in addition to the
   * live rows.
   */
  pastMax: number;
};

/**
 * Ensures that an organization can have one more row of a kind. Holds the quota's lock until the end of the
 * transaction. So when two rows are created concurrently, the second one sees the first in its count.
 *
 * @throws ContractError `conflict` if the quota is used up
 */
export async function ensureBelowQuota(tx: TransactionClient, orgId: number, quota: Quota): Promise<void> {
  const { table, lock, isLive, noun, liveMax, pastMax } = quota;
  await tx.$queryRaw(lockStatement(lock, orgId));
  const [{ live, past }] = await tx.$queryRaw<[{ live: number; past: number }]>`
    SELECT count(*) FILTER (WHERE ${isLive})::int AS live, count(*) FILTER (WHERE NOT ${isLive})::int AS past
      FROM ${Prisma.raw(table)}
     WHERE org_id = ${orgId}::int`;
  if (live >= liveMax) throw refusal('limit_reached', { max: liveMax, what: noun });
  if (past >= pastMax) {
    throw refusal('too_many_created', { what: noun });
  }
}
