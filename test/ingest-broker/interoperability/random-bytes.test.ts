import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBrokerWorld } from '../../support/mqtt.js';
import { mutate, mutations } from '../../support/mutations.js';
import { bytesOf, connectOf } from '../../support/mqtt5-client.js';
import {
  answerPacket,
  connectPacket,
  disconnectPacket,
  packetTypes,
  pingPacket,
  publishPacket,
  rawMqtt,
  subscribePacket,
  uint16,
  unsubscribePacket,
} from '../../support/raw-mqtt.js';
import { rawReader } from '../../support/raw-reader.js';
import { fileWorld } from '../../support/shared.js';

const world = fileWorld(createBrokerWorld);

const connections = fc.record({
  version: fc.constantFrom(4, 5),
  isClean: fc.boolean(),
  /** Most of them get past the login. */
  corrupts: fc.constantFrom('all', ...Array<'rest'>(4).fill('rest')),
  mutations,
  /** Of the pieces in which the bytes are sent, modulo what is left. */
  sizes: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  isReset: fc.boolean(),
});

it('survives random bytes, while another reader is acknowledged', async () => {
  // A sample and no property: to shrink a failure, fast-check would open all connections again.
  const sample = fc.sample(connections, { seed: 7, numRuns: 300 });
  const reader = await (await world.organization()).reader({ format: 'native' });
  const org = await world.organization();
  const other = await org.reader({ format: 'native', resolution_seconds: 0 });
  const asset = await org.asset({ tags: [['rfid', 'A']] });
  const topic = reader.publish_topic;
  const payload = '{"reads":[{"value":"N"}]}';
  const commands = `readers/${reader.mqtt_username}/commands/#`;
  const streamOfMqtt311 = [
    publishPacket({ topic, payload, qos: 0 }),
    publishPacket({ topic, payload, qos: 1, id: 1 }),
    publishPacket({ topic, payload, qos: 2, id: 2 }),
    answerPacket(packetTypes.pubrel, 2),
    answerPacket(packetTypes.pubrec, 3),
    subscribePacket(4, commands),
    unsubscribePacket(5, commands),
    pingPacket,
    disconnectPacket,
  ];
  const properties = { userProperties: { a: 'b' }, messageExpiryInterval: 9, correlationData: Buffer.from('c') };
  const message = { cmd: 'publish', topic, payload, dup: false, retain: false, properties } as const;
  const streamOfMqtt5 = [
    bytesOf({ ...message, qos: 0 }),
    bytesOf({ ...message, qos: 1, messageId: 1 }),
    bytesOf({ ...message, qos: 2, messageId: 2 }),
    bytesOf({ ...message, topic: 'else', qos: 2, messageId: 3 }),
    bytesOf({ cmd: 'pubrel', messageId: 2, reasonCode: 0x92, properties: { reasonString: 'r' } }),
    bytesOf({ cmd: 'pubrec', messageId: 3, reasonCode: 0 }),
    bytesOf({ cmd: 'subscribe', messageId: 4, subscriptions: [{ topic: commands, qos: 1, rh: 1 }] }),
    bytesOf({ cmd: 'unsubscribe', messageId: 5, unsubscriptions: [commands] }),
    pingPacket,
    bytesOf({ cmd: 'disconnect', reasonCode: 4, properties: { reasonString: 'r' } }),
  ];
  const stream = (clientId: string, given: (typeof sample)[number]) => {
    const [username, password] = [reader.mqtt_username, reader.mqtt_password];
    const will = { topic, payload: 'gone' };
    const [login, behind] =
      given.version === 5
        ? [bytesOf(connectOf(reader, { clientId, will: { ...will, properties } })), Buffer.concat(streamOfMqtt5)]
        : [connectPacket({ clientId, username, password, clean: given.isClean, will }), Buffer.concat(streamOfMqtt311)];
    return given.corrupts === 'rest'
      ? Buffer.concat([login, mutate(behind, given.mutations)])
      : mutate(Buffer.concat([login, behind]), given.mutations);
  };

  using client = await rawReader(world.port, other, { clientId: 'other' });
  const firstMs = Date.now() - 3_600_000;
  for (const [round, given] of sample.entries()) {
    using fuzz = await rawMqtt(world.port);
    const bytes = stream(`fuzz ${round % 20}`, given);
    let begin = 0;
    for (const size of [...given.sizes, bytes.length]) {
      const end = begin + 1 + (size % bytes.length);
      fuzz.send(bytes.subarray(begin, end));
      begin = end;
    }
    const reads = [{ value: 'A', observed_at: new Date(firstMs + round).toISOString() }];
    client.send(
      publishPacket({ topic: other.publish_topic, payload: JSON.stringify({ reads }), qos: 1, id: round + 1 }),
    );
    expect(await client.next()).toMatchObject({ type: packetTypes.puback, body: uint16(round + 1) });
    if (given.isReset) fuzz.socket.resetAndDestroy();
  }
  expect(await org.events(asset)).toHaveLength(sample.length);
  await expect.poll(() => world.broker.stats()).toMatchObject({ connections: 1, messagesUnderWay: 0 });
  expect(world.core.ingestion.stats().waitingMessages).toBe(0);
});
