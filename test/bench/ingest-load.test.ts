import pg from 'pg';
import { expect, it } from 'vitest';
import { insertBatches, readBatches } from '../../bench/ingest/batch-insert.js';
import { type IngestBench, type LoadShape, measureLoad } from '../../bench/ingest/measure.js';
import { messagesOf, publish, type PublishOrder } from '../../bench/ingest/readers.js';
import { seedIngestWorld } from '../../bench/ingest/seed.js';
import { createTwin } from '../../bench/ingest/twin.js';
import { createBrokerWorld } from '../support/mqtt.js';

/** Tests the benchmark of ingestion in one process, on its own broker. */
async function createBench() {
  const world = await createBrokerWorld();
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  const seeded = await seedIngestWorld(client, { assets: 100, locations: 20, readers: 3 });
  const service = { pid: process.pid, port: 0, mqttPort: world.port, stop: () => Promise.resolve() };
  const bench: IngestBench = {
    ...{ world: seeded, service, client, window: 4 },
    readers: { pid: process.pid, run: (order) => publish(order, messagesOf(order)), stop: () => Promise.resolve() },
    postmasterPid: process.pid,
  };
  return {
    bench,
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await world[Symbol.asyncDispose]();
    },
  };
}

const shape: LoadShape = { readers: 3, qos: 1, readsPerMessage: 10 };

/** Makes the readers send this many messages, regardless of the given time. */
function sending(bench: IngestBench, count: number): { bench: IngestBench; orders: PublishOrder[] } {
  const orders: PublishOrder[] = [];
  const { run } = bench.readers;
  const readers: IngestBench['readers'] = {
    ...bench.readers,
    run(order) {
      orders.push(order);
      return run({ ...order, until: { messages: count } });
    },
  };
  return { bench: { ...bench, readers }, orders };
}

it('counts every acknowledged read once, and puts the same rows into a twin', async () => {
  await using made = await createBench();
  const { client } = made;
  const twin = await createTwin(client, 'twin');
  const { bench } = sending(made.bench, 120);
  const { droppedReads, startedAtMs, ackP99Ms } = await measureLoad(bench, shape, 1);
  expect(droppedReads).toBe(0);
  expect(ackP99Ms).toBeGreaterThan(0);

  const batches = await readBatches(client, bench.world.orgId, startedAtMs);
  expect(batches.map(([column]) => column?.length)).toEqual([500, 500, 200]);
  await insertBatches([client], batches, { table: twin, postmasterPid: process.pid });
  const { rows } = await client.query(
    `(TABLE ${twin} EXCEPT ALL TABLE scan_events) UNION ALL (TABLE scan_events EXCEPT ALL TABLE ${twin})`,
  );
  expect(rows).toEqual([]);
});

it('sends at the given rate, however fast the answers come', async () => {
  await using made = await createBench();
  const { bench, orders } = sending(made.bench, 20);
  const startedAt = performance.now();
  await measureLoad(bench, { ...shape, messagesPerSecond: 100 }, 1);
  expect(orders[0]?.messagesPerSecond).toBe(100);
  // The twentieth is due 190 ms after the first.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(190);
});

it('stops where an acknowledged read is not stored', async () => {
  await using made = await createBench();
  const lossy: IngestBench = {
    ...made.bench,
    readers: {
      ...made.bench.readers,
      run: () => Promise.resolve({ messages: 1, elapsedMs: 1, ack: { p50Ms: 1, p99Ms: 1, maxMs: 1 } }),
    },
  };
  await expect(measureLoad(lossy, shape, 1)).rejects.toThrow('10 reads were acknowledged, but 0 are stored');
});

it('stops where the broker does not know a reader', async () => {
  await using made = await createBench();
  const outsider = { username: 'nobody', password: 'nothing' };
  const outside: IngestBench = { ...made.bench, world: { ...made.bench.world, accounts: [outsider] } };
  await expect(measureLoad(outside, { ...shape, readers: 1 }, 1)).rejects.toThrow('the broker refused a reader: 4');
});
