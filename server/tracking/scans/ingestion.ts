import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '../../kernel/backoff.js';
import type { Database } from '../../kernel/database/client.js';
import type { Log } from '../../kernel/log.js';
import type { ReadCounters } from '../readers/read-counters.js';
import type { Settings } from '../../kernel/settings.js';
import type { EventInterests } from '../../notifying/events/interests.js';
import { createHeartbeats } from './heartbeats.js';
import { ingestReads, type IngestOutcome } from './ingest.js';
import { IngestionStoppedError, ReaderGoneError } from './ingestion-errors.js';
import { createLocatingKnowledge, type LocatingKnowledge } from './locating-knowledge.js';
import { createMessageQueues, type Waiting } from './message-queues.js';
import { ensurePartitions } from '../../kernel/database/partitions.js';
import { type ReaderMessage, storableMessage } from './reader-message.js';
import { storeSkippedHeartbeats } from './reader-storage.js';
import { createRejectionBudget } from './rejection-budget.js';
import { createScanCaps, type ScanCaps } from './row-cap.js';
import { storageFault } from './storage-faults.js';
import { OvertakenError } from './storage-queries.js';

/** Concurrent batches, and in addition concurrent batches of organizations whose tree is being changed. */
const batchesMax = 3;
const treeWaitsMax = 2;
/** The most connections that ingestion uses. */
export const ingestionConnectionsMax = batchesMax + treeWaitsMax;
const retryPauses = { minMs: 20, maxMs: 2000 };
/** A larger difference between the two clocks is not just the delay of an answer. */
const clockStepMs = 250;

/** Totals since the start of the process, and what waits now. */
export type IngestionStats = {
  messages: number;
  reads: number;
  events: number;
  deduplicatedReads: number;
  weakReads: number;
  unknownReads: number;
  rejectedMessages: number;
  batches: number;
  retries: number;
  waitingMessages: number;
};

export type Ingestion = {
  /**
   * Accepts a message, and resolves when its content is committed, however long the database takes. Messages of one
   * reader are settled in the order in which they came.
   *
   * @throws ReaderGoneError or IngestionStoppedError: the message is not stored
   */
  ingest(message: ReaderMessage): Promise<void>;
  stats(): IngestionStats;
  /**
   * Stores waiting messages for at most the given time. The remaining messages are rejected and stay unacknowledged.
   */
  stop(timeoutMs: number): Promise<void>;
};

export type IngestionOptions = {
  db: Database;
  /** Must have at least `ingestionConnectionsMax` connections. */
  connections: Pick<Database, '$transaction'>;
  log: Log;
  settings: Settings;
  /** If absent, no events are written for rules and webhooks. */
  interests?: EventInterests;
  /** Learned values of antennas and locations. By default the ingestion creates its own. */
  locating?: LocatingKnowledge;
  /** By default the ingestion creates its own. */
  caps?: ScanCaps;
  /** Called with each message that is stored. */
  counters?: Pick<ReadCounters, 'stored'>;
};

type StoreOptions = {
  waitForTrees: boolean;
  /** Resolves when the previous batch is settled. */
  before: Promise<unknown>;
};

/**
 * Creates an ingestion that stores messages in batches. The batches of an organization follow each other: each batch
 * takes the messages that arrived until the database had the previous batch. The caller has to limit the memory; the
 * promises show how much is waiting.
 */
export function createIngestion({ db, connections, log, settings, counters, ...options }: IngestionOptions): Ingestion {
  const locating = options.locating ?? createLocatingKnowledge({ db, log });
  const queues = createMessageQueues();
  const stats: Omit<IngestionStats, 'waitingMessages'> = {
    messages: 0,
    reads: 0,
    events: 0,
    deduplicatedReads: 0,
    weakReads: 0,
    unknownReads: 0,
    rejectedMessages: 0,
    batches: 0,
    retries: 0,
  };
  const heartbeats = createHeartbeats();
  const budgeted = createRejectionBudget();
  const { unknownTags: unknownCap } = options.caps ?? createScanCaps({ db, log });
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  /** The last batch of each organization, if it is in progress. */
  const lastBegun = new Map<number, Promise<void>>();
  let clockOffsetMs = 0;
  let batches = 0;
  let treeWaits = 0;
  /** Batches that each have one organization, whose tree was being changed. */
  const busy: (readonly Waiting[])[] = [];
  let dispatching: NodeJS.Immediate | undefined;
  let isClosed = false;

  function ingest(message: ReaderMessage): Promise<void> {
    if (isClosed) return Promise.reject(new IngestionStoppedError());
    const storable = storableMessage({ ...message, content: budgeted(message) });
    return new Promise((resolve, reject) => {
      queues.add({ message: storable, receivedAtMs: Math.floor(Date.now() + clockOffsetMs), resolve, reject });
      // Runs after the other messages that arrived with this one.
      dispatching ??= setImmediate(dispatch);
    });
  }

  function dispatch(): void {
    clearImmediate(dispatching);
    dispatching = undefined;
    while (batches < batchesMax) {
      const batch = queues.take();
      if (batch.length === 0) break;
      batches += 1;
      launch(storeNext(batch, false).finally(() => (batches -= 1)));
    }
    while (treeWaits < treeWaitsMax) {
      const batch = busy.shift();
      if (!batch) break;
      treeWaits += 1;
      launch(storeNext(batch, true).finally(() => (treeWaits -= 1)));
    }
  }

  function launch(work: Promise<void>): void {
    const ended = work.finally(() => {
      running.delete(ended);
      dispatch();
    });
    running.add(ended);
  }

  /** Stores a batch. Its messages are acknowledged after the messages of the previous batch ([MQTT-4.6.0-2]). */
  async function storeNext(batch: readonly Waiting[], waitForTrees: boolean): Promise<void> {
    const orgIds = new Set(batch.map(({ message }) => message.orgId));
    const before = Promise.all([...orgIds].flatMap((orgId) => lastBegun.get(orgId) ?? []));
    const stored = store(batch, { waitForTrees, before });
    for (const orgId of orgIds) lastBegun.set(orgId, stored);
    try {
      await stored;
    } finally {
      for (const orgId of orgIds) if (lastBegun.get(orgId) === stored) lastBegun.delete(orgId);
    }
  }

  /** Stores a batch, with retries, and settles its messages. */
  async function store(given: readonly Waiting[], options: StoreOptions): Promise<void> {
    const { waitForTrees, before } = options;
    let batch = given;
    let hasLearned = false;
    for (let attempt = 0; batch.length > 0; attempt += 1) {
      try {
        const outcome = await attemptToStore(batch, { waitForTrees, hasLearned });
        if (outcome.busyOrgIds.size === 0) {
          await before;
          return settle(batch, outcome);
        }
        batch = withoutBusy(batch, outcome.busyOrgIds);
      } catch (error) {
        if (stopping.signal.aborted) return reject(batch);
        const fault = storageFault(error);
        hasLearned ||= error instanceof OvertakenError;
        // It is common that a batch and a handheld, or batches of two processes, have the same new asset.
        const level = error instanceof OvertakenError && attempt === 0 ? 'debug' : 'warn';
        log[level]({ err: error, fault, attempt, messages: batch.length }, 'a batch of reads could not be stored yet');
        if (fault === 'content') return storeSeparately(batch, { ...options, error });
        stats.retries += 1;
        if (fault === 'no-partition' && attempt === 0) await makePartitions();
        else await pause(attempt);
      }
    }
  }

  async function attemptToStore(
    batch: readonly Waiting[],
    given: { waitForTrees: boolean; hasLearned: boolean },
  ): Promise<IngestOutcome> {
    await locating.prepare(new Set(batch.map(({ message }) => message.orgId)));
    locating.received([...new Set(batch.map(({ message }) => message.readerId))]);
    const sentAtMs = Date.now();
    const outcome = await ingestReads(connections, batch, {
      ...given,
      retentionDays: settings.eventRetentionDays,
      knowledge: locating,
      heartbeats,
      interests: options.interests,
      nowMs: sentAtMs + clockOffsetMs,
      onSent: () => {
        queues.sent(batch);
        dispatching ??= setImmediate(dispatch);
      },
    });
    if (outcome.skippedHeartbeats.length > 0) launch(storeSkippedHeartbeats({ db, log }, outcome.skippedHeartbeats));
    const answeredAtMs = Date.now();
    const offsetMs = outcome.databaseNowMs - (sentAtMs + answeredAtMs) / 2;
    if (Math.abs(offsetMs - clockOffsetMs) > clockStepMs + (answeredAtMs - sentAtMs) / 2) clockOffsetMs = offsetMs;
    return outcome;
  }

  /** Sets messages aside whose organization's tree is being changed, and returns the others. */
  function withoutBusy(batch: readonly Waiting[], busyOrgIds: ReadonlySet<number>): readonly Waiting[] {
    for (const orgId of busyOrgIds) busy.push(batch.filter(({ message }) => message.orgId === orgId));
    dispatch();
    return batch.filter(({ message }) => !busyOrgIds.has(message.orgId));
  }

  function settle(batch: readonly Waiting[], outcome: IngestOutcome): void {
    const { goneReaderIds } = outcome;
    stats.batches += 1;
    stats.events += outcome.storedEvents;
    stats.deduplicatedReads += outcome.deduplicatedReads;
    stats.weakReads += outcome.weakReads;
    stats.unknownReads += outcome.unknownReads;
    unknownCap.counted(outcome.unknownByOrg);
    for (const waiting of batch) {
      const { message, resolve, reject } = waiting;
      stats.messages += 1;
      if (message.content.kind === 'reads') stats.reads += message.content.reads.length;
      if (message.content.kind === 'rejected') stats.rejectedMessages += 1;
      if (goneReaderIds.has(message.readerId)) {
        reject(new ReaderGoneError());
        continue;
      }
      resolve();
      counters?.stored(waiting, outcome.ignoredReads.get(message.readerId) ?? 0);
      // Reported once for each reader of the batch.
      outcome.ignoredReads.delete(message.readerId);
    }
    queues.settled(batch);
  }

  /** Halves a batch until the message that cannot be stored is alone, and stores this message as rejected. */
  async function storeSeparately(
    batch: readonly Waiting[],
    { error, ...options }: StoreOptions & { error: unknown },
  ): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only && only.message.content.kind === 'reads') {
      log.error({ err: error, readerId: only.message.readerId }, 'a message cannot be stored');
      const payload = Buffer.from(JSON.stringify(only.message.content.reads));
      const content = { kind: 'rejected', reason: 'its reads could not be stored', payload } as const;
      return store([{ ...only, message: storableMessage({ ...only.message, content }) }], options);
    }
    if (batch.length === 1) return reject(batch);
    const middle = Math.ceil(batch.length / 2);
    await store(batch.slice(0, middle), options);
    await store(batch.slice(middle), options);
  }

  function reject(batch: readonly Waiting[]): void {
    for (const { reject } of batch) reject(new IngestionStoppedError());
    queues.settled(batch);
  }

  async function makePartitions(): Promise<void> {
    await ensurePartitions(db, { retentionDays: settings.eventRetentionDays, nowMs: Date.now() + clockOffsetMs }).catch(
      (error: unknown) => log.warn({ err: error }, 'the partitions could not be created'),
    );
  }

  async function pause(attempt: number): Promise<void> {
    await delay(backoffMs(attempt, retryPauses), undefined, { signal: stopping.signal }).catch(() => {});
  }

  async function stop(timeoutMs: number): Promise<void> {
    isClosed = true;
    dispatch();
    const late = delay(timeoutMs, 'late' as const, { ref: false });
    while (running.size > 0 && (await Promise.race([...running, late])) !== 'late');
    stopping.abort();
    reject([...busy.flat(), ...queues.drain()]);
    await unknownCap.stop();
  }

  return { ingest, stop, stats: () => ({ ...stats, waitingMessages: queues.messages() }) };
}
