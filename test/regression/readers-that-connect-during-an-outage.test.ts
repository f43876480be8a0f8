import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import { createBrokerWorld } from '../support/mqtt.js';
import { connectPacket, rawMqtt } from '../support/raw-mqtt.js';

it('a reader that connects while the database is unavailable gets no CONNACK, and connects later by itself', async () => {
  await using world = await createBrokerWorld();
  const org = await world.organization();
  const { mqtt_username: username, mqtt_password: password } = await org.reader();
  await world.db.$executeRaw`ALTER TABLE readers RENAME TO elsewhere`;

  const raw = await rawMqtt(world.port);
  raw.send(connectPacket({ clientId: 'raw', username, password }));
  expect(await raw.next()).toBeUndefined();

  const client = mqtt.connect({ port: world.port, username, password, protocolVersion: 4, reconnectPeriod: 50 });
  await new Promise((resolve) => client.once('close', () => resolve(undefined)));
  const connected = new Promise((resolve) => client.once('connect', () => resolve('connected')));
  await world.db.$executeRaw`ALTER TABLE elsewhere RENAME TO readers`;
  expect(await connected).toBe('connected');
  await client.endAsync();
});
