import { Writable } from 'node:stream';
import { connectAsync } from 'mqtt';
import { expect, it } from 'vitest';
import { createLog } from '../../../server/kernel/log.js';
import { startMosquitto } from '../../support/mosquitto.js';
import { createBrokerWorld, native } from '../../support/mqtt.js';

// A client of MQTT 5 that shares no code with the broker.

it('a Mosquitto with a bridge of MQTT 5 passes messages on at each QoS, and each is stored once', async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  await using world = await createBrokerWorld({ log: createLog('debug', destination) });
  const org = await world.organization();
  const reader = await org.reader({ format: 'native', publish_topic: 'dock/reads' });
  await using mosquitto = await startMosquitto({
    accounts: { device: 'secret' },
    rules: 'user device\ntopic readwrite #',
    more: [
      'connection whereabouts',
      `address 127.0.0.1:${world.port}`,
      'bridge_protocol_version mqttv50',
      `remote_username ${reader.mqtt_username}`,
      `remote_password ${reader.mqtt_password}`,
      'topic dock/# out 2',
    ],
  });
  await expect.poll(async () => (await org.admin.readers.list()).data[0]?.last_connected_at).not.toBeNull();
  const device = await connectAsync(`mqtt://127.0.0.1:${mosquitto.port}`, {
    username: 'device',
    password: 'secret',
    protocolVersion: 5,
  });
  const properties = { userProperties: { site: 'north' }, messageExpiryInterval: 60, contentType: 'application/json' };
  for (const qos of [0, 1, 2] as const) {
    await device.publishAsync('dock/reads', native(`QOS ${qos}`), { qos, properties });
  }
  await device.publishAsync('dock/other', native('ELSEWHERE'), { qos: 1 });
  await device.publishAsync('dock/reads', native('LAST'), { qos: 1 });
  const counts = async () => {
    const { data } = await org.admin.scans.unknownTags();
    return Object.fromEntries(data.map(({ value, count }) => [value, count]));
  };
  await expect.poll(counts).toEqual({ 'QOS 0': 1, 'QOS 1': 1, 'QOS 2': 1, LAST: 1 });
  const rejected = async () => (await org.admin.scans.rejectedMessages()).data.map(({ topic }) => topic);
  await expect.poll(rejected).toEqual(['dock/other']);
  // The refusal of a message did not end the connection, as it does with MQTT 3.1.1.
  expect(lines.filter((line) => line.includes('a reader logged in'))).toHaveLength(1);
  await device.endAsync();
});
