import { numbers, texts } from '../database/array-literals.js';
import type { Database, TransactionClient } from '../database/client.js';
import type { ReadBatch } from './batch.js';

export type IngestRow = {
  busy_orgs: number[] | null;
  gone_readers: number[] | null;
  stored_events: number;
  thinned_reads: number;
  weak_reads: number;
  unknown_reads: number;
  now_ms: number;
};

/** One statement and so one transaction; `ingest_reads` is a function of the database. */
export async function callIngestReads(
  db: Pick<Database | TransactionClient, '$queryRaw'>,
  { heard, places, tags, reads, rejected }: ReadBatch,
  { retentionDays, waitForTrees }: { retentionDays: number; waitForTrees: boolean },
): Promise<IngestRow> {
  const rows = await db.$queryRaw<[IngestRow]>`
    SELECT f.*, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms
      FROM ingest_reads(
        ${numbers(heard.orgIds)}::int[], ${numbers(heard.readerIds)}::int[], ${numbers(heard.atMs)}::float8[],
        ${numbers(places.orgIds)}::int[], ${numbers(places.readerIds)}::int[], ${numbers(places.antennas)}::int[],
        ${numbers(tags.orgIds)}::int[], ${texts(tags.types)}::text[], ${texts(tags.values)}::text[],
        ${numbers(reads.places)}::int[], ${numbers(reads.tags)}::int[], ${numbers(reads.rssiDbm)}::real[],
        ${numbers(reads.observedAtMs)}::float8[], ${numbers(reads.receivedAtMs)}::float8[],
        ${numbers(rejected.readerIds)}::int[], ${texts(rejected.topics)}::text[], ${texts(rejected.reasons)}::text[],
        ${texts(rejected.payloads)}::text[], ${numbers(rejected.atMs)}::float8[],
        ${retentionDays}::int, ${waitForTrees}::boolean
      ) AS f`;
  return rows[0];
}
