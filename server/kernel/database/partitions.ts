import { Prisma } from '../../../generated/prisma/client.js';
import type { Database, TransactionClient } from './client.js';

/** How many months are created ahead, so that reads are stored even if maintenance fails for weeks. */
const monthsAhead = 2;
const dayMs = 86_400_000;
/** A month is kept this much longer than the retention, for reads that an unavailable database delayed. */
const graceMs = dayMs;
/** Serializes the work on partitions across processes, by its own advisory lock. */
const partitionsLock = Prisma.sql`SELECT pg_advisory_xact_lock(${8_210_531_115}::bigint)::text`;
/**
 * Dropping waits for running statements, and other statements queue behind it, so it gives up after half a second and is repeated
 * later.
 */
const dropLockTimeout = Prisma.sql`SET LOCAL lock_timeout = '500ms'`;

export type Retention = { retentionDays: number; nowMs: number };

/**
 * A table with a partition for each month. If it has a default partition, rows of a month without a partition go there.
 */
export type PartitionedTable = { readonly name: string; readonly time: string; readonly hasDefault: boolean };

export const scanEvents: PartitionedTable = { name: 'scan_events', time: 'event_observed_at', hasDefault: false };

export const activityLog: PartitionedTable = { name: 'activity_log', time: 'occurred_at', hasDefault: true };

type Month = { suffix: string; fromMs: number; untilMs: number };

/**
 * Creates the missing partitions of a table, from the month in which the retention begins to two months ahead. Safe to
 * run in several processes at once, and during ingestion.
 *
 * @returns the names of the new partitions
 */
export async function ensurePartitions(
  db: Database,
  retention: Retention,
  table: PartitionedTable = scanEvents,
): Promise<string[]> {
  const wanted = monthsBetween(retentionBegin(retention), new Date(retention.nowMs));
  const missing = await missingAmong(db, table, wanted);
  if (missing.length === 0) return [];
  return db.$transaction(
    async (tx) => {
      await tx.$queryRaw(partitionsLock);
      const made = await missingAmong(tx, table, wanted);
      for (const month of made) await createPartition(tx, table, month);
      return made.map(({ suffix }) => `${table.name}_${suffix}`);
    },
    { timeoutMs: 60_000 },
  );
}

/**
 * Drops the partitions of a table whose newest possible row is older than the retention. The retention ends at `nowMs`,
 * the database's clock, or at the end of the newest month with rows if that is earlier: a clock that jumps ahead does
 * not drop a partition that was being filled until then.
 *
 * @returns the names of the dropped partitions
 * @throws if a running statement holds a partition for longer than half a second; the next run tries again
 */
export async function dropExpiredPartitions(
  db: Database,
  retention: Retention,
  table: PartitionedTable = scanEvents,
): Promise<string[]> {
  const suffixes = await partitionSuffixes(db, table);
  const oldestKept = (nowMs: number) => monthOf(retentionBegin({ ...retention, nowMs })).suffix;
  const old = suffixes.filter((suffix) => suffix < oldestKept(retention.nowMs));
  const newest = old.length === 0 ? undefined : await newestWithRows(db, table, suffixes);
  const endMs = Math.min(
    retention.nowMs,
    newest === undefined ? Number.POSITIVE_INFINITY : monthOfSuffix(newest).untilMs,
  );
  const expired = old.filter((suffix) => suffix < oldestKept(endMs));
  const names = expired.map((suffix) => `${table.name}_${suffix}`);
  for (const name of names) {
    await db.$transaction(async (tx) => {
      await tx.$queryRaw(partitionsLock);
      await tx.$executeRaw(dropLockTimeout);
      await tx.$executeRaw(Prisma.raw(`DROP TABLE IF EXISTS ${name}`));
    });
  }
  return names;
}

/** Returns the newest month that has rows; undefined if no month has rows. */
async function newestWithRows(
  db: Database,
  table: PartitionedTable,
  suffixes: readonly string[],
): Promise<string | undefined> {
  for (const suffix of suffixes.toSorted().toReversed()) {
    const rows = await db.$queryRaw<unknown[]>(Prisma.raw(`SELECT 1 AS found FROM ${table.name}_${suffix} LIMIT 1`));
    if (rows.length > 0) return suffix;
  }
  return undefined;
}

function monthOfSuffix(suffix: string): Month {
  const [year = 0, month = 1] = suffix.split('_').map(Number);
  return monthOf(new Date(Date.UTC(year, month - 1)));
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
  return { suffix: `${year}_${digits}`, fromMs: Date.UTC(year, month), untilMs: Date.UTC(year, month + 1) };
}

/** Returns the months that have a partition, as `2026_11`. */
async function partitionSuffixes(db: Database | TransactionClient, table: PartitionedTable): Promise<string[]> {
  const rows = await db.$queryRaw<{ suffix: string }[]>`
    SELECT substr(c.relname::text, length(${table.name}) + 2) AS suffix
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = ${table.name}::regclass`;
  return rows.flatMap(({ suffix }) => (/^[0-9]{4}_[0-9]{2}$/.test(suffix) ? [suffix] : []));
}

async function missingAmong(
  db: Database | TransactionClient,
  table: PartitionedTable,
  wanted: readonly Month[],
): Promise<Month[]> {
  const present = new Set(await partitionSuffixes(db, table));
  return wanted.filter(({ suffix }) => !present.has(suffix));
}

/**
 * Creates a separate table and attaches it once it is complete: unlike creating it in place, this does not block reads
 * and writes.
 */
async function createPartition(tx: TransactionClient, table: PartitionedTable, month: Month): Promise<void> {
  const name = `${table.name}_${month.suffix}`;
  const from = new Date(month.fromMs).toISOString();
  const until = new Date(month.untilMs).toISOString();
  await tx.$executeRaw(Prisma.raw(`CREATE TABLE ${name} (LIKE ${table.name} INCLUDING ALL)`));
  if (table.hasDefault) await emptyDefault(tx, { table, name, from, until });
  await tx.$executeRaw(
    Prisma.raw(`ALTER TABLE ${table.name} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`),
  );
}

/** Moves a month's rows out of the default partition, which stays locked until the transaction ends. */
async function emptyDefault(
  tx: TransactionClient,
  { table, name, from, until }: { table: PartitionedTable; name: string; from: string; until: string },
): Promise<void> {
  const source = `${table.name}_default`;
  await tx.$executeRaw(Prisma.raw(`LOCK TABLE ${source} IN ACCESS EXCLUSIVE MODE`));
  await tx.$executeRaw(
    Prisma.raw(`
    WITH moved AS (DELETE FROM ${source} WHERE ${table.time} >= '${from}' AND ${table.time} < '${until}' RETURNING *)
    INSERT INTO ${name} SELECT * FROM moved`),
  );
}
