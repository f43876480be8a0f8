import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReaderFormat } from '../../../server/index.js';
import { type BrokerWorld, sharedBrokerWorld } from '../../support/mqtt.js';

// Messages of the devices that the formats are for, over a real connection: what they read is stored with location, antenna,
// strength and time, and what is no read marks the reader as alive.

let world: BrokerWorld;

beforeAll(async () => {
  world = await sharedBrokerWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

const epc = 'E2801190A503006543E21224';
const beacon = 'C8252D8E9C2C';

type Device = {
  format: ReaderFormat;
  /** Where the device publishes by habit; `+` stands for what differs from one device to the next. */
  topic: string;
  publishesTo?: string;
  tag: 'rfid' | 'ble';
  /** A message that reads the tag at an instant. */
  read: (at: Date) => unknown;
  antenna: number;
  rssi: number | null;
  /** Whether the message says when. */
  isTimed: boolean;
  /** A message without any read. */
  status: unknown;
};

const withOffset = (at: Date) => new Date(at.getTime() + 7_200_000).toISOString().replace('Z', '+0200');

const devices: Device[] = [
  {
    format: 'native',
    topic: 'programmed',
    tag: 'rfid',
    antenna: 2,
    rssi: -48,
    isTimed: true,
    read: (at) => ({ reads: [{ value: epc, antenna: 2, rssi_dbm: -48, observed_at: at.toISOString() }] }),
    status: { reads: [] },
  },
  {
    format: 'csl_cs463',
    topic: 'site/reader/reads',
    tag: 'rfid',
    antenna: 1,
    rssi: -56,
    isTimed: true,
    read: (at) => ({
      sequenceNumber: 0,
      rfidReaderName: 'r1',
      numberOfTags: 1,
      tags: [{ epc, timeStampOfRead: at.getTime() * 1000 + 999, timeZone: '-6:00', antennaPort: 1, rssi: '-56' }],
    }),
    status: { sequenceNumber: 1, rfidReaderName: 'r1', numberOfTags: 0, tags: [] },
  },
  {
    format: 'zebra_iotc',
    topic: 'zebra/tags',
    tag: 'rfid',
    antenna: 1,
    rssi: -41,
    isTimed: true,
    read: (at) => ({
      type: 'SIMPLE',
      timestamp: withOffset(at),
      data: { eventNum: 7, format: 'epc', idHex: epc.toLowerCase(), peakRssi: -41, reads: 3 },
    }),
    status: { type: 'heartbeat', timestamp: '2026-05-01T10:00:00.125+0000', data: { uptime: 5 } },
  },
  {
    format: 'impinj_iot',
    topic: 'impinj/events',
    tag: 'rfid',
    antenna: 3,
    rssi: -56.5,
    isTimed: true,
    read: (at) => ({
      timestamp: at.toISOString().replace('Z', '456789Z'),
      hostname: 'impinj-1',
      eventType: 'tagInventory',
      tagInventoryEvent: { epc: '4oARkKUDAGVD4hIk', antennaPort: 3, peakRssiCdbm: -5650 },
    }),
    status: { timestamp: '2026-05-01T10:00:00Z', eventType: 'inventoryStatus', inventoryStatusEvent: {} },
  },
  {
    format: 'smartreader',
    topic: 'smartreader/+',
    publishesTo: 'smartreader/r1',
    tag: 'rfid',
    antenna: 3,
    rssi: -61.5,
    isTimed: true,
    read: (at) => ({
      readerName: 'r1',
      tag_reads: [{ epc, antennaPort: 3, peakRssi: -61.5, firstSeenTimestamp: at.getTime() * 1000 }],
    }),
    status: { readerName: 'r1', status: 'running' },
  },
  {
    format: 'gl_s10',
    topic: 'gl',
    tag: 'ble',
    antenna: 1,
    rssi: -57,
    isTimed: true,
    read: (at) => ({ dev_id: 'g1', dev_list: [{ mac: beacon, rssi: -57, ts: at.getTime(), ad: '0201061A' }] }),
    status: { dev_id: 'g1', dev_list: [] },
  },
  {
    format: 'moko_mk107',
    topic: 'moko/+/send',
    publishesTo: 'moko/40/send',
    tag: 'ble',
    antenna: 1,
    rssi: -58,
    isTimed: false,
    read: () => ({
      msg_id: 3004,
      device_info: { mac: '409151A65C96' },
      data: [{ type: 1, value: { mac: beacon, rssi: -58, timestamp: '2026-6-8&21:43:48+00' } }],
    }),
    status: { msg_id: 3003, device_info: {}, data: { net_state: 1 } },
  },
  {
    format: 'minew_g1',
    topic: '/gw/+/status',
    publishesTo: '/gw/AC233FC005D8/status',
    tag: 'ble',
    antenna: 1,
    rssi: -79,
    isTimed: true,
    read: (at) => [
      { timestamp: at.toISOString(), type: 'Gateway', mac: 'AC233FC005D8', gatewayLoad: 0.24 },
      { timestamp: at.toISOString(), type: 'iBeacon', mac: beacon, rssi: -79 },
    ],
    status: [{ timestamp: '2026-05-01T10:00:00Z', type: 'Gateway', mac: 'AC233FC005D8' }],
  },
  {
    format: 'ruuvi',
    topic: 'ruuvi/+/+',
    publishesTo: 'ruuvi/DE:AD:BE:EF:00:00/C8:25:2D:8E:9C:2C',
    tag: 'ble',
    antenna: 1,
    rssi: -83,
    isTimed: true,
    read: (at) => ({
      gw_mac: 'DE:AD:BE:EF:00:00',
      rssi: -83,
      gwts: '1659365438',
      ts: String(at.getTime() / 1000),
      data: '0201061BFF9904',
      coords: '',
    }),
    status: { gw_mac: 'DE:AD:BE:EF:00:00', state: 'online' },
  },
  {
    format: 'theengs',
    topic: 'home/+/BTtoMQTT/+',
    publishesTo: 'home/gw/BTtoMQTT/C8252D8E9C2C',
    tag: 'ble',
    antenna: 1,
    rssi: -79,
    isTimed: false,
    read: () => ({ id: 'C8:25:2d:8e:9c:2c', mac_type: 1, rssi: -79, model_id: 'IBEACON' }),
    status: { uptime: 5, version: '1.8', freemem: 100 },
  },
];

it.each(devices.flatMap((device) => [device, { ...device, set: 'auto' as const }]))(
  'a device of $format is understood, set to $set',
  async ({ set, ...device }: Device & { set?: 'auto' }) => {
    const org = await world.organization();
    const dock = await org.location();
    const value = device.tag === 'rfid' ? epc : beacon;
    const asset = await org.asset({ tags: [[device.tag, value]] });
    const reader = await org.reader({
      format: set ?? device.format,
      location_id: dock,
      publish_topic: device.topic,
    });
    const client = await world.connect(reader);
    const topic = device.publishesTo ?? device.topic;
    const alive = async () => (await org.admin.readers.list()).data[0]?.last_message_at ?? null;
    expect(await alive()).toBeNull();
    // A heartbeat is not stored while something else about the reader is stored.
    const report = () => client.publishAsync(topic, JSON.stringify(device.status), { qos: 1 });
    await expect.poll(() => report().then(alive)).not.toBeNull();
    expect(await org.events()).toEqual([]);

    // Whole seconds, as some devices know no finer ones.
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 5000);
    await client.publishAsync(topic, JSON.stringify(device.read(at)), { qos: 1 });
    const events = await org.events();
    expect(events).toMatchObject([
      { asset_id: asset, location_id: dock, reader_id: reader.id, antenna: device.antenna, rssi_dbm: device.rssi },
    ]);
    if (device.isTimed) expect(events[0]?.at).toBe(at.toISOString());
    else expect(Math.abs(Date.parse(events[0]?.at ?? '') - Date.now())).toBeLessThan(60_000);
    expect((await org.admin.scans.rejectedMessages()).data).toEqual([]);
  },
);

it('what is no read on another topic is a sign that the reader is alive, and on its reads topic a rejection', async () => {
  const org = await world.organization();
  const reader = await org.reader({ format: 'zebra_iotc', publish_topic: 'site/+' });
  const client = await world.connect(reader);
  const alive = async () => (await org.admin.readers.list()).data[0]?.last_message_at ?? null;
  const report = async () => {
    await client.publishAsync(`readers/${reader.mqtt_username}/state`, 'online', { qos: 1 });
    await client.publishAsync(`readers/${reader.mqtt_username}/state`, '{"anything":1}', { qos: 1 });
  };
  await expect.poll(() => report().then(alive)).not.toBeNull();
  expect((await org.admin.scans.rejectedMessages()).data).toEqual([]);
  await client.publishAsync('site/reads', 'online', { qos: 1 });
  await client.publishAsync('site/reads', '{"anything":1}', { qos: 1 });
  expect((await org.admin.scans.rejectedMessages()).data.map(({ reason }) => reason).toSorted()).toEqual([
    'the payload has none of the fields expected',
    'the payload is text, not JSON',
  ]);
});

it('what a reader has kept while it was disconnected is stored by when it was read, in one burst', async () => {
  const org = await world.organization();
  const dock = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ format: 'impinj_iot', location_id: dock, resolution_seconds: 0 });
  const options = { clean: false, clientId: 'impinj-14-46-36-with-an-id-of-more-than-23-characters' };
  await (await world.connect(reader, options)).endAsync();
  const client = await world.connect(reader, options);
  const count = 500;
  const firstMs = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
  const at = (index: number) => new Date(firstMs + index * 1000).toISOString();
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.publishAsync(
        reader.publish_topic,
        JSON.stringify({
          timestamp: at(index),
          eventType: 'tagInventory',
          tagInventoryEvent: { epcHex: epc, antennaPort: 1, peakRssiCdbm: -5000 },
        }),
        { qos: 1 },
      ),
    ),
  );
  const events = await org.events(asset);
  expect(events.map((event) => event.at)).toEqual(Array.from({ length: count }, (_, index) => at(index)));
});
