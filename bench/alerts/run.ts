import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { readSettings } from '../../server/kernel/settings.js';
import { prepareFixture, reportProgress, type Undo } from '../fixture.js';
import { type IngestWorld, seedIngestWorld } from '../ingest/seed.js';
import { startProcessorTimes } from '../ingest/processor.js';
import { type SeededOrg, seedOrg } from '../seed.js';
import { type Service, startService, startWorker, type Worker } from '../servers.js';
import { publishMoves } from './moving-readers.js';
import type { AlertsOptions } from './options.js';
import type { Behavior, ReceiversOrder, ReceiversReport } from './receivers.js';
import { addMoves, removeEndpoints, seedEndpoint } from './seed.js';
import { alertsReport, type LatencyRow, type ThroughputRow } from './table.js';

const readers = 20;
const locations = 100;
/** Two moves in 200 reads: there and back. */
const foreignEvery = 200;
const move = ['asset.location_changed'];
const endpointsOfNeighbor = 10;
const neighborMovesPerSecond = 20;
const bystanderMovesPerSecond = 10;
const interestMs = 2500;

type Bench = {
  client: pg.Client;
  service: Service;
  postmasterPid: number;
  receivers: Worker<ReceiversOrder, ReceiversReport>;
  ports: ReceiversReport['ports'];
  world: IngestWorld;
  neighbor: SeededOrg;
  options: AlertsOptions;
};

/**
 * Measures the time from a read to its webhook, deliveries a second, and one organization beside receivers of another
 * that do not answer.
 */
export async function runAlertsBench(options: AlertsOptions, undo: Undo): Promise<void> {
  const { folder, database, client, postmasterPid } = await prepareFixture(undefined, undo);
  reportProgress(`Seeding ${options.assets} assets; the load of the machine is ${(loadavg()[0] ?? 0).toFixed(2)} …`);
  const world = await seedIngestWorld(client, { assets: options.assets, locations, readers });
  await client.query("UPDATE readers SET location_rule = 'newest'");
  const neighbor = await seedOrg(client, 'Neighbor', 1000);
  const { databasePoolSize: poolSize } = readSettings({});
  const { url: databaseUrl, authSecret } = database;
  const env = { WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true' };
  const service = await startService({ databaseUrl, poolSize, authSecret, folder, profileDir: undefined, env });
  undo.push(() => service.stop());
  const receivers = startWorker<ReceiversOrder, ReceiversReport>('receivers');
  undo.push(() => receivers.stop());
  const { ports } = await receivers.run({ what: 'open' });
  const bench: Bench = { client, service, postmasterPid, receivers, ports, world, neighbor, options };
  const isAsked = (name: string) => options.only.length === 0 || options.only.some((text) => name.includes(text));

  const latencies = isAsked('from the read') ? [await measureFromRead(bench)] : [];
  const throughput: ThroughputRow[] = [];
  for (const endpoints of [1, 10])
    if (isAsked('throughput')) throughput.push(await measureThroughput(bench, endpoints));
  const neighbors: LatencyRow[] = [];
  for (const behavior of [undefined, 'hanging', 'failing', 'slow', 'gone', 'closed'] as const) {
    if (isAsked('neighbors')) neighbors.push(await measureBeside(bench, behavior));
  }
  console.log(alertsReport({ latencies, throughput, neighbors }));
}

async function measureFromRead(bench: Bench): Promise<LatencyRow> {
  const { client, world, receivers, ports, service, options } = bench;
  const name = `${options.readsPerSecond} reads/s`;
  reportProgress(`From the read to the webhook, ${name} …`);
  await seedEndpoint(client, { orgId: world.orgId, port: ports.healthy, eventTypes: move });
  const load = { mqttPort: service.mqttPort, readsPerSecond: options.readsPerSecond, foreignEvery };
  // The first moves of the assets to their readers are not measured.
  const settleMs = (1000 * options.assets) / options.readsPerSecond;
  await publishMoves(world, { ...load, readsPerSecond: 5000, ms: settleMs / 5, foreignEvery: Number.MAX_SAFE_INTEGER });
  await waitUntilIdle(client);
  await client.query('VACUUM (ANALYZE)');
  await receivers.run({ what: 'reset' });
  const startedAt = performance.now();
  const reads = await publishMoves(world, { ...load, ms: options.ms });
  const seconds = (performance.now() - startedAt) / 1000;
  const { rows } = await waitUntilIdle(client);
  const report = await receivers.run({ what: 'report', count: rows, timeoutMs: 0 });
  await removeEndpoints(client, world.orgId);
  return { name: `${(reads / seconds).toFixed(0)} reads/s`, eventsPerSecond: report.events / seconds, report };
}

async function measureThroughput(bench: Bench, endpoints: number): Promise<ThroughputRow> {
  const { client, world, receivers, ports, options, service, postmasterPid } = bench;
  reportProgress(`Throughput with ${endpoints} endpoints …`);
  for (let no = 0; no < endpoints; no += 1) {
    await seedEndpoint(client, { orgId: world.orgId, port: ports.healthy, eventTypes: move });
  }
  await delay(interestMs);
  await receivers.run({ what: 'reset' });
  const events = Math.ceil(options.deliveries / endpoints);
  const processor = startProcessorTimes({ service: service.pid, database: postmasterPid });
  const startedAtMs = Date.now();
  await addMoves(client, world.orgId, events);
  await waitUntilIdle(client);
  const report = await receivers.run({ what: 'report', count: events, timeoutMs: 1000 });
  const used = processor();
  await removeEndpoints(client, world.orgId);
  const deliveries = report.requests;
  const each = (ms: number | undefined) => (ms === undefined ? undefined : ms / deliveries);
  return {
    name: endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`,
    deliveries,
    rate: (deliveries * 1000) / (report.lastAtMs - startedAtMs),
    serviceMs: each(used.service),
    databaseMs: each(used.database),
  };
}

async function measureBeside(bench: Bench, behavior: Behavior | undefined): Promise<LatencyRow> {
  const { client, world, neighbor, receivers, ports, options } = bench;
  const name = behavior === undefined ? 'nobody' : `${endpointsOfNeighbor} receivers: ${behavior}`;
  reportProgress(`Beside ${name} …`);
  await seedEndpoint(client, { orgId: world.orgId, port: ports.healthy, eventTypes: move });
  for (let no = 0; behavior !== undefined && no < endpointsOfNeighbor; no += 1) {
    await seedEndpoint(client, { orgId: neighbor.orgId, port: ports[behavior], eventTypes: move });
  }
  await delay(interestMs);
  await receivers.run({ what: 'reset' });
  const untilMs = performance.now() + options.ms;
  let sent = 0;
  for (const startedAt = performance.now(); performance.now() < untilMs; ) {
    if (behavior !== undefined) await addMoves(client, neighbor.orgId, neighborMovesPerSecond / 10);
    await addMoves(client, world.orgId, bystanderMovesPerSecond / 10);
    sent += bystanderMovesPerSecond / 10;
    await delay(Math.max(0, startedAt + (sent * 1000) / bystanderMovesPerSecond - performance.now()));
  }
  const report = await receivers.run({ what: 'report', count: sent, timeoutMs: 20_000 });
  await removeEndpoints(client, world.orgId);
  await removeEndpoints(client, neighbor.orgId);
  return { name, eventsPerSecond: (report.events * 1000) / options.ms, missing: sent - report.events, report };
}

/** Waits until every event is routed and every delivery made. Returns how many deliveries there are. */
async function waitUntilIdle(client: pg.Client): Promise<{ rows: number }> {
  for (const untilMs = performance.now() + 60_000; performance.now() < untilMs; await delay(100)) {
    const { rows } = await client.query<{ waiting: boolean; rows: number }>(
      `SELECT EXISTS (SELECT FROM outbox_events)
              OR EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending') AS waiting,
              (SELECT count(*)::int FROM webhook_deliveries) AS rows`,
    );
    if (rows[0] && !rows[0].waiting) return rows[0];
  }
  throw new Error('the deliveries do not come to an end');
}
