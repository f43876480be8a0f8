import { connectAsync } from 'mqtt';
import { afterAll, expect, it } from 'vitest';
import type { ReaderFormat } from '../../../server/index.js';
import { closed, sharedBrokerWorld, identity } from '../../support/mqtt.js';
import { bytesOf, messageOf, outcomeOf, send, type Step, stepsOf } from './playing.js';

// Devices that publish more than reads, that say when a tag is gone, or that take each other's client id.

const world = await sharedBrokerWorld();
afterAll(() => world[Symbol.asyncDispose]());

async function play(format: ReaderFormat, publish_topic: string, steps: readonly Step[]) {
  const org = await world.organization();
  const reader = await org.reader({ format, publish_topic });
  const will = steps.find((step) => step.will)?.will;
  const client = await world.connect(
    reader,
    will ? { will: { ...will, payload: Buffer.from(will.payload), qos: 0 } } : {},
  );
  for (const { topic, payload, qos = 1 } of steps) {
    if (topic !== undefined) await client.publishAsync(topic, bytesOf(payload), { qos });
  }
  // Answered after everything before it.
  await client.publishAsync(`readers/${reader.mqtt_username}/state`, 'online', { qos: 1 });
  const isConnected = client.connected;
  client.stream.destroy();
  return { isConnected, ...(await outcomeOf(org, reader)) };
}

it.each<[ReaderFormat, string, string, string]>([
  ['theengs', 'home/gate-1/BTtoMQTT/+', '05-theengs-start.jsonl', 'ble D8A01D550501'],
  ['theengs', 'home/gate-1/#', '05-theengs-start.jsonl', 'ble D8A01D550501'],
  ['theengs', 'home/#', '05-theengs-start.jsonl', 'ble D8A01D550501'],
  ['auto', 'home/gate-1/BTtoMQTT/+', '05-theengs-start.jsonl', 'ble D8A01D550501'],
  ['theengs', 'home/omg-1/#', '05b-openmqttgateway-start.jsonl', 'ble D8A01D550502'],
  ['theengs', 'home/omg-1/BTtoMQTT/+', '05b-openmqttgateway-start.jsonl', 'ble D8A01D550502'],
  ['theengs', 'espresense/#', '05c-espresense-start.jsonl', 'ble D8A01D551204'],
  ['espresense', 'espresense/devices/+/kitchen', '05c-espresense-start.jsonl', 'ble D8A01D551204'],
])(
  '%s with the topic %s stays connected through %s, and its reads are stored',
  async (...[format, topic, file, tag]) => {
    expect(await play(format, topic, stepsOf(file))).toEqual({
      isConnected: true,
      unknown: [tag],
      rejected: [],
      isAlive: true,
    });
  },
);

it.each<[ReaderFormat, string, Step[]]>([
  [
    'native',
    'site/reads',
    [
      { topic: '$SYS/broker/connection/wb/state', payload: '1' },
      { topic: 'site/reads', payload: { reads: [{ value: 'E2801' }] } },
    ],
  ],
  [
    'tasmota',
    'tele/door/SENSOR',
    [
      { topic: 'tele/door/LWT', payload: 'Online' },
      { topic: 'tasmota/discovery/AABB/config', payload: '{}' },
      { topic: 'stat/door/RESULT', payload: '{}' },
      { topic: 'tele/door/SENSOR', payload: { Time: 'x', RC522: { UID: 'E2801' } } },
    ],
  ],
  [
    'tasmota',
    'tele/door/+',
    [
      { topic: 'tele/door/RESULT', payload: { Time: 'x', RfReceived: { Data: '7028D2' } } },
      { topic: 'tele/door/BLE', payload: { BLEOperation: { state: 'START', MAC: 'D8A01D550611' } } },
    ],
  ],
  [
    'zebra_iotc',
    'acme/DATA/clients/data1event/+',
    [
      { topic: 'acme/DATA/clients/rfid/RFD40-1', payload: { connectionState: 'CONNECTED', deviceModel: 'RFD40' } },
      { topic: 'acme/CTRL/clients/event/RFD40-1', payload: { type: 'battery', id: 1, priority: 'HIGH', state: 'SET' } },
    ],
  ],
  [
    'text',
    'door/#',
    [
      { topic: 'door/sensor/uptime/state', payload: '123456' },
      { topic: 'door/binary_sensor/present/state', payload: 'OFF' },
    ],
  ],
  ['ruuvi', 'ruuvi/+/+', [{ topic: 'ruuvi/AA:BB:CC:DD:EE:FF/gw_status', payload: { state: 'online' } }]],
  [
    'text',
    'door/card',
    [
      { topic: 'door/status', payload: 'online' },
      { topic: 'homeassistant/sensor/door/card/config', payload: '{}' },
      { topic: 'door/card', payload: 'E2-80-1A-2B' },
    ],
  ],
  [
    'cassia',
    'up/x/scan',
    [
      { topic: 'up/x/gateway_status', payload: { action: 'gateway_status' } },
      { topic: 'up/x/heartbeat', payload: {} },
    ],
  ],
])('the side topics of %s are accepted, and nothing of them is rejected', async (format, topic, steps) => {
  expect(await play(format, topic, steps)).toMatchObject({ isConnected: true, rejected: [], isAlive: true });
});

it('what is published elsewhere is dropped without an acknowledgement, ends the connection with one, and is shown', async () => {
  const org = await world.organization();
  const reader = await org.reader({ publish_topic: 'site/reads' });
  const client = await world.connect(reader);
  await client.publishAsync('site/other', '{"reads":[{"value":"E2801"}]}', { qos: 0 });
  await send(client, 'site/reads', { reads: [{ value: 'E2802' }] });
  expect(client.connected).toBe(true);
  client.publish('site/third', '1', { qos: 1 });
  await closed(client);
  const topics = async () =>
    (await org.admin.readers.notes({ id: reader.id }))
      .filter(({ kind }) => kind === 'other_topic')
      .map(({ subject }) => subject);
  await expect.poll(async () => (await topics()).toSorted()).toEqual(['site/other', 'site/third']);
  await org.admin.readers.update({ id: reader.id, more_topics: ['site/other', 'site/+/x'] });
  const again = await world.connect(reader);
  await send(again, 'site/other', { reads: [{ value: 'E2803' }] });
  await send(again, 'site/y/x', { reads: [{ value: 'E2804' }] });
  expect((await outcomeOf(org, reader)).unknown).toEqual(['rfid E2802', 'rfid E2803', 'rfid E2804']);
  await expect(org.admin.readers.update({ id: reader.id, more_topics: ['$SYS/a'] })).rejects.toThrow(/more_topics/);
});

it('reads on a topic that resembles one of another make are not lost in silence', async () => {
  const message = [{ type: 'iBeacon', timestamp: new Date().toISOString(), mac: 'D8A01D552106', rssi: -60 }];
  const org = await world.organization();
  const reader = await org.reader({ format: 'auto', publish_topic: 'gw/#' });
  const client = await world.connect(reader);
  for (const topic of ['gw/a/status', 'gw/a/STATE', 'gw/a/LWT']) await send(client, topic, message);
  await client.publishAsync('site/a/STATE', JSON.stringify(message), { qos: 0 });
  await send(client, 'gw/a', message);
  const unknown = await org.admin.scans.unknownTags({});
  expect(unknown.data).toMatchObject([{ value: 'D8A01D552106', count: 4 }]);
  const shown = async () =>
    (await org.admin.readers.notes({ id: reader.id })).map(({ kind, subject }) => [kind, subject]);
  await expect.poll(shown).toEqual([['other_topic', 'site/a/STATE']]);
});

it('a topic below another reader stays forbidden, whatever is registered', async () => {
  const org = await world.organization();
  const [reader, other] = [await org.reader({ publish_topic: '#' }), await org.reader()];
  const client = await world.connect(reader);
  client.publish(`readers/${other.mqtt_username}/reads`, '{"reads":[{"value":"E2801"}]}', { qos: 1 });
  await closed(client);
  expect((await outcomeOf(org, other)).unknown).toEqual([]);
});

it('the newest message without reads is shown', async () => {
  const org = await world.organization();
  const reader = await org.reader({ format: 'smartreader' });
  const client = await world.connect(reader);
  await send(client, reader.publish_topic, { readerName: 'r1', status: 'running' });
  await expect
    .poll(() => org.admin.readers.notes({ id: reader.id }))
    .toMatchObject([
      {
        kind: 'without_reads',
        subject: reader.publish_topic,
        payload: '{"readerName":"r1","status":"running"}',
        count: 1,
      },
    ]);
  const stranger = await world.organization();
  expect(await stranger.admin.readers.notes({ id: reader.id })).toEqual([]);
});

it('a path of a mapping that finds nothing is shown until it finds something', async () => {
  const org = await world.organization();
  const mapping = { value: 'epc', time: 'when', antenna: 'port' };
  const reader = await org.reader({ format: 'mapped', mapping });
  const client = await world.connect(reader);
  await send(client, reader.publish_topic, { epc: 'E2801', port: 1 });
  await expect
    .poll(() => org.admin.readers.notes({ id: reader.id }))
    .toMatchObject([{ kind: 'mapping', detail: 'time' }]);
});

it('two devices that take each other’s client id are named', async () => {
  const org = await world.organization();
  const reader = await org.reader();
  const options = { ...identity(reader), clientId: 'gate', reconnectPeriod: 0 };
  for (let index = 0; index < 5; index += 1) {
    const client = await connectAsync(`mqtt://127.0.0.1:${world.port}`, options);
    client.on('error', () => {});
  }
  await expect
    .poll(() => org.admin.readers.notes({ id: reader.id }))
    .toMatchObject([{ kind: 'client_id', subject: 'gate', detail: expect.stringContaining('127.0.0.1') }]);
});

it.each(['evidence', 'newest'] as const)(
  'an asset stays where it is while another reader has lost it, by %s',
  async (location_rule) => {
    for (const [format, file] of [
      ['theengs', '04-theengs-absent.jsonl'],
      ['auto', '04-theengs-absent.jsonl'],
      ['mapped', '06-rssi-zero-means-gone.jsonl'],
      ['tasmota', '06-rssi-zero-means-gone.jsonl'],
    ] as const) {
      const org = await world.organization();
      const steps = stepsOf(file);
      await org.asset({ tags: [['ble', file.startsWith('04') ? 'D8A01D5504B1' : 'D8A01D550601']] });
      const names = [...new Set(steps.map(({ reader = '' }) => reader))];
      const mapped = {
        mapping: { value: 'IBEACON.MAC', rssi: 'IBEACON.RSSI', time: 'Time' },
        tag_type: 'ble',
      } as const;
      const readers = await Promise.all(
        names.map(async (name) => {
          const location_id = await org.location();
          const publish_topic = file.startsWith('04') ? `home/ev${name}/BTtoMQTT/+` : `tele/${name}/SENSOR`;
          const input = { format, location_rule, location_id, publish_topic, ...(format === 'mapped' && mapped) };
          const reader = await org.reader(input);
          return { name, location_id, client: await world.connect(reader) };
        }),
      );
      let before: unknown;
      for (const [
        index,
        { reader: name = '', topic = `tele/${name}/SENSOR`, payload, repeat = 1 },
      ] of steps.entries()) {
        if (index === steps.length - 1) before = await org.positions();
        const client = readers.find((reader) => reader.name === name)?.client;
        if (client) for (let count = 0; count < repeat; count += 1) await send(client, topic, payload);
      }
      expect([format, await org.positions()]).toEqual([format, before]);
    }
  },
);

it('the times of CSL’s preloaded format and of a mapping beside its list are used', async () => {
  const org = await world.organization();
  await org.asset({
    tags: [
      ['rfid', 'E28011900000000000000701'],
      ['rfid', '303402420000000000000801'],
    ],
  });
  const csl = await org.reader({ format: 'csl_cs463', resolution_seconds: 0 });
  const client = await world.connect(csl);
  const atMs = Math.floor(Date.now() / 1000) * 1000 - 45 * 60_000;
  const local = new Date(atMs - 6 * 3_600_000).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
  await send(
    client,
    csl.publish_topic,
    messageOf('07-csl-time-of-read.json').toString().replace('2026/11/25 09:52:22', local),
  );
  const mapping = { list: 'data.tagData', value: 'EPCid', rssi: 'peakRssi', time: '$.timestamp' };
  const sled = await org.reader({ format: 'mapped', mapping, resolution_seconds: 0 });
  const other = await world.connect(sled);
  const message = messageOf('08-zebra-handheld-data-event.json').toString();
  await send(
    other,
    sled.publish_topic,
    message.replace('2026-11-25T16:16:21.628Z', new Date(atMs + 1000).toISOString()),
  );
  expect((await org.events()).map(({ at }) => Date.parse(at))).toEqual([atMs, atMs + 1000]);
});

it('one chip is one tag, whatever spelling is stored and read, and two beacons are two', async () => {
  const org = await world.organization();
  const spellings = messageOf('17-uid-spellings.jsonl').toString().trim().split('\n');
  const reader = await org.reader({ format: 'mapped', mapping: { value: 'uid' } });
  const client = await world.connect(reader);
  await org.asset({ tags: [['rfid', '55 67 23 2d']] });
  for (const message of spellings) await send(client, reader.publish_topic, message);
  const native = await org.reader({ resolution_seconds: 0 });
  const programmed = await world.connect(native);
  for (const value of ['55-67-23-2D', '0x55 0x67 0x23 0x2d', '5567:232D'])
    await send(programmed, native.publish_topic, { reads: [{ value }] });
  expect((await outcomeOf(org, reader)).unknown).toEqual([]);
  expect((await outcomeOf(org, native)).unknown).toEqual([]);
  const uuid = '1de4b189-115e-45f6-b44e-509352269977';
  const [one, two] = [
    await org.asset({ tags: [['ble', `${uuid}-1-11`]] }),
    await org.asset({ tags: [['ble', `${uuid}-11-1`]] }),
  ];
  await send(programmed, native.publish_topic, {
    reads: [{ value: '1DE4B189115E45F6B44E509352269977-11-1', tag_type: 'ble' }],
  });
  expect((await org.positions()).map(({ asset_id }) => asset_id)).not.toContain(one);
  expect((await org.positions()).map(({ asset_id }) => asset_id)).toContain(two);
  // The chip's other values stay as different as they are.
  await org.asset({ tags: [['rfid', 'A-1-11']] });
  await send(programmed, native.publish_topic, { reads: [{ value: 'A-11-1' }] });
  expect((await outcomeOf(org, native)).unknown).toEqual(['rfid A-11-1']);
});
