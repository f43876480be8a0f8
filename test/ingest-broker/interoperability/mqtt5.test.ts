import type { IConnectPacket, IPubackPacket, IPublishPacket, Packet } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { createBrokerWorld, native } from '../../support/mqtt.js';
import { bytesOf, connectOf, mqtt5Client, mqtt5Reader } from '../../support/mqtt5-client.js';
import { connectPacket, packet, packetTypes, pingPacket, text, uint16 } from '../../support/raw-mqtt.js';
import { fileWorld } from '../../support/shared.js';
import type { TestReader } from '../../support/scan-world.js';
import { rejections } from '../publishing.js';
import { countsOf, createNativeReader } from './native-reader.js';

// The answers of the broker to clients of MQTT 5. Sections refer to the OASIS standard of MQTT 5.

const world = fileWorld(createBrokerWorld);

const setUp = () => createNativeReader(world);

const bytes = (...values: number[]) => Buffer.from(values);

function publish(topic: string, value: string, more: Partial<IPublishPacket> = {}): IPublishPacket {
  return { cmd: 'publish', qos: 0, dup: false, retain: false, topic, payload: native(value), ...more };
}

const filters = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ topic: `a/${index}`, qos: 0 as const }));

/** All properties that a message of MQTT 5 can have. */
const everyProperty = {
  userProperties: { site: 'north', line: ['1', '2'] },
  messageExpiryInterval: 60,
  payloadFormatIndicator: true,
  contentType: 'application/json',
  responseTopic: 'answers/here',
  correlationData: Buffer.from([0, 1, 2]),
};

describe('a reader with MQTT 5', () => {
  it('publishes at each QoS with properties, and each message is stored once', async () => {
    const { org, reader, commands } = await setUp();
    const client = await world.connect(reader, { protocolVersion: 5, clientId: '' });
    for (const qos of [0, 1, 2] as const) {
      const properties = everyProperty;
      await client.publishAsync(reader.publish_topic, native(`QOS ${qos}`), { qos, retain: qos === 1, properties });
    }
    const options = { qos: 2, nl: true, rap: true, rh: 2, properties: { subscriptionIdentifier: 7 } } as const;
    expect(await client.subscribeAsync(`${commands}/#`, options)).toMatchObject([{ qos: 2 }]);
    await client.unsubscribeAsync(`${commands}/#`);
    await client.publishAsync(reader.publish_topic, native('LAST'), { qos: 1 });
    expect(await countsOf(org)).toEqual({ 'QOS 0': 1, 'QOS 1': 1, 'QOS 2': 1, LAST: 1 });
    await client.endAsync();
  });

  it('sends a message at QoS 2 again before its PUBREL, and it is stored once', async () => {
    const { org, reader } = await setUp();
    using client = await mqtt5Reader(world.port, reader);
    const message = publish(reader.publish_topic, 'TWICE', { qos: 2, messageId: 5, properties: everyProperty });
    client.send(message, { ...message, dup: true });
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 5, reasonCode: 0 });
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 5, reasonCode: 0 });
    client.send({ cmd: 'pubrel', messageId: 5, reasonCode: 0, properties: { reasonString: 'stored' } });
    expect(await client.next()).toMatchObject({ cmd: 'pubcomp', messageId: 5, reasonCode: 0 });
    client.send(message);
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 5, reasonCode: 0 });
    expect(await countsOf(org)).toEqual({ TWICE: 2 });
  });

  it('learns from the CONNACK what the broker offers, and the client id it was assigned', async () => {
    const { reader } = await setUp();
    using client = await mqtt5Client(world.port);
    client.send(connectOf(reader, { clientId: '', properties: { sessionExpiryInterval: 3600 } }));
    const answer = await client.next();
    expect(answer).toMatchObject({ cmd: 'connack', sessionPresent: false, reasonCode: 0 });
    expect((answer as { properties?: object }).properties).toEqual({
      sessionExpiryInterval: 0,
      maximumPacketSize: 327_687,
      sharedSubscriptionAvailable: false,
      assignedClientIdentifier: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    using named = await mqtt5Client(world.port);
    named.send(connectOf(reader));
    // Flags, reason code, and twelve bytes of properties.
    expect((await named.raw.next())?.body.toString('hex')).toBe('00000c110000000027000500072a00');
  });

  it('is refused a message to another topic, in its turn, and goes on', async () => {
    const { org, reader } = await setUp();
    using client = await mqtt5Reader(world.port, reader);
    const own = reader.publish_topic;
    client.send(
      publish(own, 'A', { qos: 1, messageId: 1 }),
      publish('else', 'B', { qos: 1, messageId: 2 }),
      publish('else', 'C'),
      publish(own, 'D', { qos: 1, messageId: 3 }),
      publish(own, 'E', { qos: 2, messageId: 4 }),
      publish('else', 'F', { qos: 2, messageId: 5 }),
      publish(own, 'G', { qos: 2, messageId: 6 }),
    );
    const answers: IPubackPacket[] = [];
    for (let count = 0; count < 6; count += 1) answers.push((await client.next()) as IPubackPacket);
    const order = (kind: string) =>
      answers.filter(({ cmd }) => cmd === kind).map(({ messageId, reasonCode }) => [messageId, reasonCode]);
    expect([order('puback'), order('pubrec')]).toEqual([
      [
        [1, 0],
        [2, 0x87],
        [3, 0],
      ],
      [
        [4, 0],
        [5, 0x87],
        [6, 0],
      ],
    ]);
    // The refusal released the packet identifier.
    client.send(publish(own, 'H', { qos: 2, messageId: 5 }));
    expect(await client.next()).toMatchObject({ cmd: 'pubrec', messageId: 5, reasonCode: 0 });
    expect(await countsOf(org)).toEqual({ A: 1, D: 1, E: 1, G: 1, H: 1 });
    expect(await rejections(org)).toMatchObject(
      Array.from({ length: 3 }, () => ({ reader_id: reader.id, topic: 'else' })),
    );
    expect(world.broker.stats().messagesUnderWay).toBe(0);
  });

  it('has each filter answered', async () => {
    const { reader, commands } = await setUp();
    using client = await mqtt5Reader(world.port, reader);
    const subscriptions = [`${commands}/#`, 'else', `${commands}/#`].map((topic) => ({ topic, qos: 1 as const }));
    client.send({ cmd: 'subscribe', messageId: 1, subscriptions });
    expect(await client.next()).toMatchObject({ cmd: 'suback', messageId: 1, granted: [1, 0x87, 1] });
    client.send(
      { cmd: 'unsubscribe', messageId: 2, unsubscriptions: ['else', `${commands}/#`] },
      { cmd: 'unsubscribe', messageId: 2, unsubscriptions: ['else'] },
    );
    expect(await client.next()).toMatchObject({ cmd: 'unsuback', messageId: 2, granted: [0, 0] });
    expect(await client.next()).toMatchObject({ cmd: 'unsuback', messageId: 2, granted: [0] });
    client.send({ cmd: 'pubrec', messageId: 9, reasonCode: 0 });
    expect(await client.next()).toMatchObject({ cmd: 'pubrel', messageId: 9, reasonCode: 0x92 });
  });

  it('receives no packet longer than it accepts', async () => {
    const { reader } = await setUp();
    using client = await mqtt5Reader(world.port, reader, { properties: { maximumPacketSize: 20 } });
    client.send({ cmd: 'subscribe', messageId: 1, subscriptions: filters(20) }, { cmd: 'pingreq' });
    expect(await client.next()).toMatchObject({ cmd: 'pingresp' });
  });

  it('has its last will stored, unless it leaves with reason code 0', async () => {
    const { org, reader } = await setUp();
    for (const [value, leaving] of [
      ['CUT', undefined],
      ['ASKED', bytes(0xe0, 1, 4)],
      ['LEFT', bytes(0xe0, 0)],
      ['LEFT TOO', bytesOf({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 5 } })],
    ] as const) {
      const properties = { ...everyProperty, willDelayInterval: 600 };
      const will = { topic: reader.publish_topic, payload: native(value), qos: 1 as const, retain: false, properties };
      using client = await mqtt5Reader(world.port, reader, { will, properties: { sessionExpiryInterval: 5 } });
      client.send(publish(reader.publish_topic, `BEFORE ${value}`, { qos: 1, messageId: 1 }));
      await client.next();
      if (leaving) client.send(leaving);
      else client.raw.socket.destroy();
      await client.raw.closed();
    }
    using later = await mqtt5Reader(world.port, reader);
    later.send(publish(reader.publish_topic, 'LATER', { qos: 1, messageId: 1 }));
    await later.next();
    const expected = ['ASKED', 'BEFORE ASKED', 'BEFORE CUT', 'BEFORE LEFT', 'BEFORE LEFT TOO', 'CUT', 'LATER'];
    await expect.poll(async () => Object.keys(await countsOf(org)).toSorted()).toEqual(expected);
  });
});

describe('a login with MQTT 5 is refused', () => {
  const connectWith = (more: Partial<IConnectPacket>) => (reader: TestReader) => bytesOf(connectOf(reader, more));
  /** A CONNECT with these properties, as bytes. */
  const raw =
    (level: number, ...propertyBytes: number[]) =>
    (reader: TestReader) =>
      packet(
        packetTypes.connect,
        0,
        text('MQTT'),
        bytes(level, 0xc2),
        uint16(60),
        bytes(propertyBytes.length, ...propertyBytes),
        text('five'),
        text(reader.mqtt_username),
        text(reader.mqtt_password),
      );

  it.each<[what: string, sent: (reader: TestReader) => Buffer, reasonCode: number]>([
    ['a wrong password', connectWith({ password: Buffer.from('wrong') }), 0x86],
    [
      'no user name',
      (reader) => packet(1, 0, text('MQTT'), bytes(5, 0x42, 0, 60, 0), text('five'), text(reader.mqtt_password)),
      0x86,
    ],
    ['a client id of 1,025 bytes', connectWith({ clientId: 'x'.repeat(1025) }), 0x85],
    ['a last will of 4,097 bytes', connectWith({ will: { topic: 'a', payload: 'x'.repeat(4097) } }), 0x87],
    ['enhanced authentication', connectWith({ properties: { authenticationMethod: 'SCRAM-SHA-1' } }), 0x8c],
    ['a later version', raw(6), 0x84],
    ['an unknown property', raw(5, 0x7f, 0), 0x81],
    ['a property of another packet', raw(5, 0x23, 0, 1), 0x81],
    ['a property that occurs twice', raw(5, 0x21, 0, 9, 0x21, 0, 9), 0x82],
    ['a receive maximum of 0', raw(5, 0x21, 0, 0), 0x82],
    ['a property that is cut short', raw(5, 0x11, 0, 0), 0x81],
    [
      'a reserved flag',
      (reader) => Buffer.from(raw(5)(reader).toString('latin1').replace('\u0005\u00c2', '\u0005\u00c3'), 'latin1'),
      0x81,
    ],
  ])('for %s', async (_what, sent, reasonCode) => {
    const { reader } = await setUp();
    using client = await mqtt5Client(world.port);
    client.send(sent(reader));
    expect(await client.next()).toMatchObject({ cmd: 'connack', sessionPresent: false, reasonCode });
    expect(await client.next()).toBeUndefined();
  });

  it('while the database cannot be asked', async () => {
    const { reader } = await setUp();
    await world.db.$executeRaw`ALTER TABLE readers RENAME TO elsewhere`;
    using client = await mqtt5Client(world.port);
    client.send(connectOf(reader));
    const answer = await client.next();
    await world.db.$executeRaw`ALTER TABLE elsewhere RENAME TO readers`;
    expect(answer).toMatchObject({ cmd: 'connack', reasonCode: 0x88 });
  });
});

describe('a connection with MQTT 5 ends with a reason, after what came before is stored:', () => {
  const [pub, sub] = [packetTypes.publish, packetTypes.subscribe];
  const withProperties = (...propertyBytes: number[]) =>
    packet(pub, 0, text('a'), bytes(propertyBytes.length, ...propertyBytes), Buffer.from('payload'));
  const subscribeTo = (filter: string, options: number, ...propertyBytes: number[]) =>
    packet(sub, 2, uint16(1), bytes(propertyBytes.length, ...propertyBytes), text(filter), bytes(options));

  it.each<[what: string, sent: Buffer | Packet, reasonCode: number]>([
    ['a topic alias', publish('a', 'A', { properties: { topicAlias: 1 } }), 0x94],
    ['a topic alias without a topic', packet(pub, 0, text(''), bytes(3, 0x23, 0, 1)), 0x94],
    ['no topic', packet(pub, 0, text(''), bytes(0)), 0x82],
    ['a topic with a wildcard', packet(pub, 0, text('a/+'), bytes(0)), 0x90],
    ['a response topic with a wildcard', publish('a', 'A', { properties: { responseTopic: 'a/#' } }), 0x82],
    ['a payload format of 2', withProperties(0x01, 2), 0x82],
    ['properties longer than the packet', packet(pub, 0, text('a'), bytes(9, 0x01, 1)), 0x81],
    ['a length of properties in five bytes', packet(pub, 0, text('a'), bytes(0x80, 0x80, 0x80, 0x80, 0)), 0x81],
    ['no properties at all', packet(pub, 0, text('a')), 0x81],
    ['a subscription identifier in a PUBLISH', withProperties(0x0b, 1), 0x81],
    ['an expiry that occurs twice', withProperties(0x02, 0, 0, 0, 1, 0x02, 0, 0, 0, 1), 0x82],
    ['a user property that is not UTF-8', withProperties(0x26, 0, 1, 0xff, 0, 1, 0x61), 0x81],
    ['16 KiB of properties', publish('a', 'A', { properties: { userProperties: { a: 'x'.repeat(16_384) } } }), 0x97],
    ['a packet of 256 MB', bytes(0x30, 0xff, 0xff, 0xff, 0x7f), 0x95],
    ['QoS 3', packet(pub, 6, text('a'), uint16(1), bytes(0)), 0x81],
    ['packet identifier 0', packet(pub, 2, text('a'), uint16(0), bytes(0)), 0x82],
    ['a PUBREL that is too long', packet(packetTypes.pubrel, 2, uint16(1), bytes(0, 0, 0)), 0x81],
    ['a shared subscription', subscribeTo('$share/group/a', 1), 0x9e],
    ['reserved options of a subscription', subscribeTo('a', 0x41), 0x81],
    ['a retain handling of 3', subscribeTo('a', 0x31), 0x82],
    ['a filter at QoS 3', subscribeTo('a', 3), 0x82],
    ['a filter with half a wildcard', subscribeTo('a+', 1), 0x8f],
    ['subscription identifier 0', subscribeTo('a', 1, 0x0b, 0), 0x82],
    ['a SUBSCRIBE to 101 filters', bytesOf({ cmd: 'subscribe', messageId: 1, subscriptions: filters(101) }), 0x97],
    ['a SUBSCRIBE to nothing', packet(sub, 2, uint16(1), bytes(0)), 0x82],
    ['an AUTH', { cmd: 'auth', reasonCode: 0x18, properties: { authenticationMethod: 'x' } }, 0x82],
    ['a second CONNECT', connectPacket({ clientId: 'c', username: 'u', password: 'p', version: 5 }), 0x82],
    [
      'a session asked for only at the end',
      { cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 9 } },
      0x82,
    ],
  ])('%s', async (_what, sent, reasonCode) => {
    const { org, reader } = await setUp();
    using client = await mqtt5Reader(world.port, reader);
    client.send(publish(reader.publish_topic, 'BEFORE'), sent, pingPacket);
    expect(await client.next()).toMatchObject({ cmd: 'disconnect', reasonCode });
    expect(await client.next()).toBeUndefined();
    await expect.poll(() => countsOf(org)).toEqual({ BEFORE: 1 });
    await expect.poll(() => rejections(org)).toHaveLength(1);
  });

  it('a 101st connection of its reader', async () => {
    const { reader } = await setUp();
    using first = await mqtt5Reader(world.port, reader, { clientId: '' });
    await Promise.all(Array.from({ length: 99 }, () => world.connect(reader)));
    using last = await mqtt5Reader(world.port, reader, { clientId: '' });
    expect(await first.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x97 });
    last.send(pingPacket);
    expect(await last.next()).toMatchObject({ cmd: 'pingresp' });
  });

  it('another connection with its client id, a deleted reader, silence', async () => {
    const { org, reader } = await setUp();
    using first = await mqtt5Reader(world.port, reader);
    using second = await mqtt5Reader(world.port, reader);
    expect(await first.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8e });
    await org.admin.readers.rotateSecret({ id: reader.id });
    expect(await second.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x98 });
    using silent = await mqtt5Reader(world.port, await org.reader(), { keepalive: 1 });
    expect(await silent.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8d });
    for (const client of [first, second, silent]) expect(await client.next()).toBeUndefined();
  });

  it('a broker that stops', async () => {
    await using stopping = await createBrokerWorld();
    const org = await stopping.organization();
    const client = await stopping.connect(await org.reader(), { protocolVersion: 5 });
    const told = new Promise((resolve) => client.once('disconnect', resolve));
    await stopping.broker.close();
    expect(await told).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8b });
  });
});
