import { describe, expect, it } from 'vitest';
import { lockStatement } from '../../server/kernel/database/locks.js';
import { createBrokerWorld, cs463, identity } from '../support/mqtt.js';
import { connectPacket, publishPacket, rawMqtt, uint16 } from '../support/raw-mqtt.js';
import { createFixture, epc } from './publishing.js';
import { fileWorld } from '../support/shared.js';

const world = fileWorld(createBrokerWorld);

const setUp = (settings?: Parameters<typeof createFixture>[1]) => createFixture(world, settings);

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
