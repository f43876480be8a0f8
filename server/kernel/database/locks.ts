import { Prisma } from '../../../generated/prisma/client.js';
import type { Database, TransactionClient } from './client.js';

// docs/decisions/0005-advisory-locks-per-organization.md explains what each lock protects, and the order of locks.

/**
 * The resources that an organization's writers lock; the numbers are the first half of PostgreSQL's two-part advisory
 * keys.
 */
export const lockClasses = {
  tree: 3,
  imports: 4,
  readers: 5,
  apiKeys: 6,
  invitations: 7,
  images: 8,
  audits: 20,
  savedViews: 40,
  scheduledEmails: 44,
  assetKinds: 43,
  alerting: 27,
  eventRouting: 28,
} as const;

export type LockClass = keyof typeof lockClasses;

/**
 * Returns a statement that takes an organization's lock until the end of the transaction. It must be a separate
 * statement, so that the next statement's snapshot includes what the previous holder committed.
 */
export function lockStatement(lock: LockClass, orgId: number): Prisma.Sql {
  return Prisma.sql`SELECT pg_advisory_xact_lock(${lockClasses[lock]}::int, ${orgId}::int)::text`;
}

/**
 * Does the same as `lockStatement` with a shared lock: many transactions can hold it, but not together with an
 * exclusive one.
 */
export function sharedLockStatement(lock: LockClass, orgId: number): Prisma.Sql {
  return Prisma.sql`SELECT pg_advisory_xact_lock_shared(${lockClasses[lock]}::int, ${orgId}::int)::text`;
}

/** Runs `change` in a transaction whose first statement takes an organization's lock. */
export function transactionUnderLock<Result>(
  db: Database,
  { lock, orgId }: { lock: LockClass; orgId: number },
  change: (tx: TransactionClient) => Promise<Result>,
): Promise<Result> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement(lock, orgId));
    return change(tx);
  });
}

/**
 * Returns the lock that serializes changes of an organization's rules and endpoints, so that counts of them stay
 * correct.
 */
export function alertingOf({ orgId }: { orgId: number }): { lock: LockClass; orgId: number } {
  return { lock: 'alerting', orgId };
}
