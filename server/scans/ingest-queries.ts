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
        ${heard.orgIds}::int[], ${heard.readerIds}::int[], ${heard.atMs}::float8[],
        ${places.orgIds}::int[], ${places.readerIds}::int[], ${places.antennas}::int[],
        ${tags.orgIds}::int[], ${tags.types}::text[], ${tags.values}::text[],
        ${reads.places}::int[], ${reads.tags}::int[], ${reads.rssiDbm}::real[],
        ${reads.observedAtMs}::float8[], ${reads.receivedAtMs}::float8[],
        ${rejected.readerIds}::int[], ${rejected.topics}::text[], ${rejected.reasons}::text[],
        ${rejected.payloads}::text[], ${rejected.atMs}::float8[],
        ${retentionDays}::int, ${waitForTrees}::boolean
      ) AS f`;
  return rows[0];
}
