import { expect, it } from 'vitest';
import { createCore } from '../../../server/index.js';
import { openTestDb } from '../../support/models.js';
import { closed, cs463 } from '../../support/mqtt.js';
import { createExternalWorld, subscribed } from '../../support/external-world.js';
import {
  createScanWorld,
  sharedScanWorld,
  type ScanOrganization,
  type ScanWorld,
  type TestReader,
} from '../../support/scan-world.js';
import { pollOptions } from '../../support/poll-options.js';

const epc = 'E2801190A503006543E21224';

const read = (value: string) => JSON.stringify({ reads: [{ value }] });

async function countsOf(org: ScanOrganization): Promise<number[]> {
  const { data } = await org.admin.scans.unknownTags({ limit: 200 });
  return data.map(({ count }) => count);
}

/** A second process on the same database. */
async function createSecond({ databaseUrl, settings, log }: ScanWorld) {
  const db = openTestDb(databaseUrl);
  const core = createCore({ db, databaseUrl, settings, log });
  await core.start();
  return {
    core,
    async [Symbol.asyncDispose]() {
      await core.stop();
      await db.$disconnect();
    },
  };
}

it('stores what a reader publishes to Mosquitto, at every QoS', async () => {
  await using world = await sharedScanWorld();
  const org = await world.organization();
  const dock = await org.location();
  const assetId = await org.asset({ tags: [['rfid', epc]] });
  const antennas = [{ port: 1, location_id: dock }];
  const reader = await org.reader({ format: 'csl_cs463', antennas, resolution_seconds: 0 });
  await using outside = await createExternalWorld(world, { readers: [reader] });
  await outside.join();
  const client = await outside.connect(reader);
  const atMs = Date.now() - 1000;
  for (const qos of [0, 1, 2] as const) {
    await client.publishAsync(reader.publish_topic, cs463([epc], { atMs: atMs + qos }), { qos });
  }
  await expect.poll(() => org.events(assetId), pollOptions).toHaveLength(3);
  const at = new Date(atMs + 2).toISOString();
  const position = { asset_id: assetId, at, location_id: dock, reader_id: reader.id, antenna: 1 };
  expect(await org.positions()).toEqual([position]);
});

it('lets a reader speak for itself alone, by the documented rules', async () => {
  await using world = await sharedScanWorld();
  const [here, there] = [await world.organization(), await world.organization()];
  const [forger, victim] = [await here.reader(), await there.reader()];
  await using outside = await createExternalWorld(world, { readers: [forger, victim] });
  const ingest = await outside.join();
  for (const topic of [victim.publish_topic, `readers/${victim.mqtt_username}`, 'readers/nobody/reads', 'reads']) {
    // Mosquitto says nothing, or ends the connection.
    const forging = await outside.connect(forger);
    await Promise.race([forging.publishAsync(topic, read('FORGED'), { qos: 1 }), closed(forging)]);
  }
  const client = await outside.connect(forger);
  await client.publishAsync(forger.publish_topic, read('OWN'), { qos: 1 });
  await expect.poll(() => countsOf(here), pollOptions).toEqual([1]);
  expect(await countsOf(there)).toEqual([]);
  expect(ingest.stats().strayMessages).toBe(0);
  // Nor does it receive what others publish.
  let received = 0;
  client.on('message', () => (received += 1));
  await client.subscribeAsync([`readers/${victim.mqtt_username}/#`, '#'], { qos: 1 });
  const other = await outside.connect(victim);
  await other.publishAsync(victim.publish_topic, read('V'), { qos: 1 });
  await expect.poll(() => countsOf(there), pollOptions).toEqual([1]);
  await client.unsubscribeAsync('#');
  expect(received).toBe(0);
});

it('gives each message to one of two processes', async () => {
  await using world = await createScanWorld();
  const org = await world.organization();
  const reader = await org.reader();
  await using second = await createSecond(world);
  await using outside = await createExternalWorld(world, { readers: [reader] });
  await outside.join({ clientId: 'ingest-1' });
  await outside.join({ clientId: 'ingest-2', core: second.core });
  const client = await outside.connect(reader);
  const sent = 100;
  const messages = Array.from({ length: sent }, (_, n) => read(`T${n}`));
  await Promise.all(messages.map((message) => client.publishAsync(reader.publish_topic, message, { qos: 1 })));
  await expect.poll(() => countsOf(org), pollOptions).toEqual(messages.map(() => 1));
  const stored = () => [world.core, second.core].map(({ ingestion }) => ingestion.stats().messages);
  // A process counts what it has stored once it knows that the database has committed it.
  await expect.poll(() => stored().reduce((sum, messages) => sum + messages, 0), pollOptions).toBe(sent);
  expect(Math.min(...stored())).toBeGreaterThan(0);
});

it('stores once, over a restart of the broker, what was not acknowledged before', async () => {
  await using world = await sharedScanWorld();
  const org = await world.organization();
  const reader = await org.reader();
  await using outside = await createExternalWorld(world, { readers: [reader] });
  const ingest = await outside.join();
  const client = await outside.connect(reader);
  await world.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE unknown_tags IN ACCESS EXCLUSIVE MODE`;
      await client.publishAsync(reader.publish_topic, read('ONCE'), { qos: 2 });
      await expect.poll(() => ingest.stats().messagesUnderWay, pollOptions).toBe(1);
      await outside.mosquitto.stop();
      await expect.poll(() => ingest.isListening(), pollOptions).toBe(false);
      await outside.mosquitto.start();
      await subscribed(ingest);
    },
    { timeoutMs: 30_000 },
  );
  const again = await outside.connect(reader);
  await again.publishAsync(reader.publish_topic, read('AFTER'), { qos: 1 });
  await expect.poll(() => countsOf(org), pollOptions).toEqual([1, 1]);
});

/** Publishes one message for each process of a group of two. */
async function publishSome(outside: Awaited<ReturnType<typeof createExternalWorld>>, reader: TestReader, name: string) {
  const client = await outside.connect(reader);
  for (const part of ['a', 'b', 'c', 'd']) {
    await client.publishAsync(reader.publish_topic, read(`${name}${part}`), { qos: 1 });
  }
}

it('receives the messages that came while it was stopped', async () => {
  await using world = await sharedScanWorld();
  const org = await world.organization();
  const reader = await org.reader();
  await using outside = await createExternalWorld(world, { readers: [reader] });
  const before = await outside.join();
  await before.close();
  await publishSome(outside, reader, 'STAYED');
  expect(await countsOf(org)).toEqual([]);
  await outside.join();
  await expect.poll(() => countsOf(org), pollOptions).toEqual([1, 1, 1, 1]);
});

it('receives nothing once it has left', async () => {
  await using world = await sharedScanWorld();
  const org = await world.organization();
  const reader = await org.reader();
  await using outside = await createExternalWorld(world, { readers: [reader] });
  const leaving = await outside.join({ clientId: 'ingest-1', onStop: 'leave' });
  await outside.join({ clientId: 'ingest-2' });
  await publishSome(outside, reader, 'BEFORE');
  await leaving.close();
  await publishSome(outside, reader, 'AFTER');
  await expect.poll(() => countsOf(org), pollOptions).toEqual(Array.from({ length: 8 }, () => 1));
});
