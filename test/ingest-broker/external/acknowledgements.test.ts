import { expect, it } from 'vitest';
import { lockStatement } from '../../../server/kernel/database/locks.js';
import { expectPacket, passedOn, startFakeBroker } from '../../support/fake-broker.js';
import { openSubscribedIngest, openExternalIngest } from '../../support/external-ingest.js';
import { untilWaitedFor } from '../../support/locked-tables.js';
import { sharedScanWorld, type ScanOrganization, type TestReader } from '../../support/scan-world.js';
import { pollOptions } from '../../support/poll-options.js';

const world = await sharedScanWorld();

const nativeRead = (value: string) => JSON.stringify({ reads: [{ value }] });

async function unknownTags(org: ScanOrganization): Promise<Record<string, number>> {
  const { data } = await org.admin.scans.unknownTags({});
  return Object.fromEntries(data.map(({ value, count }) => [value, count]));
}

const topicOf = (reader: TestReader) => `readers/${reader.mqtt_username}/reads`;

it('logs in for a session that lasts, and shares what readers publish', async () => {
  await using broker = await startFakeBroker();
  await using ingest = await openExternalIngest(world, broker, { clientId: 'ingest-7', group: 'night' });
  const peer = await broker.accept();
  expect(await peer.next()).toMatchObject({
    cmd: 'connect',
    protocolVersion: 4,
    clean: false,
    clientId: 'ingest-7',
    username: 'whereabouts',
    password: Buffer.from('the-service-itself'),
    keepalive: 30,
  });
  expect(ingest.isListening()).toBe(false);
  peer.send({ cmd: 'connack', returnCode: 0, sessionPresent: false });
  expect(await peer.next()).toMatchObject({
    cmd: 'subscribe',
    subscriptions: [{ topic: '$share/night/readers/+/#', qos: 2 }],
  });
  expect(ingest.isListening()).toBe(false);
  peer.send({ cmd: 'suback', messageId: 1, granted: [2] });
  await peer.untilNow();
  expect(ingest.isListening()).toBe(true);
  expect(ingest.stats()).toEqual({ connections: 1, messagesUnderWay: 0, droppedMessages: 0, strayMessages: 0 });
});

it.each([1, 2] as const)('acknowledges a message of QoS %d when it is stored, and not before', async (qos) => {
  const org = await world.organization();
  const assetId = await org.asset({ tags: [['rfid', 'A1']] });
  const reader = await org.reader();
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE scan_events IN ACCESS EXCLUSIVE MODE`;
    peer.send(passedOn({ topic: topicOf(reader), payload: nativeRead('A1'), qos, messageId: 5 }));
    await untilWaitedFor(tx, 'scan_events');
    expect(await peer.untilNow()).toEqual([]);
    expect(ingest.stats().messagesUnderWay).toBe(1);
  });
  expect(await peer.next()).toMatchObject({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId: 5 });
  expect(await org.events(assetId)).toHaveLength(1);
  expect(ingest.stats().messagesUnderWay).toBe(0);
});

it('acknowledges in the order of arrival, even if a later message is stored first', async () => {
  const [slow, quick] = [await world.organization(), await world.organization()];
  const [slowReader, quickReader] = [await slow.reader(), await quick.reader()];
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw(lockStatement('tree', slow.orgId));
    peer.send(
      passedOn({ topic: topicOf(slowReader), payload: nativeRead('S1'), messageId: 1 }),
      passedOn({ topic: topicOf(quickReader), payload: nativeRead('Q1'), messageId: 2 }),
      passedOn({ topic: topicOf(quickReader), payload: nativeRead('Q2'), messageId: 3, qos: 2 }),
    );
    await expect.poll(() => unknownTags(quick), pollOptions).toEqual({ Q1: 1, Q2: 1 });
    expect(await peer.untilNow()).toEqual([]);
  });
  expect(await peer.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
  expect(await peer.next()).toMatchObject({ cmd: 'puback', messageId: 2 });
  expect(await peer.next()).toMatchObject({ cmd: 'pubrec', messageId: 3 });
});

it('stores a QoS 2 message once, also when it comes again over another connection', async () => {
  const org = await world.organization();
  const reader = await org.reader();
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const message = passedOn({ topic: topicOf(reader), payload: nativeRead('U'), qos: 2, messageId: 9 });
  const again = { ...message, dup: true };

  const first = ingest.peer;
  first.send(message, again);
  for (let count = 0; count < 2; count += 1) await expectPacket(first, 'pubrec');
  first.send(again);
  await expectPacket(first, 'pubrec');
  first.socket.destroy();

  const second = await broker.admit({ sessionPresent: true });
  second.send(again);
  await expectPacket(second, 'pubrec');
  expect(await unknownTags(org)).toEqual({ U: 1 });
  second.send({ cmd: 'pubrel', messageId: 9 });
  expect(await second.next()).toMatchObject({ cmd: 'pubcomp', messageId: 9 });

  // After its release the identifier is free for another message.
  second.send(message);
  await expectPacket(second, 'pubrec');
  expect(await unknownTags(org)).toEqual({ U: 2 });
  second.socket.destroy();

  // And in another session it is another message from the start.
  const third = await broker.admit({ sessionPresent: false });
  third.send(again);
  await expectPacket(third, 'pubrec');
  expect(await unknownTags(org)).toEqual({ U: 3 });
});

it('stores what comes again after a lost connection no second time as an event', async () => {
  const org = await world.organization();
  const assetId = await org.asset({ tags: [['rfid', 'A1']] });
  const reader = await org.reader({ resolution_seconds: 0 });
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const payload = JSON.stringify({ reads: [{ value: 'A1', observed_at: new Date().toISOString() }] });
  const message = passedOn({ topic: topicOf(reader), payload, messageId: 1 });
  const first = ingest.peer;
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE scan_events IN ACCESS EXCLUSIVE MODE`;
    first.send(message);
    await untilWaitedFor(tx, 'scan_events');
    first.socket.destroy();
  });
  const second = await broker.admit({ sessionPresent: true });
  second.send({ ...message, dup: true });
  expect(await second.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
  expect(await org.events(assetId)).toHaveLength(1);
});
