import type pg from 'pg';
import type { Service, Worker } from '../servers.js';
import { processorMs } from '../usage.js';
import type { PublishOrder, PublishReport } from './readers.js';
import type { IngestWorld } from './seed.js';

/** What is measured against what. */
export interface IngestBench {
  readonly world: IngestWorld;
  readonly service: Service;
  readonly readers: Worker<PublishOrder, PublishReport>;
  readonly client: pg.Client;
  readonly postmasterPid: number;
  readonly window: number;
}

export interface LoadShape {
  readonly readers: number;
  readonly qos: 0 | 1;
  readonly readsPerMessage: number;
  /** Without it as many as the service takes. */
  readonly messagesPerSecond?: number;
}

/** Processor time of 10,000 stored reads, in milliseconds; undefined where the system has no `/proc`. */
export interface ProcessorMs {
  readonly service: number | undefined;
  readonly database: number | undefined;
  readonly readers: number | undefined;
}

export interface Measured {
  /** Reads a second, counted in the database. */
  readonly rate: number;
  readonly stored: number;
  /** At QoS 0 alone. */
  readonly droppedReads: number;
  readonly ack: PublishReport['ack'];
  readonly processor: ProcessorMs;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
}

const IDLE_POLL_MS = 20;
const IDLE_PATIENCE_MS = 60_000;

/**
 * Lets readers publish for a time, and counts what became of it.
 *
 * @throws Error where an acknowledged read is not stored, or stored twice
 */
export async function measureLoad(bench: IngestBench, shape: LoadShape, ms: number): Promise<Measured> {
  const { service, readers, client, postmasterPid, world } = bench;
  const storedBefore = await countEvents(client, world.orgId);
  const processor = startProcessorTimes({ service: service.pid, database: postmasterPid, readers: readers.pid });
  const startedAtMs = Date.now();
  const { messages, elapsedMs, ack } = await readers.run({
    port: service.mqttPort,
    readers: world.accounts.slice(0, shape.readers),
    tags: world.tags,
    readsPerMessage: shape.readsPerMessage,
    qos: shape.qos,
    window: bench.window,
    messagesPerSecond: shape.messagesPerSecond,
    until: { ms },
  });
  const idleAfterMs = shape.qos === 0 ? await untilIdle(service) : 0;
  const used = processor();
  const stored = (await countEvents(client, world.orgId)) - storedBefore;
  const reads = messages * shape.readsPerMessage;
  if (shape.qos === 1 ? stored !== reads : stored > reads) {
    throw new Error(`${reads} reads were ${shape.qos === 1 ? 'acknowledged' : 'sent'}, but ${stored} are stored`);
  }
  return {
    rate: (stored * 1000) / (elapsedMs + idleAfterMs),
    stored,
    droppedReads: reads - stored,
    ack,
    processor: {
      service: per10000(used.service, stored),
      database: per10000(used.database, stored),
      readers: per10000(used.readers, stored),
    },
    startedAtMs,
  };
}

export async function countEvents(client: pg.Client, orgId: number): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    'SELECT count(*)::float8 AS events FROM scan_events WHERE org_id = $1',
    [orgId],
  );
  return rows[0]?.events ?? 0;
}

/** @returns what each of the processes has used since, in milliseconds */
export function startProcessorTimes<Name extends string>(
  pids: Readonly<Record<Name, number>>,
): () => Record<Name, number | undefined> {
  const take = () =>
    Object.fromEntries(Object.entries<number>(pids).map(([name, pid]) => [name, processorMs(pid)])) as Record<
      Name,
      number | undefined
    >;
  const before = take();
  return () => {
    const after = take();
    for (const name of Object.keys(pids) as Name[]) {
      const [start, end] = [before[name], after[name]];
      after[name] = start === undefined || end === undefined ? undefined : end - start;
    }
    return after;
  };
}

export function per10000(ms: number | undefined, rows: number): number | undefined {
  return ms === undefined ? undefined : (ms * 10_000) / rows;
}

/** Waits until the service has stored all it has taken, which nothing else tells at QoS 0; how long that was. */
async function untilIdle({ port }: Service): Promise<number> {
  const startedAt = performance.now();
  let idleSince = startedAt;
  for (let last = ''; performance.now() - startedAt < IDLE_PATIENCE_MS; ) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const value = (name: string) => new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1];
    const [waiting, underWay, total] = [
      'ingest_waiting_messages',
      'broker_messages_under_way',
      'ingest_messages_total',
    ].map((name) => value(`whereabouts_${name}`));
    if (waiting === undefined || underWay === undefined || total === undefined) throw new Error('metrics are missing');
    const isIdle = waiting === '0' && underWay === '0';
    if (isIdle && last === total) return idleSince - startedAt;
    idleSince = performance.now();
    last = isIdle ? total : '';
    await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
  }
  throw new Error('the service does not come to rest');
}
