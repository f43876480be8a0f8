import { generate } from 'mqtt-packet';
import { expect, it } from 'vitest';
import { expectPacket, type FakePeer, passedOn, startFakeBroker } from '../../support/fake-broker.js';
import { openSubscribedIngest } from '../../support/external-ingest.js';
import { sharedScanWorld, type ScanOrganization } from '../../support/scan-world.js';
import { pollOptions } from '../../support/poll-options.js';

const kib = 1024;

const world = await sharedScanWorld();

/** Sends messages and waits until each is acknowledged. */
async function pass(peer: FakePeer, ...messages: Parameters<typeof passedOn>[0][]): Promise<void> {
  for (const [index, message] of messages.entries()) peer.send(passedOn({ messageId: index + 1, ...message }));
  for (const [index] of messages.entries()) {
    expect(await peer.next()).toMatchObject({ cmd: 'puback', messageId: index + 1 });
  }
}

/** The rejected messages by payload: several can be rejected in one millisecond, so their times have no order. */
async function rejectedOf(org: ScanOrganization) {
  const { data } = await org.admin.scans.rejectedMessages({});
  return data
    .map(({ topic, reason, payload }) => ({ topic, reason, payload }))
    .toSorted((one, other) => (one.payload < other.payload ? -1 : 1));
}

async function unknownOf(org: ScanOrganization) {
  const { data } = await org.admin.scans.unknownTags({});
  return data.map(({ value }) => value).toSorted();
}

it('stores messages that cannot be parsed as rejected, however long, and continues', async () => {
  const org = await world.organization();
  const { mqtt_username: user } = await org.reader();
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  const topic = `readers/${user}/reads`;
  const long = Buffer.alloc(3 * kib * kib, 'x');
  await pass(
    peer,
    { topic, payload: 'no JSON' },
    { topic, payload: long.subarray(0, 256 * kib + 1) },
    { topic, payload: long },
    { topic, payload: '{"reads":[{"value":"AFTER"}]}' },
  );
  const payload = 'x'.repeat(64 * kib);
  expect(await rejectedOf(org)).toEqual([
    { topic, reason: expect.stringContaining('JSON'), payload: 'no JSON' },
    { topic, reason: expect.stringContaining('more than 262144'), payload },
    { topic, reason: expect.stringContaining('more than 262144'), payload },
  ]);
  expect(await unknownOf(org)).toEqual(['AFTER']);
});

it('parses a stream of messages in pieces of any size', async () => {
  const org = await world.organization();
  const { mqtt_username: user } = await org.reader();
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  peer.socket.setNoDelay(true);
  const message = (value: string, bytes: number) =>
    passedOn({
      topic: `readers/${user}/reads`,
      payload: JSON.stringify({ reads: [{ value }] }).padEnd(bytes),
      messageId: 1,
    });
  const stream = Buffer.concat(
    [message('A', 30), message('B', 700 * kib), message('C', 200)].map((packet) => generate(packet)),
  );
  const cuts = [
    1,
    2,
    3,
    4,
    40,
    90,
    91,
    92,
    93,
    94,
    95,
    96,
    97,
    98,
    99,
    500 * kib,
    600 * kib,
    720 * kib,
    stream.length - 3,
  ];
  for (const [index, cut] of [0, ...cuts].entries()) {
    peer.send(stream.subarray(cut, cuts[index]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let count = 0; count < 3; count += 1) await expectPacket(peer, 'puback');
  expect(await unknownOf(org)).toEqual(['A', 'C']);
  expect(await rejectedOf(org)).toHaveLength(1);
});

it('goes by the topic that the reader published to, with the prefix of its user name or without', async () => {
  const org = await world.organization();
  const { mqtt_username: ruuvi } = await org.reader({ format: 'ruuvi', publish_topic: 'ruuvi/+/+' });
  const { mqtt_username: usual } = await org.reader();
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  const read = '{"gw_mac":"DE:AD:BE:EF:00:00","rssi":-83,"ts":"1659365439","data":"02"}';
  await pass(
    peer,
    { topic: `readers/${ruuvi}/ruuvi/gw/AA:BB:CC:DD:EE:01`, payload: read },
    { topic: `readers/${ruuvi}/readers/${ruuvi}/AA:BB:CC:DD:EE:02`, payload: read },
    // Text is rejected where reads are expected, and a heartbeat elsewhere.
    { topic: `readers/${ruuvi}/ruuvi/gw/state`, payload: 'online' },
    { topic: `readers/${ruuvi}/gw/state`, payload: 'online' },
    { topic: `readers/${usual}/reads`, payload: 'online' },
    { topic: `readers/${usual}/readers/${usual}/reads`, payload: 'online' },
    { topic: `readers/${usual}/state`, payload: 'online' },
  );
  expect(await unknownOf(org)).toEqual(['AABBCCDDEE01', 'AABBCCDDEE02']);
  const topics = (await rejectedOf(org)).map(({ topic }) => topic).toSorted();
  expect(topics).toEqual([`readers/${usual}/reads`, `readers/${usual}/reads`, 'ruuvi/gw/state']);
});

it('drops, and acknowledges, what is no message of a reader', async () => {
  const org = await world.organization();
  const [one, gone] = [await org.reader({ publish_topic: '#' }), await org.reader()];
  await org.admin.readers.delete({ id: gone.id });
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  const payload = '{"reads":[{"value":"STRAY"}]}';
  const user = one.mqtt_username;
  const unknown = [
    `readers/${gone.mqtt_username}/reads`,
    'readers/nobody/reads',
    'readers//reads',
    'readers/$SYS/reads',
    'readers/+/reads',
    'readers',
    'elsewhere/reads',
    `$readers/${user}/reads`,
    `readers/${user.toUpperCase()}/reads`,
    `readers/${'x'.repeat(60_000)}/reads`,
  ].map((topic) => ({ topic, payload }));
  await pass(peer, ...unknown);
  expect(ingest.stats().strayMessages).toBe(unknown.length);
  await pass(
    peer,
    { topic: `readers/${user}/commands`, payload },
    { topic: `readers/${user}/commands/reboot`, payload },
    { topic: `readers/${user}/readers/${user}/commands/reboot`, payload },
    // Kept by the broker from earlier times.
    { topic: `readers/${user}/reads`, payload, retain: true },
    // Not below the user name, but the reader's all the same.
    { topic: `readers/${user}`, payload },
    { topic: `readers/${user}/`, payload },
    { topic: `readers/${user}/x`, payload: '{"reads":[{"value":"COUNTS"}]}' },
  );
  expect(ingest.stats().strayMessages).toBe(unknown.length);
  expect(await unknownOf(org)).toEqual(['COUNTS']);
  const reason = 'the reader may not publish to this topic';
  await expect.poll(() => rejectedOf(org), pollOptions).toHaveLength(2);
  expect(await rejectedOf(org)).toContainEqual({ topic: `readers/${user}`, reason, payload });
  expect(await rejectedOf(org)).toContainEqual({ topic: `readers/${user}/`, reason, payload });
});

it('follows what is changed about a reader, and lets a new one count from its first message', async () => {
  const org = await world.organization();
  const reader = await org.reader({ format: 'native' });
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  const topic = `readers/${reader.mqtt_username}/reads`;
  await pass(peer, { topic, payload: '{"reads":[{"value":"FIRST"}]}' });

  await org.admin.readers.update({ id: reader.id, format: 'gl_s10' });
  const glS10 = '{"dev_list":[{"mac":"F95BC0EC4E56","rssi":-57}]}';
  await expect
    .poll(async () => {
      await pass(peer, { topic, payload: glS10 });
      return unknownOf(org);
    }, pollOptions)
    .toEqual(['F95BC0EC4E56', 'FIRST']);

  await org.admin.readers.delete({ id: reader.id });
  await expect
    .poll(async () => {
      await pass(peer, { topic, payload: glS10 });
      return ingest.stats().strayMessages;
    }, pollOptions)
    .toBeGreaterThan(0);

  const newcomer = await org.reader();
  await pass(peer, { topic: `readers/${newcomer.mqtt_username}/reads`, payload: '{"reads":[{"value":"NEW"}]}' });
  expect(await unknownOf(org)).toContain('NEW');
});
