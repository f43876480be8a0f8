import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrokerWorld } from '../../support/mqtt.js';
import {
  answerPacket,
  disconnectPacket,
  packet,
  packetTypes,
  pingPacket,
  publishPacket,
  rawMqtt,
  subscribePacket,
  text,
  uint16,
  unsubscribePacket,
} from '../../support/raw-mqtt.js';
import { type RawReader, rawReader } from '../../support/raw-reader.js';
import type { ScanOrganization, TestReader } from '../../support/scan-world.js';

const world = await sharedBrokerWorld();
let org: ScanOrganization;
let reader: TestReader;
/** Of another organization; it never notices. */
let bystander: RawReader;
let bystandersTopic: string;

beforeAll(async () => {
  org = await world.organization();
  reader = await org.reader({ format: 'native' });
  const other = await (await world.organization()).reader({ format: 'native' });
  bystander = await rawReader(world.port, other);
  bystandersTopic = other.publish_topic;
});

afterAll(async () => {
  bystander[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

async function expectBystanderServed(): Promise<void> {
  bystander.send(publishPacket({ topic: bystandersTopic, payload: '{"reads":[]}', qos: 1, id: 99 }));
  expect(await bystander.next()).toMatchObject({ type: packetTypes.puback, body: uint16(99) });
}

const bytes = (...values: number[]) => Buffer.from(values);
const { connect, connack, publish, puback, pubrec, pubrel, pubcomp, subscribe, suback } = packetTypes;
const { unsubscribe, unsuback, pingreq, pingresp, disconnect } = packetTypes;

/** A PUBLISH with any flags, topic and rest. */
const rawPublish = (flags: number, topic: string | Uint8Array, ...rest: Uint8Array[]) =>
  packet(publish, flags, text(topic), ...rest);

/** Lone surrogate, overlong slash, a byte that never is UTF-8, a character cut short. */
const noUtf8 = [bytes(0xed, 0xa0, 0x80), bytes(0x61, 0xc0, 0xaf), bytes(0x61, 0xff), bytes(0x61, 0xe2, 0x82)];

const filters = (count: number) => Array.from({ length: count }, (_, index) => `a/${index}`);

const deep = 'a/'.repeat(100);

describe('a reader’s connection ends, and its administrators see why, at', () => {
  it.each<[what: string, sent: Buffer, reason: string]>([
    ['a packet of type 0', bytes(0x00, 0), 'no client sends packets of type 0'],
    ['a packet of type 15', bytes(0xf0, 0), 'no client sends packets of type 15'],
    ['a CONNACK', packet(connack, 0, bytes(0, 0)), 'no client sends packets of type 2'],
    ['a SUBACK', packet(suback, 0, uint16(1), bytes(0)), 'no client sends packets of type 9'],
    ['an UNSUBACK', packet(unsuback, 0, uint16(1)), 'no client sends packets of type 11'],
    ['a PINGRESP', packet(pingresp, 0), 'no client sends packets of type 13'],
    ['a second CONNECT', packet(connect, 0, text('MQTT')), 'a second CONNECT [MQTT-3.1.0-2]'],

    ['flags of a PUBACK', packet(puback, 1, uint16(1)), 'PUBACK: the reserved flags of the header are wrong'],
    ['flags of a PUBREC', packet(pubrec, 8, uint16(1)), 'PUBREC: the reserved flags of the header are wrong'],
    ['no flags of a PUBREL', packet(pubrel, 0, uint16(1)), 'PUBREL: the reserved flags of the header are wrong'],
    ['flags of a PUBCOMP', packet(pubcomp, 2, uint16(1)), 'PUBCOMP: the reserved flags of the header are wrong'],
    ['no flags of a SUBSCRIBE', packet(subscribe, 0, uint16(1), text('a'), bytes(0)), 'SUBSCRIBE: the reserved flags'],
    ['no flags of an UNSUBSCRIBE', packet(unsubscribe, 0, uint16(1), text('a')), 'UNSUBSCRIBE: the reserved flags'],
    ['flags of a PINGREQ', packet(pingreq, 1), 'PINGREQ: the reserved flags of the header are wrong'],
    ['flags of a DISCONNECT', packet(disconnect, 1), 'DISCONNECT: the reserved flags of the header are wrong'],

    ['a remaining length of five bytes', bytes(0x30, 0xff, 0xff, 0xff, 0xff, 0x01), 'the remaining length has a fifth'],
    ['a packet of 256 MB', bytes(0x30, 0xff, 0xff, 0xff, 0x7f), 'a packet of 268435455 bytes'],
    ['a packet of 400 kB', rawPublish(0, 'a', Buffer.alloc(400_000)).subarray(0, 1000), 'a packet of 400003 bytes'],

    ['QoS 3', rawPublish(6, 'a', uint16(1)), 'PUBLISH: the QoS is 3 [MQTT-3.3.1-4]'],
    ['QoS 0 sent again', rawPublish(8, 'a'), 'QoS 0 is marked as sent again [MQTT-3.3.1-2]'],
    ['an empty topic', rawPublish(0, ''), 'the topic is empty [MQTT-4.7.3-1]'],
    ['a topic with +', rawPublish(0, 'a/+'), 'the topic contains a wildcard [MQTT-3.3.2-2]'],
    ['a topic with #', rawPublish(0, 'a/#'), 'the topic contains a wildcard [MQTT-3.3.2-2]'],
    ['a topic with U+0000', rawPublish(0, 'a\0b'), 'the topic contains U+0000 [MQTT-1.5.3-2]'],
    ['a topic of 101 levels', rawPublish(0, deep), 'the topic has more than 100 levels'],
    ['a topic of 1,025 bytes', rawPublish(0, 'x'.repeat(1025)), 'PUBLISH: the topic has 1025 bytes, more than 1024'],
    ['no topic', packet(publish, 0), 'the packet ends within the topic'],
    ['half a topic', packet(publish, 0, uint16(9), Buffer.from('abc')), 'the packet ends within the topic'],
    ['no packet identifier', rawPublish(2, 'a'), 'the packet ends within the packet identifier'],
    ['half a packet identifier', rawPublish(4, 'a', bytes(1)), 'the packet ends within the packet identifier'],
    ['packet identifier 0 at QoS 1', rawPublish(2, 'a', uint16(0)), 'PUBLISH: the packet identifier is 0'],
    ['packet identifier 0 at QoS 2', rawPublish(4, 'a', uint16(0)), 'PUBLISH: the packet identifier is 0'],

    ['a PUBACK for 0', answerPacket(puback, 0), 'PUBACK: the packet identifier is 0 [MQTT-2.3.1-1]'],
    ['an empty PUBREL', packet(pubrel, 2), 'PUBREL: the packet ends within the packet identifier'],
    ['a PUBREC that is too long', packet(pubrec, 0, uint16(1), bytes(0)), 'PUBREC: the packet is longer than'],
    ['a PINGREQ with something in it', packet(pingreq, 0, bytes(0)), 'PINGREQ: the packet is longer than'],
    ['a DISCONNECT with something in it', packet(disconnect, 0, bytes(0)), 'DISCONNECT: the packet is longer than'],

    ['a SUBSCRIBE to nothing', packet(subscribe, 2, uint16(1)), 'it names no topic filter [MQTT-3.8.3-3]'],
    ['a SUBSCRIBE without identifier', subscribePacket(0, 'a'), 'SUBSCRIBE: the packet identifier is 0'],
    ['a SUBSCRIBE without QoS', packet(subscribe, 2, uint16(1), text('a')), 'the packet ends within the QoS'],
    ['a SUBSCRIBE at QoS 3', packet(subscribe, 2, uint16(1), text('a'), bytes(3)), 'above 2 [MQTT-3-8.3-4]'],
    ['reserved bits of the QoS', packet(subscribe, 2, uint16(1), text('a'), bytes(0x80)), 'above 2 [MQTT-3-8.3-4]'],
    ['a SUBSCRIBE to an empty filter', subscribePacket(1, ''), 'a topic filter is empty [MQTT-4.7.3-1]'],
    ['a filter of 1,025 bytes', subscribePacket(1, 'x'.repeat(1025)), 'a topic filter has 1025 bytes, more than 1024'],
    ['a filter of 101 levels', subscribePacket(1, deep), 'a topic filter has more than 100 levels'],
    [
      'a SUBSCRIBE to 101 filters',
      subscribePacket(1, ...filters(101)),
      'SUBSCRIBE: it names more than 100 topic filters',
    ],
    ['an UNSUBSCRIBE from 101', unsubscribePacket(1, ...filters(101)), 'it names more than 100 topic filters'],
    ['an UNSUBSCRIBE from nothing', packet(unsubscribe, 2, uint16(1)), 'it names no topic filter [MQTT-3.10.3-2]'],
    ['an UNSUBSCRIBE from a/#/b', unsubscribePacket(1, 'a/#/b'), 'UNSUBSCRIBE: a wildcard is not a whole level'],
    [
      'the filter a/#/b',
      subscribePacket(1, 'readers/x', 'a/#/b'),
      'SUBSCRIBE: a wildcard is not a whole level, or # not',
    ],
    ...noUtf8.flatMap((name): [string, Buffer, string][] => [
      [`the topic ${name.toString('hex')}`, rawPublish(0, name), 'PUBLISH: the topic is not UTF-8 [MQTT-1.5.3-1]'],
      [`the filter ${name.toString('hex')}`, subscribePacket(1, name), 'SUBSCRIBE: the topic filter is not UTF-8'],
    ]),
  ])('%s', async (_what, sent, reason) => {
    const { total_count: before } = await org.admin.scans.rejectedMessages();
    using client = await rawReader(world.port, reader);
    client.send(sent, pingPacket);
    expect(await client.next()).toBeUndefined();
    await expect
      .poll(() => org.admin.scans.rejectedMessages({ limit: 1 }))
      .toMatchObject({
        total_count: before + 1,
        data: [{ reader_id: reader.id, reason: expect.stringContaining(reason) }],
      });
    await expectBystanderServed();
  });

  it('packets right behind a CONNECT, in one piece', async () => {
    const [username, password] = [reader.mqtt_username, reader.mqtt_password];
    const head = [text('MQTT'), bytes(4, 0xc2), uint16(0)];
    using client = await rawMqtt(world.port);
    const topic = reader.publish_topic;
    client.send(
      packet(connect, 0, ...head, text('one piece'), text(username), text(password)),
      publishPacket({ topic, payload: '{"reads":[{"value":"BEFORE"}]}', qos: 0 }),
      rawPublish(2, 'one/piece', uint16(0), Buffer.from('payload')),
      publishPacket({ topic, payload: '{"reads":[{"value":"BEHIND"}]}', qos: 0 }),
    );
    expect(await client.next()).toMatchObject({ type: connack });
    expect(await client.next()).toBeUndefined();
    const newest = async () => (await org.admin.scans.rejectedMessages()).data[0];
    await expect.poll(newest).toMatchObject({ topic: 'one/piece', payload: expect.stringContaining('payload') });
    const unknown = async () => (await org.admin.scans.unknownTags()).data.map(({ value }) => value);
    await expect.poll(unknown).toEqual(['BEFORE']);
  });
});

describe('no login is accepted, and nothing answered, at', () => {
  const name = text('MQTT');
  const client = text('c');
  const rest = () => [text(reader.mqtt_username), text(reader.mqtt_password)];
  const connectOf = (flags: number, ...payload: Uint8Array[]) =>
    packet(connect, 0, name, bytes(4, flags), uint16(60), ...payload);

  it.each<[what: string, sent: () => Buffer]>([
    ['a PINGREQ first [MQTT-3.1.0-1]', () => pingPacket],
    ['a DISCONNECT first', () => disconnectPacket],
    ['a PUBLISH first', () => publishPacket({ topic: 'a', payload: 'b', qos: 0 })],
    ['the first line of HTTP', () => Buffer.from('GET / HTTP/1.1\r\n')],
    ['zeros', () => Buffer.alloc(100)],
    ['a length without end', () => bytes(0x10, 0xff, 0xff, 0xff, 0xff, 0xff)],
    ['a packet of 256 MB', () => bytes(0x10, 0xff, 0xff, 0xff, 0x7f, 0, 4)],
    ['a CONNECT cut short', () => bytes(0x10, 4, 0, 4, 77, 81)],
    [
      'flags of the CONNECT [MQTT-2.2.2-2]',
      () => packet(connect, 1, name, bytes(4, 0xc2), uint16(60), client, ...rest()),
    ],
    ['another protocol [MQTT-3.1.2-1]', () => packet(connect, 0, text('MQTTX'), bytes(4, 2), uint16(60), client)],
    ['the reserved flag [MQTT-3.1.2-3]', () => connectOf(0xc3, client, ...rest())],
    ['a QoS without a will [MQTT-3.1.2-13]', () => connectOf(0xca, client, ...rest())],
    ['a retain flag without a will [MQTT-3.1.2-15]', () => connectOf(0xe2, client, ...rest())],
    ['a will at QoS 3 [MQTT-3.1.2-14]', () => connectOf(0xde, client, text('t'), text('w'), ...rest())],
    ['a will without its topic', () => connectOf(0xc6, client, ...rest().slice(0, 1))],
    ['a password without a user name [MQTT-3.1.2-22]', () => connectOf(0x42, client, text('p'))],
    ['a user name that is not there [MQTT-3.1.2-19]', () => connectOf(0xc2, client)],
    ['a password that is not there [MQTT-3.1.2-21]', () => connectOf(0xc2, client, text('u'))],
    ['a password that was not announced [MQTT-3.1.2-20]', () => connectOf(0x82, client, ...rest())],
    ['no client id [MQTT-3.1.3-3]', () => packet(connect, 0, name, bytes(4, 2), uint16(60))],
    ['a client id with U+0000 [MQTT-1.5.3-2]', () => connectOf(0xc2, text('a\0b'), ...rest())],
    ['a client id that is not UTF-8 [MQTT-3.1.3-4]', () => connectOf(0xc2, text(bytes(0xff)), ...rest())],
    ['a user name that is not UTF-8 [MQTT-3.1.3-11]', () => connectOf(0xc2, client, text(bytes(0xc3)), text('p'))],
    ['a will topic that is not UTF-8', () => connectOf(0xc6, client, text(bytes(0xfe)), text('w'), ...rest())],
    ['more than the CONNECT holds', () => connectOf(0xc2, client, ...rest(), bytes(0))],
    ['a CONNECT of 129 KiB', () => connectOf(0xc2, client, Buffer.alloc(129 * 1024)).subarray(0, 1000)],
  ])('%s', async (_what, sent) => {
    using unauthenticated = await rawMqtt(world.port);
    unauthenticated.send(sent());
    expect(await unauthenticated.next()).toBeUndefined();
    await expectBystanderServed();
  });

  it.each([
    ['MQTT', 0],
    ['MQTT', 3],
    ['MQIsdp', 2],
    ['MQIsdp', 4],
    ['MQIsdp', 5],
  ])('%s at level %d, but for return code 1 [MQTT-3.1.2-2]', async (protocol, level) => {
    using unauthenticated = await rawMqtt(world.port);
    const head = [text(protocol), bytes(level, 0xc2), uint16(60)];
    unauthenticated.send(packet(connect, 0, ...head, client, ...rest()));
    expect(await unauthenticated.next()).toMatchObject({ type: connack, body: bytes(0, 1) });
    expect(await unauthenticated.next()).toBeUndefined();
  });

  it.each([
    ['the reserved flag', 0xc3],
    ['a QoS without a will', 0xda],
    ['a retain flag without a will', 0xe2],
  ])('3.1.1 alone: MQTT 3.1 gives no meaning to %s', async (_what, flags) => {
    using old = await rawMqtt(world.port);
    old.send(packet(connect, 0, text('MQIsdp'), bytes(3, flags), uint16(60), client, ...rest()));
    expect(await old.next()).toMatchObject({ type: connack, body: bytes(0, 0) });
    old.send(pingPacket);
    expect(await old.next()).toMatchObject({ type: pingresp });
  });

  it('no user name or password, but for return code 4', async () => {
    for (const flags of [0x02, 0x82]) {
      using unauthenticated = await rawMqtt(world.port);
      unauthenticated.send(connectOf(flags, client, ...rest().slice(0, flags === 2 ? 0 : 1)));
      expect(await unauthenticated.next()).toMatchObject({ type: connack, body: bytes(0, 4) });
      expect(await unauthenticated.next()).toBeUndefined();
    }
  });
});
