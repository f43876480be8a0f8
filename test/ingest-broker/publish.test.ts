import { afterAll, describe, expect, it } from 'vitest';
import { lockStatement } from '../../server/kernel/database/locks.js';
import { closed, sharedBrokerWorld, cs463, identity, native } from '../support/mqtt.js';
import { connectPacket, packet, packetTypes, publishPacket, rawMqtt, text, uint16 } from '../support/raw-mqtt.js';
import type { TestReader } from '../support/scan-world.js';
import { createFixture, epc, isAcknowledged, rejections } from './publishing.js';

const world = await sharedBrokerWorld();

afterAll(() => world[Symbol.asyncDispose]());

const setUp = (settings?: Parameters<typeof createFixture>[1]) => createFixture(world, settings);

describe('topics', () => {
  it('are the reader’s own and the one registered for it', async () => {
    const { org, reader } = await setUp({ format: 'native', publish_topic: 'ruuvi/+/+' });
    const client = await world.connect(reader);
    const own = `readers/${reader.mqtt_username}`;
    for (const [index, topic] of [`${own}/reads`, `${own}/a/b`, 'ruuvi/gw/tag'].entries()) {
      await client.publishAsync(topic, native(`N${index}`), { qos: 1 });
    }
    expect((await org.admin.scans.unknownTags()).total_count).toBe(3);
  });

  it.each([
    'ruuvi/gw',
    'ruuvi/gw/tag/more',
    'else',
    'readers/somebody/reads',
    '$SYS/broker',
    'readers/OWN',
    'readers/OWN/',
  ])('that are not, like %s, end the connection without an ack, and the administrators see it', async (forbidden) => {
    const { org, reader } = await setUp({ publish_topic: 'ruuvi/+/+' });
    const bystander = await world.connect(await org.reader());
    const client = await world.connect(reader);
    const topic = forbidden.replace('OWN', reader.mqtt_username);
    expect(await isAcknowledged(client, topic, cs463([epc]))).toBe(false);
    await bystander.publishAsync(`readers/${bystander.options.username}/x`, 'hello', { qos: 1 });
    expect(await org.events()).toEqual([]);
    const reason = 'the reader may not publish to this topic';
    await expect.poll(() => rejections(org)).toMatchObject([{ reader_id: reader.id, topic, reason }]);
  });

  it('of two organizations may be the same', async () => {
    const one = await setUp({ publish_topic: 'site/reads' });
    const two = await setUp({ publish_topic: 'site/reads' });
    for (const { reader } of [one, two]) {
      await (await world.connect(reader)).publishAsync('site/reads', cs463([epc]), { qos: 1 });
    }
    expect(await one.org.events()).toMatchObject([{ asset_id: one.asset, location_id: one.dock }]);
    expect(await two.org.events()).toMatchObject([{ asset_id: two.asset, location_id: two.dock }]);
  });
});

describe('subscriptions', () => {
  it('are to the reader’s own commands and nothing else', async () => {
    const { reader } = await setUp();
    const client = await world.connect(reader);
    const own = `readers/${reader.mqtt_username}/commands`;
    const granted = async (filter: string) => {
      using raw = await rawMqtt(world.port);
      raw.send(connectPacket({ clientId: 'sub', ...identity(reader) }));
      await raw.next();
      raw.send(packet(packetTypes.subscribe, 2, uint16(7), text(filter), Buffer.from([1])));
      return (await raw.next())?.body[2];
    };
    for (const filter of [own, `${own}/#`, `${own}/reboot`, `${own}/+/x`])
      expect([filter, await granted(filter)]).toEqual([filter, 1]);
    for (const filter of [
      '#',
      '+/+/+',
      '$SYS/#',
      'readers/#',
      `readers/${reader.mqtt_username}/#`,
      'readers/other/commands/#',
      `${own}s/#`,
    ]) {
      expect([filter, await granted(filter)]).toEqual([filter, 128]);
    }
    expect(client.connected).toBe(true);
  });
});

describe('acknowledged', () => {
  it.each([1, 2] as const)('means stored at QoS %d: the ack waits while the database does', async (qos) => {
    const { org, reader } = await setUp();
    using client = await rawMqtt(world.port);
    client.send(connectPacket({ clientId: 'c', ...identity(reader) }));
    await client.next();
    const answers: number[] = [];
    const answered = world.db.$transaction(async (tx) => {
      await tx.$queryRaw(lockStatement('tree', org.orgId));
      client.send(publishPacket({ topic: reader.publish_topic, payload: cs463([epc]), qos, id: 9 }));
      const answer = client.next().then((found) => {
        answers.push(found?.type ?? 0);
        return found;
      });
      await expect
        .poll(() => world.core.ingestion.stats().waitingMessages + world.broker.stats().messagesUnderWay)
        .toBeGreaterThan(0);
      const other = await setUp();
      await (await world.connect(other.reader)).publishAsync(other.reader.publish_topic, cs463([epc]), { qos: 1 });
      expect(answers).toEqual([]);
      expect(await org.events()).toEqual([]);
      return { answer };
    });
    const ack = await (await answered).answer;
    expect(ack?.type).toBe(qos === 1 ? packetTypes.puback : packetTypes.pubrec);
    expect(await org.events()).toHaveLength(1);
  });

  it('comes in the order of the messages, for many at once', async () => {
    const { org, reader } = await setUp({ resolution_seconds: 0 });
    using client = await rawMqtt(world.port);
    const count = 300;
    const nowMs = Date.now();
    const messages = Array.from({ length: count }, (_, index) =>
      publishPacket({
        topic: reader.publish_topic,
        payload: cs463([epc], { atMs: nowMs - index }),
        qos: 1,
        id: index + 1,
      }),
    );
    // Right behind the CONNECT, as some devices do.
    client.send(connectPacket({ clientId: 'c', ...identity(reader) }), ...messages);
    await client.next();
    for (let id = 1; id <= count; id += 1) expect((await client.next())?.body).toEqual(uint16(id));
    expect(await org.events()).toHaveLength(count);
  });

  it('are messages that nobody understands, which are kept', async () => {
    const { org, reader } = await setUp();
    const client = await world.connect(reader);
    const big = Buffer.alloc(256 * 1024 + 1, 'x');
    await client.publishAsync(reader.publish_topic, 'what is this', { qos: 1 });
    await client.publishAsync(reader.publish_topic, Buffer.from([0xff, 0xfe]), { qos: 2 });
    await client.publishAsync(reader.publish_topic, '{"tags":[{"epc":true}]}', { qos: 1 });
    await client.publishAsync(reader.publish_topic, big, { qos: 1 });
    expect(await rejections(org)).toMatchObject([
      { reason: 'the payload has 262145 bytes, more than 262144', payload: 'x'.repeat(65_536) },
      { reason: 'tags[0].epc is true', payload: '{"tags":[{"epc":true}]}' },
      { reason: 'the payload is binary (of an unknown format), not JSON', payload: '//4=', payload_encoding: 'base64' },
      { reason: 'the payload is text, not JSON', payload: 'what is this', payload_encoding: 'text' },
    ]);
  });

  it('is a payload of 256 KiB', async () => {
    const { org, reader } = await setUp({ format: 'native' });
    const client = await world.connect(reader);
    const payload = JSON.stringify({ reads: [{ value: epc }], filler: '' }).padEnd(256 * 1024, ' ');
    await client.publishAsync(reader.publish_topic, payload, { qos: 1 });
    expect(await org.events()).toHaveLength(1);
  });
});

describe('a message sent again', () => {
  it('at QoS 2 is counted once on its connection, until it is released', async () => {
    const { org, reader } = await setUp({ format: 'native' });
    const message = (dup: boolean) =>
      publishPacket({ topic: reader.publish_topic, payload: native('NOBODY'), qos: 2, id: 5, dup });
    using client = await rawMqtt(world.port);
    client.send(connectPacket({ clientId: 'c', ...identity(reader) }), message(false), message(true));
    const types = [await client.next(), await client.next(), await client.next()].map((found) => found?.type);
    expect(types).toEqual([packetTypes.connack, packetTypes.pubrec, packetTypes.pubrec]);
    client.send(packet(packetTypes.pubrel, 2, uint16(5)));
    expect((await client.next())?.type).toBe(packetTypes.pubcomp);
    expect((await org.admin.scans.unknownTags()).data).toMatchObject([{ value: 'NOBODY', count: 1 }]);
    // The identifier is free again.
    client.send(message(false));
    expect((await client.next())?.type).toBe(packetTypes.pubrec);
    expect((await org.admin.scans.unknownTags()).data).toMatchObject([{ value: 'NOBODY', count: 2 }]);
  });

  it('at QoS 2 under an identifier of an earlier connection is another one', async () => {
    const { org, reader } = await setUp({ format: 'native' });
    for (const clean of [true, false]) {
      using client = await rawMqtt(world.port);
      client.send(
        connectPacket({ clientId: 'c', clean, ...identity(reader) }),
        publishPacket({ topic: reader.publish_topic, payload: native('NOBODY'), qos: 2, id: 5 }),
      );
      await client.next();
      expect((await client.next())?.type).toBe(packetTypes.pubrec);
    }
    expect((await org.admin.scans.unknownTags()).data).toMatchObject([{ count: 2 }]);
  });
});

describe('last wills', () => {
  async function dieWith(reader: TestReader, will: { topic: string; payload: string }) {
    const client = await world.connect(reader, {
      will: { qos: 1, retain: true, ...will, payload: Buffer.from(will.payload) },
    });
    client.stream.destroy();
    await closed(client);
  }

  it('are heartbeats in any format, and reads if they contain some', async () => {
    const { org, reader, asset } = await setUp({ format: 'native' });
    const lastMessageAt = async () => {
      // A heartbeat is not stored while something else about the reader is stored.
      await dieWith(reader, { topic: reader.publish_topic, payload: 'I am gone' });
      return (await org.admin.readers.list()).data[0]?.last_message_at;
    };
    await expect.poll(lastMessageAt).not.toBeNull();
    await dieWith(reader, { topic: `readers/${reader.mqtt_username}/last`, payload: native(epc) });
    await expect.poll(() => org.events()).toMatchObject([{ asset_id: asset }]);
    expect(await rejections(org)).toEqual([]);
  });

  it('obey the rules of topics', async () => {
    const { org, reader } = await setUp({ format: 'native' });
    const other = await setUp({ format: 'native' });
    const topics = [other.reader.publish_topic, `readers/${reader.mqtt_username}/+`];
    const reason = 'the reader may not publish its last will to this topic';
    const expected: object[] = [];
    for (const topic of topics) {
      await dieWith(reader, { topic, payload: native(epc) });
      expected.unshift({ reader_id: reader.id, topic, reason });
      await expect.poll(() => rejections(org)).toMatchObject(expected);
    }
    expect(await org.events()).toEqual([]);
    expect(await other.org.events()).toEqual([]);
  });
});
