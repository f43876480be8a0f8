import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrokerWorld, createBrokerWorld } from '../../support/mqtt.js';
import { mutate } from '../../support/mutations.js';
import { createRandom } from '../../support/random.js';
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

let world: BrokerWorld;

beforeAll(async () => {
  world = await createBrokerWorld();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const connections = 300;

it('bears whatever bytes it is sent, while another reader is acknowledged', async () => {
  const random = createRandom(7);
  const reader = await (await world.organization()).reader({ format: 'native' });
  const org = await world.organization();
  const other = await org.reader({ format: 'native', resolution_seconds: 0 });
  const asset = await org.asset({ tags: [['rfid', 'A']] });
  const topic = reader.publish_topic;
  const stream = (clientId: string) => {
    const [username, password] = [reader.mqtt_username, reader.mqtt_password];
    const clean = random() < 0.5;
    const behind = Buffer.concat([
      publishPacket({ topic, payload: '{"reads":[{"value":"N"}]}', qos: 0 }),
      publishPacket({ topic, payload: '{"reads":[{"value":"N"}]}', qos: 1, id: 1 }),
      publishPacket({ topic, payload: '{"reads":[{"value":"N"}]}', qos: 2, id: 2 }),
      answerPacket(packetTypes.pubrel, 2),
      answerPacket(packetTypes.pubrec, 3),
      subscribePacket(4, `readers/${username}/commands/#`),
      unsubscribePacket(5, `readers/${username}/commands/#`),
      pingPacket,
      disconnectPacket,
    ]);
    const login = connectPacket({ clientId, username, password, clean, will: { topic, payload: 'gone' } });
    // Most of them get past the login.
    return random() < 0.8
      ? Buffer.concat([login, mutate(behind, random)])
      : mutate(Buffer.concat([login, behind]), random);
  };

  using client = await rawReader(world.port, other, { clientId: 'other' });
  const firstMs = Date.now() - 3_600_000;
  for (let round = 0; round < connections; round += 1) {
    using fuzz = await rawMqtt(world.port);
    const bytes = stream(`fuzz ${round % 20}`);
    for (let begin = 0; begin < bytes.length; ) {
      const end = begin + 1 + Math.floor(random() * bytes.length);
      fuzz.send(bytes.subarray(begin, end));
      begin = end;
    }
    const reads = [{ value: 'A', observed_at: new Date(firstMs + round).toISOString() }];
    client.send(
      publishPacket({ topic: other.publish_topic, payload: JSON.stringify({ reads }), qos: 1, id: round + 1 }),
    );
    expect(await client.next()).toMatchObject({ type: packetTypes.puback, body: uint16(round + 1) });
    if (random() < 0.5) fuzz.socket.resetAndDestroy();
  }
  expect(await org.events(asset)).toHaveLength(connections);
  await expect.poll(() => world.broker.stats()).toMatchObject({ connections: 1, messagesUnderWay: 0 });
  expect(world.core.ingestion.stats().waitingMessages).toBe(0);
});
