import { expect, it } from 'vitest';
import { expectPacket, passedOn, startFakeBroker } from '../../support/fake-broker.js';
import { openExternalIngest } from '../../support/external-ingest.js';
import { sharedScanWorld, type ScanWorld, type TestReader } from '../../support/scan-world.js';

const world = await sharedScanWorld();

const message = (reader: TestReader, messageId: number) =>
  passedOn({
    topic: `readers/${reader.mqtt_username}/reads`,
    payload: JSON.stringify({ reads: [{ value: `V${messageId}` }] }),
    messageId,
  });

async function valuesOf(org: Awaited<ReturnType<ScanWorld['organization']>>): Promise<string[]> {
  const { data } = await org.admin.scans.unknownTags({});
  return data.map(({ value }) => value).toSorted();
}

it('acknowledges what it has, accepts no more, and disconnects', async () => {
  const org = await world.organization();
  const reader = await org.reader();
  await using broker = await startFakeBroker();
  const ingest = await openExternalIngest(world, broker);
  const peer = await broker.admit();
  let closing: Promise<void> | undefined;
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE unknown_tags IN ACCESS EXCLUSIVE MODE`;
    peer.send(message(reader, 1));
    expect(await peer.untilNow()).toEqual([]);
    closing = ingest.close();
    expect(ingest.isListening()).toBe(false);
    peer.send(message(reader, 2));
    expect(await peer.untilNow()).toEqual([]);
  });
  expect(await peer.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
  expect(await peer.next()).toMatchObject({ cmd: 'disconnect' });
  expect(await peer.next()).toBeUndefined();
  await closing;
  expect(await valuesOf(org)).toEqual(['V1']);
});

it('leaves unacknowledged what cannot be stored in time', async () => {
  const reader = await (await world.organization()).reader();
  await using broker = await startFakeBroker();
  const ingest = await openExternalIngest(world, broker);
  const peer = await broker.admit();
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE unknown_tags IN ACCESS EXCLUSIVE MODE`;
    peer.send(message(reader, 1));
    expect(await peer.untilNow()).toEqual([]);
    await ingest.close();
    expect(await peer.next()).toMatchObject({ cmd: 'disconnect' });
    expect(await peer.next()).toBeUndefined();
  });
});

it('leaves the group on request, but not what the broker had already meant for it', async () => {
  const org = await world.organization();
  const reader = await org.reader();
  await using broker = await startFakeBroker();
  const ingest = await openExternalIngest(world, broker, { onStop: 'leave' });
  const peer = await broker.admit();
  await peer.untilNow();
  const closing = ingest.close();
  const { messageId } = await expectPacket(peer, 'unsubscribe');
  peer.send(message(reader, 1), { cmd: 'unsuback', messageId: messageId ?? 0, granted: [] });
  // The ping comes after the acknowledgement; what is still queued comes before its answer.
  expect(await peer.next()).toMatchObject({ cmd: 'puback', messageId: 1 });
  await expectPacket(peer, 'pingreq');
  peer.send(message(reader, 2), { cmd: 'pingresp' });
  expect(await peer.next()).toMatchObject({ cmd: 'puback', messageId: 2 });
  await expectPacket(peer, 'pingreq');
  peer.send({ cmd: 'pingresp' });
  await expectPacket(peer, 'disconnect');
  await closing;
  expect(await valuesOf(org)).toEqual(['V1', 'V2']);
});

it('stays with the group where it is stopped to come back', async () => {
  await using broker = await startFakeBroker();
  const ingest = await openExternalIngest(world, broker, { onStop: 'stay' });
  const peer = await broker.admit();
  await peer.untilNow();
  await ingest.close();
  expect(await peer.next()).toMatchObject({ cmd: 'disconnect' });
});
