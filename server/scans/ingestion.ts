import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '../backoff.js';
import type { Database } from '../database/client.js';
import type { Connections } from '../database/connections.js';
import type { Log } from '../log.js';
import { movingOrganization, OrganizationMovingError } from '../moves/moving.js';
import type { ReadCounters } from '../readers/read-counters.js';
import type { Settings } from '../settings.js';
import type { EventInterests } from '../events/interests.js';
import { createHeartbeats } from './heartbeats.js';
import { ingestReads, type IngestOutcome } from './ingest.js';
import { IngestionStoppedError, ReaderGoneError } from './ingestion-errors.js';
import { createLocatingKnowledge, type LocatingKnowledge } from './locating-knowledge.js';
import { createMessageQueues, type Waiting } from './message-queues.js';
import { ensurePartitions } from '../database/partitions.js';
import { type ReaderMessage, storableMessage } from './reader-message.js';
import { noteSkippedHeartbeats } from './reader-storage.js';
import { createRejectionBudget } from './rejection-budget.js';
import { createScanCaps, type ScanCaps } from './row-cap.js';
import { storageFault } from './storage-faults.js';
import { OvertakenError } from './storage-queries.js';

/** How long the first message of a batch waits for others of its reader, and for those of other readers. */
const gatherOwnMs = 1;
const gatherMs = 3;
/** Waiting reads are divided among the batches that can start now. The size of each is between these two bounds. */
const batchReadsMin = 200;
const batchReadsMax = 1500;
/** How long a smaller batch waits while another one is being stored, since each batch has a fixed cost. */
const companyMs = 20;
/** Batches in the database at once, and those that wait for an organization's tree besides. */
const batchesMax = 2;
const retriesMax = 2;
/** Connections that ingestion uses at once. */
export const ingestionConnectionsMax = batchesMax + retriesMax;
const retryPauses = { minMs: 20, maxMs: 2000 };
/** A difference between the two clocks that is more than the delay of an answer. */
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
   * @throws ReaderGoneError, IngestionStoppedError or OrganizationMovingError: the message is not stored
   */
  ingest(message: ReaderMessage): Promise<void>;
  stats(): IngestionStats;
  /** Stores what waits, for at most the given time. The rest is rejected and stays unacknowledged. */
  stop(timeoutMs: number): Promise<void>;
};

export type IngestionOptions = {
  db: Database;
  /** Must have at least `ingestionConnectionsMax` connections. */
  connections: Connections;
  log: Log;
  settings: Settings;
  /** Without it no events are written for rules and webhooks. */
  interests?: EventInterests;
  /** What was learned about antennas and locations. By default the ingestion creates its own. */
  locating?: LocatingKnowledge;
  /** By default the ingestion creates its own. */
  caps?: ScanCaps;
  /** Called with each message that is stored. */
  counters?: Pick<ReadCounters, 'stored'>;
};

/**
 * Creates an ingestion that collects the messages of all readers for a few milliseconds and stores them in batches, one
 * batch of each reader at a time. The caller has to bound the memory: the promises show how much is waiting.
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
  let clockOffsetMs = 0;
  /** Messages of the last batch that was stored. */
  let lastMessages = Infinity;
  let batches = 0;
  let retries = 0;
  let launchedAtMs = 0;
  let gathering: NodeJS.Timeout | undefined;
  let isClosed = false;

  function ingest(message: ReaderMessage): Promise<void> {
    if (isClosed) return Promise.reject(new IngestionStoppedError());
    const storable = storableMessage({ ...message, content: budgeted(message) });
    return new Promise((resolve, reject) => {
      queues.add({ message: storable, receivedAtMs: Math.floor(Date.now() + clockOffsetMs), resolve, reject });
      if (queues.reads() >= batchReadsMax || hasWholeWindow()) dispatch();
      else gathering ??= setTimeout(dispatchOwn, gatherOwnMs);
    });
  }

  /**
   * Returns whether a single reader has sent as many messages as the last batch acknowledged: if it limits how many are
   * unacknowledged, it sends no more.
   */
  function hasWholeWindow(): boolean {
    return queues.messages() >= lastMessages && batches === 0 && queues.readers() === 1;
  }

  /** Dispatches the messages of a single reader, as there is no other to wait for. */
  function dispatchOwn(): void {
    if (queues.readers() > 1) gathering = setTimeout(dispatch, gatherMs - gatherOwnMs);
    else dispatch();
  }

  function dispatch(): void {
    clearTimeout(gathering);
    gathering = undefined;
    while (mayLaunch()) {
      const share = Math.ceil(queues.reads() / (batchesMax - batches));
      const batch = queues.take(Math.min(batchReadsMax, Math.max(batchReadsMin, share)));
      if (batch.length === 0) break;
      batches += 1;
      launchedAtMs = performance.now();
      launch(store(batch, false).finally(() => (batches -= 1)));
    }
    while (retries < retriesMax) {
      const batch = queues.takeBusy(batchReadsMax);
      if (batch.length === 0) break;
      retries += 1;
      launch(store(batch, true).finally(() => (retries -= 1)));
    }
    if (batches < batchesMax && queues.reads() > 0) gathering = setTimeout(dispatch, companyMs);
  }

  function mayLaunch(): boolean {
    if (batches === 0 || batches === batchesMax) return batches === 0;
    return queues.reads() >= batchReadsMin || performance.now() - launchedAtMs >= companyMs;
  }

  function launch(work: Promise<void>): void {
    const ended = work.finally(() => {
      running.delete(ended);
      // Messages that came meanwhile have waited long enough.
      dispatch();
    });
    running.add(ended);
  }

  /** Stores a batch, with retries, and settles its messages. */
  async function store(given: readonly Waiting[], waitForTrees: boolean): Promise<void> {
    let batch = given;
    for (let attempt = 0; batch.length > 0; attempt += 1) {
      try {
        settle(batch, await attemptToStore(batch, waitForTrees));
        return;
      } catch (error) {
        if (stopping.signal.aborted) return reject(batch);
        const movingOrgId = movingOrganization(error);
        if (movingOrgId !== undefined) {
          batch = withoutOrganization(batch, movingOrgId);
          continue;
        }
        const fault = storageFault(error);
        // Two batches with the same new asset are common.
        const level = error instanceof OvertakenError && attempt === 0 ? 'debug' : 'warn';
        log[level]({ err: error, fault, attempt, messages: batch.length }, 'a batch of reads could not be stored yet');
        if (fault === 'content') return storeApart(batch, { error, waitForTrees });
        stats.retries += 1;
        if (fault === 'no-partition' && attempt === 0) await makePartitions();
        else await pause(attempt);
      }
    }
  }

  async function attemptToStore(batch: readonly Waiting[], waitForTrees: boolean): Promise<IngestOutcome> {
    await locating.prepare(new Set(batch.map(({ message }) => message.orgId)));
    locating.received([...new Set(batch.map(({ message }) => message.readerId))]);
    const sentAtMs = Date.now();
    const outcome = await ingestReads(connections, batch, {
      ...{ retentionDays: settings.eventRetentionDays, waitForTrees, knowledge: locating, heartbeats },
      interests: options.interests,
      nowMs: sentAtMs + clockOffsetMs,
    });
    if (outcome.skippedHeartbeats.length > 0) launch(noteSkippedHeartbeats({ db, log }, outcome.skippedHeartbeats));
    const answeredAtMs = Date.now();
    const offsetMs = outcome.databaseNowMs - (sentAtMs + answeredAtMs) / 2;
    if (Math.abs(offsetMs - clockOffsetMs) > clockStepMs + (answeredAtMs - sentAtMs) / 2) clockOffsetMs = offsetMs;
    return outcome;
  }

  function settle(batch: readonly Waiting[], outcome: IngestOutcome): void {
    const { busyOrgIds, goneReaderIds } = outcome;
    if (busyOrgIds.size > 0) {
      queues.putBack(batch, busyOrgIds);
      return;
    }
    lastMessages = batch.length;
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
      // Report it once for each reader of the batch.
      outcome.ignoredReads.delete(message.readerId);
    }
    queues.release(batch);
  }

  /** Rejects the messages of an organization that is being moved to another cell, and returns the others. */
  function withoutOrganization(batch: readonly Waiting[], orgId: number): readonly Waiting[] {
    const moving = batch.filter(({ message }) => message.orgId === orgId);
    for (const { reject } of moving) reject(new OrganizationMovingError());
    queues.release(moving);
    return batch.filter(({ message }) => message.orgId !== orgId);
  }

  /** Halves a batch until the message that cannot be stored is alone, and stores that one as rejected. */
  async function storeApart(
    batch: readonly Waiting[],
    failure: { error: unknown; waitForTrees: boolean },
  ): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only && only.message.content.kind === 'reads') {
      log.error({ err: failure.error, readerId: only.message.readerId }, 'a message cannot be stored');
      const payload = Buffer.from(JSON.stringify(only.message.content.reads));
      const content = { kind: 'rejected', reason: 'its reads could not be stored', payload } as const;
      return store([{ ...only, message: storableMessage({ ...only.message, content }) }], failure.waitForTrees);
    }
    if (batch.length === 1) return reject(batch);
    const middle = Math.ceil(batch.length / 2);
    await store(batch.slice(0, middle), failure.waitForTrees);
    await store(batch.slice(middle), failure.waitForTrees);
  }

  function reject(batch: readonly Waiting[]): void {
    for (const { reject } of batch) reject(new IngestionStoppedError());
    queues.release(batch);
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
    reject(queues.drain());
    await unknownCap.stop();
  }

  return { ingest, stop, stats: () => ({ ...stats, waitingMessages: queues.messages() }) };
}
