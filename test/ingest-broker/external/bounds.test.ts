import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { expectPacket, passedOn, startFakeBroker } from '../../support/fake-broker.js';
import { openSubscribedIngest } from '../../support/external-ingest.js';
import { sharedScanWorld } from '../../support/scan-world.js';
import { pollOptions } from '../../support/poll-options.js';

const kib = 1024;

const world = await sharedScanWorld();

/** Keeps everybody else from a table, until it is released. */
async function lockTable(url: string, table: string): Promise<AsyncDisposable & { release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const release = () => client.end();
  return { release, [Symbol.asyncDispose]: release };
}

it('takes in a bounded number of messages while the database is unavailable, and all of them afterwards', async () => {
  const org = await world.organization();
  const reader = await org.reader();
  await using broker = await startFakeBroker();
  await using lock = await lockTable(world.databaseUrl, 'unknown_tags');
  // Opened last: this broker answers no ping before it sends messages.
  await using ingest = await openSubscribedIngest(world, broker, { keepAliveMs: 50 });
  const { peer } = ingest;
  const topic = `readers/${reader.mqtt_username}/reads`;
  const payload = (value: string) => JSON.stringify({ reads: [{ value }], filling: 'x'.repeat(kib) });
  const sent = 20_000;
  for (let messageId = 1; messageId <= sent; messageId += 1) {
    peer.send(passedOn({ topic, payload: payload('U1'), messageId }));
  }
  await expect.poll(() => ingest.stats().messagesUnderWay, pollOptions).toBeGreaterThan(500);
  // What was on its way has arrived after some pings.
  for (let count = 0; count < 5; count += 1) await expectPacket(peer, 'pingreq');
  const underWay = ingest.stats().messagesUnderWay;
  expect(underWay).toBeLessThan(1200);
  for (let count = 0; count < 5; count += 1) await expectPacket(peer, 'pingreq');
  expect(ingest.stats().messagesUnderWay).toBe(underWay);
  // What it does not read stays with the broker.
  expect(peer.socket.writableLength).toBeGreaterThan((sent / 2) * kib);
  await lock.release();
  // Pings wait behind thousands of acknowledgements here; a broker answers them at once.
  const answering = setInterval(() => peer.send({ cmd: 'pingresp' }), 10);
  for (let messageId = 1; messageId <= sent; ) {
    const packet = await peer.next();
    if (packet?.cmd !== 'pingreq') expect(packet).toMatchObject({ cmd: 'puback', messageId: messageId++ });
  }
  clearInterval(answering);
  const { data } = await org.admin.scans.unknownTags({});
  expect(data.map(({ value, count }) => [value, count])).toContainEqual(['U1', sent]);
});

it('drops QoS 0 messages above the memory limit, and counts them', async () => {
  const org = await world.organization();
  const reader = await org.reader();
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  const topic = `readers/${reader.mqtt_username}/reads`;
  const sent = 3000;
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE unknown_tags IN ACCESS EXCLUSIVE MODE`;
    peer.socket.cork();
    for (let n = 0; n < sent; n += 1) peer.send(passedOn({ topic, payload: '{"reads":[{"value":"U"}]}', qos: 0 }));
    peer.socket.uncork();
    await expect.poll(() => ingest.stats().droppedMessages, pollOptions).toBeGreaterThan(0);
  });
  const settled = async () => {
    const { data } = await org.admin.scans.unknownTags({});
    return (data[0]?.count ?? 0) + ingest.stats().droppedMessages;
  };
  await expect.poll(settled, pollOptions).toBe(sent);
});

it('does not reconnect before it can accept the messages that would come', async () => {
  const reader = await (await world.organization()).reader();
  await using broker = await startFakeBroker();
  await using lock = await lockTable(world.databaseUrl, 'unknown_tags');
  await using ingest = await openSubscribedIngest(world, broker, { keepAliveMs: 100 });
  const topic = `readers/${reader.mqtt_username}/reads`;
  const first = ingest.peer;
  for (let messageId = 1; messageId <= 5000; messageId += 1) {
    first.send(passedOn({ topic, payload: '{"reads":[{"value":"U"}]}', messageId }));
  }
  await expect.poll(() => ingest.stats().messagesUnderWay, pollOptions).toBeGreaterThan(900);
  first.socket.resetAndDestroy();
  let isThere = false;
  const second = broker.accept();
  void second.then(() => (isThere = true));
  // Nobody reads the connection, so that its end is noticed by the next ping.
  await expect.poll(() => ingest.isListening(), pollOptions).toBe(false);
  // Longer than it waits before it tries again.
  await delay(500);
  expect(isThere).toBe(false);
  expect(ingest.stats().messagesUnderWay).toBeGreaterThan(900);
  await lock.release();
  await second;
});
