import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockStatement } from '../../server/kernel/database/locks.js';
import { type BrokerWorld, createBrokerWorld, cs463, identity } from '../support/mqtt.js';
import { connectPacket, publishPacket, rawMqtt, uint16 } from '../support/raw-mqtt.js';
import { createFixture, epc, isAcknowledged, rejections } from './publishing.js';

let world: BrokerWorld;

beforeAll(async () => {
  world = await createBrokerWorld();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const setUp = (settings?: Parameters<typeof createFixture>[1]) => createFixture(world, settings);

describe('what is no MQTT', () => {
  it.each<[string, Buffer]>([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['zeros', Buffer.alloc(100)],
    ['a length without end', Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ['a packet of 256 MB', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f, 0, 4])],
    ['a publish before the CONNECT', publishPacket({ topic: 'a', payload: 'b', qos: 0 })],
    ['a CONNECT cut short', Buffer.from([0x10, 4, 0, 4, 77, 81])],
  ])('ends the connection and nobody else notices: %s', async (_what, bytes) => {
    const { reader } = await setUp();
    const bystander = await world.connect(reader);
    using client = await rawMqtt(world.port);
    client.send(bytes);
    await client.closed();
    expect(await isAcknowledged(bystander, reader.publish_topic, cs463([epc]))).toBe(true);
  });

  it('ends the connection of a reader too, with the reason to see for a message that is far too long', async () => {
    const { org, reader } = await setUp();
    using client = await rawMqtt(world.port);
    client.send(connectPacket({ clientId: 'c', ...identity(reader) }));
    await client.next();
    client.send(
      publishPacket({ topic: reader.publish_topic, payload: Buffer.alloc(400_000), qos: 1 }).subarray(0, 1000),
    );
    await client.closed();
    await expect.poll(() => rejections(org)).toMatchObject([{ reason: expect.stringContaining('a packet of') }]);
  });

  it('keeps nothing of random bytes', async () => {
    const { reader } = await setUp();
    const bystander = await world.connect(reader);
    for (let round = 0; round < 30; round += 1) {
      using client = await rawMqtt(world.port);
      client.send(connectPacket({ clientId: `r${round}`, ...identity(reader) }));
      await client.next();
      client.send(
        Buffer.from(Array.from({ length: 50 + round }, (_, n) => (n * 31 + round * 101 + ((n * n) % 7)) % 256)),
      );
      client.socket.end();
    }
    expect(await isAcknowledged(bystander, reader.publish_topic, cs463([epc]))).toBe(true);
  });
});

describe('a database that is slow', () => {
  it('is not asked for more than fits by messages that hold many reads in few bytes', async () => {
    const { org, reader } = await setUp({ format: 'native' });
    using client = await rawMqtt(world.port);
    client.send(connectPacket({ clientId: 'c', ...identity(reader) }));
    await client.next();
    const dense = JSON.stringify({ reads: Array.from({ length: 14_000 }, () => ({ value: 'N' })) });
    await world.db.$transaction(async (tx) => {
      await tx.$queryRaw(lockStatement('tree', org.orgId));
      for (let id = 1; id <= 3; id += 1) {
        client.send(publishPacket({ topic: reader.publish_topic, payload: dense, qos: 1, id }));
      }
      const other = await setUp();
      const bystander = await world.connect(other.reader);
      for (let time = 0; time < 20; time += 1) {
        await bystander.publishAsync(other.reader.publish_topic, cs463([epc]), { qos: 1 });
      }
      expect(world.broker.stats().messagesUnderWay).toBe(1);
    });
    for (let id = 1; id <= 3; id += 1) expect((await client.next())?.body).toEqual(uint16(id));
  });

  it.each([
    [0, 'in one go'],
    [1, 'in one go'],
    [0, 'one by one'],
    [1, 'one by one'],
  ] as const)('holds senders back at QoS %d, %s, so that memory stays bounded, and loses nothing', async (qos, how) => {
    const { org, reader } = await setUp({ format: 'native' });
    using client = await rawMqtt(world.port);
    client.socket.setNoDelay(true);
    client.send(connectPacket({ clientId: 'c', ...identity(reader) }));
    await client.next();
    const count = 3000;
    const payload = JSON.stringify({ reads: [{ value: 'NOBODY' }], filler: 'x'.repeat(300) });
    const underWay = () => world.broker.stats().messagesUnderWay;
    const peak = await world.db.$transaction(async (tx) => {
      await tx.$queryRaw(lockStatement('tree', org.orgId));
      for (let id = 1; id <= count; id += 1) {
        client.send(publishPacket({ topic: reader.publish_topic, payload, qos, id }));
        if (how === 'one by one') await new Promise((resolve) => setImmediate(resolve));
      }
      await expect.poll(underWay).toBeGreaterThan(100);
      // Another reader's round trips: time for the broker to read on, if it did.
      const other = await setUp();
      const bystander = await world.connect(other.reader);
      for (let time = 0; time < 20; time += 1) {
        await bystander.publishAsync(other.reader.publish_topic, cs463([epc]), { qos: 1 });
      }
      return underWay();
    });
    expect(peak).toBeLessThan(1200);
    if (qos === 1) for (let id = 1; id <= count; id += 1) expect((await client.next())?.body).toEqual(uint16(id));
    await expect.poll(async () => (await org.admin.scans.unknownTags()).data[0]?.count).toBe(count);
    expect(world.broker.stats().droppedMessages).toBe(0);
  });
});
