import type pg from 'pg';
import { median } from '../measure.js';
import type { Service, Worker } from '../servers.js';
import { per10000, startMachineTimes, startProcessorTimes, sum } from './processor.js';
import type { PublishOrder, PublishReport } from './readers.js';
import type { SceneName } from './scenes.js';
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
  /** By default `shares`, in which every read is an event. `overlapping` is of 1,000 tags. */
  readonly scene?: SceneName;
  /** Whether the newest read decides and all readers receive all tags, so that nearly every read is a move. */
  readonly moving?: boolean;
};

const overlappingTags = 1000;
/**
 * At least this share of the reads by overlapping readers is stored: readers that send in the same millisecond read some
 * tags twice in it. At least this share of the stored ones are moves if each read should be one.
 */
const overlappingStoredMin = 0.3;
const movesMin = 0.5;

/** Processor times are for 10,000 reads, in milliseconds; undefined if the system has no `/proc`. */
export type Measured = {
  /** Reads a second. */
  readonly rate: number;
  /** Events and visits that were stored for each read. */
  readonly eventShare: number;
  readonly visitShare: number;
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
  const { scene = 'shares' } = shape;
  const before = await countRows(client, world.orgId);
  const processor = startProcessorTimes({ service: service.pid, database: postmasterPid, readers: readers.pid });
  const machine = startMachineTimes();
  const startedAtMs = Date.now();
  const { messages, elapsedMs, ack } = await readers.run({
    port: service.mqttPort,
    readers: world.accounts.slice(0, shape.readers),
    tags: scene === 'overlapping' ? world.tags.slice(0, overlappingTags) : world.tags,
    scene,
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
  const after = await countRows(client, world.orgId);
  const [stored, visits] = [after.events - before.events, after.visits - before.visits];
  const dropped = isAcknowledged ? 0 : (await readMetrics(service)).dropped - droppedBefore;
  const droppedReads = dropped * shape.readsPerMessage;
  const expected = messages * shape.readsPerMessage - droppedReads;
  const storedMin = { shares: 1, overlapping: overlappingStoredMin, site: 0, bluetooth: 0 }[scene] * expected;
  if (stored < storedMin || stored > expected) {
    throw new Error(`${expected} reads were ${isAcknowledged ? 'acknowledged' : 'taken'}, but ${stored} are stored`);
  }
  if (shape.moving && visits < stored * movesMin) throw new Error(`${stored} reads should be moves, but ${visits} are`);
  return {
    rate: (expected * 1000) / (elapsedMs + restMs),
    eventShare: stored / expected,
    visitShare: visits / expected,
    ackP50Ms: ack.p50Ms,
    ackP99Ms: ack.p99Ms,
    ackMaxMs: ack.maxMs,
    serviceMs: per10000(used.service, expected),
    databaseMs: per10000(used.database, expected),
    readersMs: per10000(used.readers, expected),
    droppedReads,
    othersShare: ownMs === undefined ? undefined : Math.max(0, busyMs - ownMs) / wholeMs,
    startedAtMs,
  };
}

async function countRows(client: pg.Client, orgId: number): Promise<{ events: number; visits: number }> {
  const { rows } = await client.query<{ events: number; visits: number }>(
    `SELECT (SELECT count(*)::float8 FROM scan_events WHERE org_id = $1) AS events,
            (SELECT count(*)::float8 FROM visits WHERE org_id = $1) AS visits`,
    [orgId],
  );
  return rows[0] ?? { events: Number.NaN, visits: Number.NaN };
}

/** Returns the median of each figure over the rounds, but the maximum of the longest wait. */
export function medianOf(rounds: readonly Measured[]): Measured {
  const all = (figure: keyof Measured) => rounds.flatMap((round) => round[figure] ?? []);
  const of = (figure: keyof Measured) => median(all(figure));
  const ofSome = (figure: keyof Measured) => (all(figure).length === rounds.length ? of(figure) : undefined);
  return {
    rate: of('rate'),
    eventShare: of('eventShare'),
    visitShare: of('visitShare'),
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
