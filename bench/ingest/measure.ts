import type pg from 'pg';
import { median } from '../measure.js';
import type { Service, Worker } from '../servers.js';
import { per10000, startMachineTimes, startProcessorTimes, sum } from './processor.js';
import type { PublishOrder, PublishReport } from './readers.js';
import type { IngestWorld } from './seed.js';
import { readMetrics, untilIdle } from './service-metrics.js';

/** The service and the baselines that are compared. */
export type IngestBench = {
  readonly world: IngestWorld;
  readonly service: Service;
  readonly readers: Worker<PublishOrder, PublishReport>;
  readonly client: pg.Client;
  readonly postmasterPid: number;
  readonly window: number;
};

export type LoadShape = {
  readonly readers: number;
  readonly qos: 0 | 1;
  readonly readsPerMessage: number;
  /** By default the most messages that the service accepts. */
  readonly messagesPerSecond?: number;
  /** Whether every read moves its asset. */
  readonly moving?: boolean;
  /**
   * Whether all readers receive the same 1,000 tags; two readers can read one in the same millisecond, which is one
   * event.
   */
  readonly overlapping?: boolean;
};

const overlappingTags = 1000;
/** At least this share of the reads by overlapping readers is stored. */
const overlappingStoredMin = 0.5;

/** Processor times are for 10,000 stored reads, in milliseconds; undefined if the system has no `/proc`. */
export type Measured = {
  /** Reads a second, counted in the database. */
  readonly rate: number;
  readonly ackP50Ms: number;
  readonly ackP99Ms: number;
  readonly ackMaxMs: number;
  readonly serviceMs: number | undefined;
  readonly databaseMs: number | undefined;
  readonly readersMs: number | undefined;
  /** Only at QoS 0. */
  readonly droppedReads: number;
  /** The share of all processors that other processes used, from 0 to 1: shows how reliable the figures are. */
  readonly othersShare: number | undefined;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
};

/**
 * Lets readers publish for a time, and counts the stored reads.
 *
 * @throws Error if a read is not stored that was acknowledged, or sent at QoS 0 and not reported as dropped
 */
export async function measureLoad(bench: IngestBench, shape: LoadShape, ms: number): Promise<Measured> {
  const { service, readers, client, postmasterPid, world } = bench;
  const isAcknowledged = shape.qos === 1;
  const droppedBefore = isAcknowledged ? 0 : (await readMetrics(service)).dropped;
  const storedBefore = await countEvents(client, world.orgId);
  const processor = startProcessorTimes({ service: service.pid, database: postmasterPid, readers: readers.pid });
  const machine = startMachineTimes();
  const startedAtMs = Date.now();
  const { messages, elapsedMs, ack } = await readers.run({
    port: service.mqttPort,
    readers: world.accounts.slice(0, shape.readers),
    tags: shape.overlapping ? world.tags.slice(0, overlappingTags) : world.tags,
    moving: shape.moving ?? false,
    overlapping: shape.overlapping ?? false,
    readsPerMessage: shape.readsPerMessage,
    qos: shape.qos,
    window: bench.window,
    messagesPerSecond: shape.messagesPerSecond,
    until: { ms },
  });
  const restMs = isAcknowledged ? 0 : await untilIdle(service);
  const used = processor();
  const { busyMs, wholeMs } = machine();
  const ownMs = sum([used.service, used.database, used.readers]);
  const stored = (await countEvents(client, world.orgId)) - storedBefore;
  const dropped = isAcknowledged ? 0 : (await readMetrics(service)).dropped - droppedBefore;
  const droppedReads = dropped * shape.readsPerMessage;
  const expected = messages * shape.readsPerMessage - droppedReads;
  const isComplete = shape.overlapping ? stored >= expected * overlappingStoredMin : stored === expected;
  if (!isComplete) {
    throw new Error(`${expected} reads were ${isAcknowledged ? 'acknowledged' : 'taken'}, but ${stored} are stored`);
  }
  return {
    rate: ((shape.overlapping ? expected : stored) * 1000) / (elapsedMs + restMs),
    ackP50Ms: ack.p50Ms,
    ackP99Ms: ack.p99Ms,
    ackMaxMs: ack.maxMs,
    serviceMs: per10000(used.service, stored),
    databaseMs: per10000(used.database, stored),
    readersMs: per10000(used.readers, stored),
    droppedReads,
    othersShare: ownMs === undefined ? undefined : Math.max(0, busyMs - ownMs) / wholeMs,
    startedAtMs,
  };
}

async function countEvents(client: pg.Client, orgId: number): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    'SELECT count(*)::float8 AS events FROM scan_events WHERE org_id = $1',
    [orgId],
  );
  return rows[0]?.events ?? 0;
}

/** Returns the median of each figure over the rounds, but the maximum of the longest wait. */
export function medianOf(rounds: readonly Measured[]): Measured {
  const all = (figure: keyof Measured) => rounds.flatMap((round) => round[figure] ?? []);
  const of = (figure: keyof Measured) => median(all(figure));
  const ofSome = (figure: keyof Measured) => (all(figure).length === rounds.length ? of(figure) : undefined);
  return {
    rate: of('rate'),
    ackP50Ms: of('ackP50Ms'),
    ackP99Ms: of('ackP99Ms'),
    ackMaxMs: Math.max(...all('ackMaxMs')),
    serviceMs: ofSome('serviceMs'),
    databaseMs: ofSome('databaseMs'),
    readersMs: ofSome('readersMs'),
    droppedReads: of('droppedReads'),
    othersShare: ofSome('othersShare'),
    startedAtMs: of('startedAtMs'),
  };
}
