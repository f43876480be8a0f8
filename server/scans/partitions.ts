import { Prisma } from '../../generated/prisma/client.js';
import type { Database, TransactionClient } from '../database/client.js';

/** Months made ahead of the present one, so that a maintenance that fails for weeks costs no read its place. */
const monthsAhead = 2;
const dayMs = 86_400_000;
/** How much longer than the retention a month is kept, for reads that wait out a database that is away. */
const graceMs = dayMs;
/** Keeps the work on the partitions to one process at a time; a key of its own among the advisory locks. */
const partitionsLock = Prisma.sql`SELECT pg_advisory_xact_lock(${8_210_531_115}::bigint)::text`;
/** Dropping waits for running statements and everybody else waits behind it, so it gives up soon and comes again. */
const dropLockTimeout = Prisma.sql`SET LOCAL lock_timeout = '500ms'`;

export type Retention = { retentionDays: number; nowMs: number };

type Month = { name: string; fromMs: number; untilMs: number };

/**
 * Makes the partitions of `scan_events` from the month in which the retention begins to two months ahead, where they are
 * missing. Safe to run in several processes at once, and beside ingestion.
 *
 * @returns the names of those made now
 */
export async function ensurePartitions(db: Database, retention: Retention): Promise<string[]> {
  const wanted = monthsBetween(retentionBegin(retention), new Date(retention.nowMs));
  const missing = await missingAmong(db, wanted);
  if (missing.length === 0) return [];
  return db.$transaction(
    async (tx) => {
      await tx.$queryRaw(partitionsLock);
      const made = await missingAmong(tx, wanted);
      for (const month of made) await createPartition(tx, month);
      return made.map(({ name }) => name);
    },
    { maxWait: 30_000, timeout: 60_000 },
  );
}

/**
 * Drops the partitions whose newest possible event is older than the retention.
 *
 * @returns the names of those dropped
 * @throws where a running statement holds a partition for longer than half a second; the next run tries again
 */
export async function dropExpiredPartitions(db: Database, retention: Retention): Promise<string[]> {
  const { name: oldestKept } = monthOf(retentionBegin(retention));
  const expired = (await partitionNames(db)).filter((name) => name < oldestKept);
  for (const name of expired) {
    await db.$transaction([
      db.$queryRaw(partitionsLock),
      db.$executeRaw(dropLockTimeout),
      db.$executeRawUnsafe(`DROP TABLE IF EXISTS ${name}`),
    ]);
  }
  return expired;
}

function retentionBegin({ retentionDays, nowMs }: Retention): Date {
  return new Date(nowMs - retentionDays * dayMs - graceMs);
}

function monthsBetween(first: Date, now: Date): Month[] {
  const months: Month[] = [];
  const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAhead);
  for (let month = monthOf(first); month.fromMs <= last; month = monthOf(new Date(month.untilMs))) months.push(month);
  return months;
}

function monthOf(instant: Date): Month {
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth();
  const digits = String(month + 1).padStart(2, '0');
  return { name: `scan_events_${year}_${digits}`, fromMs: Date.UTC(year, month), untilMs: Date.UTC(year, month + 1) };
}

async function partitionNames(db: Database | TransactionClient): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT c.relname::text AS name
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'scan_events'::regclass
       AND c.relname ~ '^scan_events_[0-9]{4}_[0-9]{2}$'`;
  return rows.map(({ name }) => name);
}

async function missingAmong(db: Database | TransactionClient, wanted: readonly Month[]): Promise<Month[]> {
  const present = new Set(await partitionNames(db));
  return wanted.filter(({ name }) => !present.has(name));
}

/** A table of its own that is attached when it is whole: attaching, unlike creating in place, lets reads and writes go on. */
async function createPartition(tx: TransactionClient, { name, fromMs, untilMs }: Month): Promise<void> {
  const from = new Date(fromMs).toISOString();
  const until = new Date(untilMs).toISOString();
  await tx.$executeRawUnsafe(`CREATE TABLE ${name} (LIKE scan_events INCLUDING ALL)`);
  await tx.$executeRawUnsafe(
    `ALTER TABLE scan_events ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`,
  );
}
