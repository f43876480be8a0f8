import type { Database, TransactionClient } from '../database/client.js';
import { batchOf, type ReceivedMessage } from './batch.js';
import { callIngestReads } from './ingest-queries.js';

/** What became of a batch. With busy organisations nothing at all was stored. */
export type IngestOutcome = {
  /** Organisations whose tree is being changed; empty if the batch was to wait for them. */
  busyOrgIds: ReadonlySet<number>;
  /** Readers that are not there (any more); nothing of theirs was stored. */
  goneReaderIds: ReadonlySet<number>;
  storedEvents: number;
  /** Left out by the resolution rule, or a second read of an asset in one millisecond. */
  thinnedReads: number;
  /** Below the least strength set for their antenna. */
  weakReads: number;
  unknownReads: number;
  /** The database's clock, in epoch milliseconds. */
  databaseNowMs: number;
};

export type IngestOptions = {
  retentionDays: number;
  /** Whether to wait for organisations whose tree is being changed, instead of naming them. */
  waitForTrees: boolean;
};

/**
 * The ingestion procedure: stores the reads of many readers and organisations in one transaction, as events, positions
 * and counts of unknown tags, and what could not be understood as rejected messages. When it returns without busy organisations, everything is committed. Storing a batch again
 * changes nothing but those counts and rejections.
 */
export async function ingestReads(
  db: Pick<Database | TransactionClient, '$queryRaw'>,
  messages: readonly ReceivedMessage[],
  options: IngestOptions,
): Promise<IngestOutcome> {
  const row = await callIngestReads(db, batchOf(messages), options);
  return {
    busyOrgIds: new Set(row.busy_orgs),
    goneReaderIds: new Set(row.gone_readers),
    storedEvents: row.stored_events,
    thinnedReads: row.thinned_reads,
    weakReads: row.weak_reads,
    unknownReads: row.unknown_reads,
    databaseNowMs: row.now_ms,
  };
}
