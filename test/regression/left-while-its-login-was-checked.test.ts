import { expect, it } from 'vitest';
import { untilWaitedFor } from '../support/locked-tables.js';
import { createBrokerWorld } from '../support/mqtt.js';
import { connectPacket, rawMqtt } from '../support/raw-mqtt.js';

it('a reader that leaves while its login is checked is not among the connected forever', async () => {
  await using world = await createBrokerWorld();
  const reader = await (await world.organization()).reader();
  const login = connectPacket({ clientId: 'c', username: reader.mqtt_username, password: reader.mqtt_password });
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE readers IN ACCESS EXCLUSIVE MODE`;
    using client = await rawMqtt(world.port);
    client.send(login);
    await untilWaitedFor(tx, 'readers');
    client.socket.resetAndDestroy();
    // By the end of this one the broker has noticed the end of the first.
    using other = await rawMqtt(world.port);
    other.send(Buffer.from('no MQTT'));
    await other.closed();
  });
  using next = await rawMqtt(world.port);
  next.send(login);
  await next.next();
  expect(world.broker.stats().connections).toBe(1);
  next.socket.destroy();
  await expect.poll(() => world.broker.stats().connections).toBe(0);
});
