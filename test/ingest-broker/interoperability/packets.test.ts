import { afterAll, describe, expect, it } from 'vitest';
import { lockStatement } from '../../../server/kernel/database/locks.js';
import { sharedBrokerWorld, identity, native } from '../../support/mqtt.js';
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
import type { ScanOrganization } from '../../support/scan-world.js';
import { createNativeReader } from './native-reader.js';

const world = await sharedBrokerWorld();

afterAll(() => world[Symbol.asyncDispose]());

const setUp = () => createNativeReader(world);

const { connack, puback, pubrec, pubrel, pubcomp, suback, unsuback, pingresp } = packetTypes;

async function values(org: ScanOrganization): Promise<string[]> {
  return (await org.admin.scans.unknownTags()).data.map(({ value }) => value).sort();
}

describe('a stream of packets', () => {
  it.each([1, 2, 3, 7, 50, 4096])('is understood in pieces of %d bytes', async (size) => {
    const { org, reader } = await setUp();
    const topic = reader.publish_topic;
    const stream = Buffer.concat([
      connectPacket({ clientId: 'pieces', ...identity(reader) }),
      publishPacket({ topic, payload: native('A'), qos: 0 }),
      pingPacket,
      publishPacket({ topic, payload: native('B'.repeat(200)), qos: 1, id: 1 }),
      subscribePacket(2, `readers/${reader.mqtt_username}/commands/#`),
      publishPacket({ topic, payload: native('C'), qos: 2, id: 3 }),
      answerPacket(pubrel, 3),
      unsubscribePacket(4, 'a/b'),
    ]);
    using client = await rawMqtt(world.port);
    client.socket.setNoDelay(true);
    for (let begin = 0; begin < stream.length; begin += size) {
      client.send(stream.subarray(begin, begin + size));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await client.next())?.type).toBe(connack);
    const answers = new Set<number | undefined>();
    for (let count = 0; count < 6; count += 1) answers.add((await client.next())?.type);
    expect(answers).toEqual(new Set([puback, pubrec, pubcomp, suback, unsuback, pingresp]));
    expect(await values(org)).toEqual(['A', 'B'.repeat(200), 'C']);
  });

  it('of thousands in one piece is answered in order, at QoS 1 and 2 [MQTT-4.6.0-2], [MQTT-4.6.0-3]', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader);
    const count = 3000;
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    for (const [qos, answer] of [[1, puback] as const, [2, pubrec] as const]) {
      const payload = native(`QOS ${qos}`);
      client.send(...ids.map((id) => publishPacket({ topic: reader.publish_topic, payload, qos, id })));
      for (const id of ids) expect(await client.next()).toMatchObject({ type: answer, body: uint16(id) });
    }
    client.send(...ids.map((id) => answerPacket(pubrel, id)));
    for (const id of ids) expect(await client.next()).toMatchObject({ type: pubcomp, body: uint16(id) });
    const { data } = await org.admin.scans.unknownTags();
    expect(data.map((tag) => tag.count)).toEqual([count, count]);
  });

  it('is cut at a DISCONNECT: what follows is ignored [MQTT-3.14.4-2]', async () => {
    const { org, reader } = await setUp();
    const topic = reader.publish_topic;
    using client = await rawReader(world.port, reader);
    client.send(
      publishPacket({ topic, payload: native('BEFORE'), qos: 0 }),
      disconnectPacket,
      publishPacket({ topic, payload: native('BEHIND'), qos: 0 }),
      Buffer.from([0xff, 0xff]),
    );
    await client.closed();
    using other = await rawReader(world.port, reader, { clientId: 'other' });
    other.send(publishPacket({ topic, payload: native('LAST'), qos: 1 }));
    await other.next();
    expect(await values(org)).toEqual(['BEFORE', 'LAST']);
    expect((await org.admin.scans.rejectedMessages()).data).toEqual([]);
  });

  it('may end in the middle of a packet', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader);
    client.send(publishPacket({ topic: reader.publish_topic, payload: native('CUT'), qos: 0 }).subarray(0, -1));
    client.socket.end();
    await client.closed();
    expect(await values(org)).toEqual([]);
    await expect.poll(() => world.broker.stats().messagesUnderWay).toBe(0);
  });
});

describe('answers that nobody waits for', () => {
  it.each([true, false])('change nothing, with a clean session: %j', async (clean) => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader, { clean });
    client.send(answerPacket(puback, 7), answerPacket(pubcomp, 8), answerPacket(pubrel, 9));
    // A side without the message lets the other side drop it, too.
    expect(await client.next()).toMatchObject({ type: pubcomp, body: uint16(9) });
    client.send(answerPacket(pubrec, 10));
    expect(await client.next()).toMatchObject({ type: pubrel, flags: 2, body: uint16(10) });
    client.send(publishPacket({ topic: reader.publish_topic, payload: native('N'), qos: 1, id: 11 }));
    expect(await client.next()).toMatchObject({ type: puback, body: uint16(11) });
    expect(await values(org)).toEqual(['N']);
  });
});

describe('a message', () => {
  it('may have the highest packet identifier, and no payload', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader);
    for (const [qos, answer] of [[1, puback] as const, [2, pubrec] as const]) {
      client.send(publishPacket({ topic: reader.publish_topic, payload: '', qos, id: 65_535 }));
      expect(await client.next()).toMatchObject({ type: answer, body: uint16(65_535) });
    }
    expect((await org.admin.scans.rejectedMessages()).data).toEqual([]);
  });

  it('may be sent with one identifier at QoS 1 and 2 at once', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader);
    const topic = reader.publish_topic;
    client.send(
      publishPacket({ topic, payload: native('ONE'), qos: 1, id: 5 }),
      publishPacket({ topic, payload: native('TWO'), qos: 2, id: 5 }),
    );
    const answers = [await client.next(), await client.next()].map((found) => found?.type);
    expect(new Set(answers)).toEqual(new Set([puback, pubrec]));
    expect(await values(org)).toEqual(['ONE', 'TWO']);
  });

  it('keeps a byte order mark in its topic [MQTT-1.5.3-3]', async () => {
    const org = await world.organization();
    const reader = await org.reader({ format: 'native', publish_topic: '#' });
    using client = await rawReader(world.port, reader);
    const lastMessageAt = async () => {
      // A heartbeat is not stored while something else about the reader is stored.
      client.send(publishPacket({ topic: '\u{feff}a', payload: 'x', qos: 1 }));
      expect((await client.next())?.type).toBe(puback);
      return (await org.admin.readers.list()).data[0]?.last_message_at;
    };
    await expect.poll(lastMessageAt).not.toBeNull();
  });
});

describe('a client id', () => {
  it('may have 1,024 bytes, and any characters', async () => {
    const { reader } = await setUp();
    for (const clientId of ['x'.repeat(1024), '/+#$\u{feff}\u{1f4e6} \u{1}']) {
      using client = await rawReader(world.port, reader, { clientId, clean: false });
      expect(client.connack).toEqual({ sessionPresent: false, returnCode: 0 });
      using again = await rawReader(world.port, reader, { clientId, clean: false });
      expect(again.connack).toEqual({ sessionPresent: false, returnCode: 0 });
      expect(await client.next()).toBeUndefined(); // [MQTT-3.1.4-2]
    }
  });
});

describe('a session', () => {
  it('is never kept over a connection [MQTT-3.2.2-3]', async () => {
    const { reader } = await setUp();
    for (const clean of [false, false, true, false]) {
      using client = await rawReader(world.port, reader, { clientId: 'kept', clean });
      expect(client.connack).toEqual({ sessionPresent: false, returnCode: 0 });
      client.send(subscribePacket(1, `readers/${reader.mqtt_username}/commands/#`));
      expect((await client.next())?.type).toBe(suback);
      client.send(unsubscribePacket(3, `readers/${reader.mqtt_username}/commands/#`));
      expect((await client.next())?.type).toBe(unsuback);
      client.send(disconnectPacket);
      await client.closed();
    }
  });
});

describe('a ping', () => {
  it('is answered while messages wait to be stored, and nobody is cut off meanwhile', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader, { keepAliveSeconds: 1 });
    const message = publishPacket({ topic: reader.publish_topic, payload: native('N'), qos: 1 });
    await world.db.$transaction(async (tx) => {
      await tx.$queryRaw(lockStatement('tree', org.orgId));
      client.send(...Array<Buffer>(20).fill(message));
      for (let time = 0; time < 4; time += 1) {
        await new Promise((resolve) => setTimeout(resolve, 600));
        client.send(pingPacket);
        expect((await client.next())?.type).toBe(pingresp);
      }
    });
    for (let count = 0; count < 20; count += 1) expect((await client.next())?.type).toBe(puback);
  });

  it('that cannot be read while memory is used up is not lost', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader, { keepAliveSeconds: 1 });
    const payload = native('N').padEnd(4000);
    const count = 2000;
    await world.db.$transaction(async (tx) => {
      await tx.$queryRaw(lockStatement('tree', org.orgId));
      for (let id = 1; id <= count; id += 1) {
        client.send(publishPacket({ topic: reader.publish_topic, payload, qos: 1, id }));
      }
      await new Promise((resolve) => setTimeout(resolve, 2500));
    });
    for (let id = 1; id <= count; id += 1) expect((await client.next())?.body).toEqual(uint16(id));
  });
});
