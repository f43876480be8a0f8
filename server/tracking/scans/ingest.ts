import type { Database } from '../../kernel/database/client.js';
import { sqlState } from '../../kernel/database/faults.js';
import type { StatementRunner } from '../../kernel/database/statement.js';
import { type Clock, createSite } from '../../locating/index.js';
import type { AssetTrack } from './asset-track.js';
import { batchOf, type ReadBatch, type ReceivedMessage } from './batch.js';
import type { EventInterests } from '../../notifying/events/interests.js';
import { moveContents } from './contents.js';
import type { Heartbeats } from './heartbeats.js';
import { judgeBatch } from './judge-batch.js';
import type { LocatingKnowledge } from './locating-knowledge.js';
import { lockTrees, resolveBatch } from './resolve-batch.js';
import type { ReaderChanges } from './scan-changes.js';
import type { StoredRow } from './storage-queries.js';
import { storeTelemetry } from '../../things/telemetry/store-telemetry.js';
import { announceEvents, decideEvents, storeTracks } from './store-tracks.js';

// docs/decisions/0013-acknowledged-means-stored.md explains how a batch is stored, and why in two statements.

const dayMs = 86_400_000;

/** The outcome of a batch. If there are busy organizations, nothing was stored. */
export type IngestOutcome = {
  /** Organizations whose tree of locations is being changed; empty if the batch waited for them. */
  busyOrgIds: ReadonlySet<number>;
  /** Readers that do not exist, or no longer exist; nothing that they sent was stored. */
  goneReaderIds: ReadonlySet<number>;
  storedEvents: number;
  /** Reads that the deduplication window left out, and further reads of an asset in the same millisecond. */
  deduplicatedReads: number;
  /** Reads below the RSSI threshold of their antenna. */
  weakReads: number;
  unknownReads: number;
  /** Rows of unknown tags that were counted, by organization. */
  unknownByOrg: ReadonlyMap<number, number>;
  /** Reads of private BLE addresses that were not counted, by reader. */
  ignoredReads: Map<number, number>;
  /**
   * Heartbeats that were not stored, because the row of the reader was locked, or another process had stored a
   * heartbeat less than a second before.
   */
  skippedHeartbeats: readonly { readerId: number; atMs: number }[];
  /** The database's clock, in epoch milliseconds. */
  databaseNowMs: number;
};

type StoredBatch = IngestOutcome & { heartbeats: ReaderChanges['heartbeats']; clocks: ReadonlyMap<number, Clock> };

export type IngestOptions = {
  retentionDays: number;
  /** Whether to wait for organizations whose tree is being changed, instead of returning them. */
  waitForTrees: boolean;
  /** If absent, decisions use only what is in the batch. */
  knowledge?: Pick<LocatingKnowledge, 'siteOf'>;
  /** The present, in epoch milliseconds of the database's clock; by the clock of this process by default. */
  nowMs?: number;
  /** If absent, every batch stores the heartbeats of its readers. */
  heartbeats?: Heartbeats;
  /** If absent, no events are written for rules and webhooks. */
  interests?: EventInterests | undefined;
  /** Whether these reads were judged before, so that nothing is learned from them again. */
  hasLearned?: boolean;
  /** Called once the database has everything that it needs to store and commit the batch without a further statement. */
  onSent?: () => void;
};

/**
 * Stores the reads of many readers and organizations in one transaction: as events, positions, visits and counts of
 * unknown tags, and messages that could not be parsed as rejected messages. When it returns without busy organizations,
 * everything is committed. Storing a batch again changes only these counts and rejections.
 *
 * @throws OvertakenError, or an error of the database: nothing is stored then
 */
export async function ingestReads(
  connections: Pick<Database, '$transaction'>,
  messages: readonly ReceivedMessage[],
  options: IngestOptions,
): Promise<IngestOutcome> {
  const store = async () => {
    const { heartbeats, clocks, ...outcome } = await connections.$transaction((runner) =>
      storeBatch(runner, batchOf(messages), { ...options, isRepeatable, hasLearned }),
    );
    options.heartbeats?.stored(heartbeats);
    for (const { message } of messages) {
      const clock = clocks.get(message.readerId);
      if (clock) options.knowledge?.siteOf(message.orgId).setClock(message.readerId, clock);
    }
    return outcome;
  };
  let isRepeatable = false;
  let hasLearned = options.hasLearned ?? false;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isRepeated(error) || isRepeatable) throw error;
      // Some events are not recorded in a position, so every event next to a read is looked up.
      isRepeatable = true;
      hasLearned = true;
    }
  }
}

function isRepeated(error: unknown): boolean {
  return sqlState(error) === '23505';
}

type StoreOptions = IngestOptions & { isRepeatable: boolean };

/** The way of a read: takes a batch through all its steps. `ingestion.ts` acknowledges its messages afterwards. */
async function storeBatch(runner: StatementRunner, batch: ReadBatch, options: StoreOptions): Promise<StoredBatch> {
  const { interests, isRepeatable } = options;
  // 1. Resolve readers, antennas and tags, and lock trees and positions: the first round trip. The result is used only
  // if the trees could be locked.
  const orgIds = [...new Set(batch.senders.map(({ orgId }) => orgId))];
  const [busy, resolved] = await Promise.all([
    lockTrees(runner, orgIds, { wait: options.waitForTrees }),
    resolveBatch(runner, batch),
  ]);
  if (busy.length > 0) return nothingStored(busy);
  // 2. Judge each read: where is its asset after it? Each track is decided at once and not kept, so few tracks are in
  // memory at a time.
  const deciding = decideEvents({ lookUpAll: isRepeatable });
  const nowMs = options.nowMs ?? Date.now();
  // In organizations with containers, the tracks of all assets are needed before the first one is decided.
  const waiting: AssetTrack[] = [];
  const judged = judgeBatch(batch, resolved, {
    siteOf: options.knowledge?.siteOf ?? withoutKnowledge(),
    hasLearned: options.hasLearned ?? false,
    onTrack: (track) => (resolved.orgIdsWithContainers.has(track.orgId) ? waiting.push(track) : deciding.add(track)),
    retentionMs: options.retentionDays * dayMs,
    nowMs,
  });
  for (const track of await moveContents(runner, waiting, { receivedAtMs: nowMs, userId: null, isSeen: true }))
    deciding.add(track);
  // 3. Decide which reads are events, and what changes of positions and visits.
  const decided = await deciding.finish(runner);
  // 4. Announce moves, unknown tags and measurements to rules and webhooks.
  await storeTelemetry(runner, judged.measured, interests);
  await announceEvents(runner, interests && { interests, userId: null }, { ...decided, unknown: judged.unknown });
  // 5. Store everything and commit: the second round trip. Live views are notified by the commit.
  const heartbeats = heartbeatsOf(batch.senders, judged.clockOffsets, options.heartbeats);
  const storing = storeTracks(runner, decided, {
    readers: { heartbeats, rejected: batch.rejected },
    unknown: judged.unknown,
    isRepeatable,
    isLast: true,
  });
  if (decided.corrections.length === 0) options.onSent?.();
  const { assetReads, weakReads, unknownReads, ignoredReads, clocks } = judged;
  const isGone = (_: unknown, index: number) => resolved.readers[index] === undefined;
  // Not awaited here, so that the batch is released while the database works.
  return storedBatch(storing, assetReads, {
    busyOrgIds: new Set(),
    goneReaderIds: new Set(batch.senders.filter(isGone).map(({ readerId }) => readerId)),
    weakReads,
    unknownReads,
    ignoredReads,
    heartbeats,
    clocks,
    unknownByOrg: rowsByOrg(judged.unknown),
  });
}

function withoutKnowledge(): LocatingKnowledge['siteOf'] {
  const site = createSite();
  return () => site;
}

async function storedBatch(
  storing: Promise<StoredRow>,
  assetReads: number,
  outcome: Omit<StoredBatch, 'storedEvents' | 'deduplicatedReads' | 'skippedHeartbeats' | 'databaseNowMs'>,
): Promise<StoredBatch> {
  const { stored_events: storedEvents, stored_heartbeats: stored, now_ms: databaseNowMs } = await storing;
  const deduplicatedReads = Math.max(0, assetReads - storedEvents);
  const storedIds = new Set(stored.split(' ').map(Number));
  const skippedHeartbeats = outcome.heartbeats.filter(({ readerId }) => !storedIds.has(readerId));
  return { ...outcome, storedEvents, deduplicatedReads, skippedHeartbeats, databaseNowMs };
}

function heartbeatsOf(
  senders: ReadBatch['senders'],
  clockOffsets: readonly (number | null)[],
  known: Heartbeats | undefined,
): ReaderChanges['heartbeats'] {
  return senders
    .map(({ readerId, atMs, isTest }, index) => ({
      readerId,
      atMs,
      isTest,
      clockOffsetMs: clockOffsets[index] ?? null,
    }))
    .filter(({ isTest }) => !isTest)
    .filter(({ readerId, atMs, clockOffsetMs }) => clockOffsetMs !== null || (known?.isDue(readerId, atMs) ?? true));
}

function nothingStored(busy: readonly number[]): StoredBatch {
  const none = { storedEvents: 0, deduplicatedReads: 0, weakReads: 0, unknownReads: 0, databaseNowMs: Number.NaN };
  const counts = { unknownByOrg: new Map<number, number>(), ignoredReads: new Map<number, number>() };
  return {
    busyOrgIds: new Set(busy),
    goneReaderIds: new Set(),
    heartbeats: [],
    skippedHeartbeats: [],
    clocks: new Map(),
    ...none,
    ...counts,
  };
}

function rowsByOrg(unknown: readonly { orgId: number }[]): Map<number, number> {
  const rows = new Map<number, number>();
  for (const { orgId } of unknown) rows.set(orgId, (rows.get(orgId) ?? 0) + 1);
  return rows;
}
