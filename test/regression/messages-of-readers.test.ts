import { describe, expect, it } from 'vitest';
import type { Mapping, ReaderFormat, TagRead } from '../../server/index.js';
import { rejected, status, understand } from '../ingest-broker/formats/understand.js';

// Messages that were misread: as firmware, its documentation and scripts of users write them, with made-up identifiers. The sources are named where
// one make sends it; all others are public scripts of many users.

const epc = 'E2801190A503006543E21224';
const mac = 'D8A01D556601';
const address = 'D8:A0:1D:55:66:01';
const gateway = 'AA:BB:CC:00:00:01';
const atMs = Date.parse('2026-11-25T16:36:23Z');
const at = new Date(atMs).toISOString();

const rfid = { value: 'epc', antenna: 'ant', rssi: 'rssi', time: 't', time_unit: 'rfc3339', tag_type: 'rfid' } as const;
const ble = { value: 'mac', rssi: 'rssi', time: 't', time_unit: 'ms', tag_type: 'ble' } as const;

const mapped = (mapping: Mapping, payload: object | string) => understand('mapped', payload, { mapping });
const read = (...reads: Partial<TagRead>[]) => ({ kind: 'reads', reads });

describe('a count of time has the unit that its magnitude shows', () => {
  it.each<[ReaderFormat, object]>([
    // MOKO's gateways of the MKGW series differ by firmware: seconds beside `timezone`, or milliseconds.
    ['moko_mk107', { msg_id: 3070, device_info: {}, data: [{ timestamp: atMs / 1000, mac, rssi: -58 }] }],
    ['moko_mk107', { msg_id: 3070, device_info: {}, data: [{ timestamp: atMs, mac, rssi: -58 }] }],
    ['gl_s10', { dev_list: [{ mac, rssi: -58, ts: atMs / 1000 }] }],
    [
      'cassia',
      { action: 'data.scan', data: [{ bdaddrs: [{ bdaddr: address }], rssi: -58, timestamp: String(atMs / 1000) }] },
    ],
    ['csl_cs463', { rfidReaderName: 'r', tags: [{ epc: mac, rssi: '-58', timeStampOfRead: atMs }] }],
    ['csl_cs463', { rfidReaderName: 'r', tags: [{ epc: mac, rssi: '-58', timeOfRead: at }] }],
    ['minew_g1', [{ timestamp: atMs, type: 'iBeacon', mac, rssi: -58 }]],
    // Impinj's Speedway Connect, whose successor SmartReader is, writes a date (support.impinj.com, Data Integration).
    ['smartreader', { reader_name: 'r', tag_reads: [{ epc: mac, peakRssi: -58, firstSeenTimestamp: at }] }],
  ])('%s: %j', (format, payload) => {
    expect(understand(format, payload)).toMatchObject(read({ value: mac, rssiDbm: -58, observedAtMs: atMs }));
  });

  it.each(['s', 'ms', 'us', 'rfc3339'] as const)('in a mapping with the time format %s', (time_unit) => {
    for (const t of [atMs / 1000, atMs, atMs * 1000, atMs * 1_000_000, `${atMs / 1000}`, at, at.replace('.', ',')]) {
      expect([t, mapped({ ...rfid, time_unit }, { epc, t })]).toMatchObject([t, read({ observedAtMs: atMs })]);
    }
  });
});

describe('levels', () => {
  // Levels as unsigned bytes, and 127 for a level that the radio does not know (Bluetooth Core, LE Advertising Report).
  it.each([200, 127, 56, '56'])('%j is no level, and the read counts', (rssi) => {
    expect(understand('gl_s10', { dev_list: [{ mac, rssi, ts: atMs }] })).toMatchObject(
      read({ value: mac, rssiDbm: null }),
    );
    expect(mapped(ble, { mac: address, rssi })).toMatchObject(read({ value: mac, rssiDbm: null }));
    expect(mapped(rfid, { epc, rssi })).toMatchObject(read({ value: epc, rssiDbm: null }));
  });

  it('may have the unit dB', () => {
    expect(mapped(rfid, { epc, rssi: '-56 dB' })).toMatchObject(read({ rssiDbm: -56 }));
  });
});

it('a level in another unit and an antenna with a name are reported as missing', () => {
  // Intel's RSP controller sends tenths of a dBm.
  expect(mapped(rfid, { epc, rssi: -567, ant: 'dock', t: at })).toMatchObject({ missing: ['antenna', 'rssi'] });
});

describe('antennas', () => {
  it.each([['ANT3'], ['Antenna 3'], ['ant-3'], ['Port_3'], ['03']])('%j is antenna 3', (ant) => {
    expect(mapped(rfid, { epc, ant })).toMatchObject(read({ antenna: 3 }));
  });
});

describe('identifiers', () => {
  it.each([
    // `str(tag.epc)` of ThingMagic's library for Python.
    [`b'${epc}'`],
    [`"${epc}"`],
    // GS1 Tag Data Standard, raw EPC URI.
    [`urn:epc:raw:96.x${epc}`],
  ])('%s is read without what is around it', (value) => {
    expect(mapped(rfid, { epc: value })).toMatchObject(read({ value: epc }));
  });

  it('keep their leading zeros where a script prints them as a number', () => {
    expect(mapped(rfid, '{"epc":0012345678,"rssi":-056,"ant":02}')).toMatchObject(
      read({ value: '0012345678', rssiDbm: -56, antenna: 2 }),
    );
  });

  it.each([['NO TAG'], ['none'], ['NoRead'], ['0'], ['0x00000000']])('%j stands for none', (value) => {
    expect(mapped(rfid, { epc: value })).toEqual(status);
  });

  it('are one in each line of a text', () => {
    expect(understand('text', `${epc} ${epc.replace('E2', 'E3')}`)).toEqual(rejected);
    expect(understand('text', `b'${epc}'\r\n"5567232D"`)).toMatchObject(read({ value: epc }, { value: '5567232D' }));
  });

  it('of Impinj readers may be hexadecimal where the reader sends base64', () => {
    const event = { epc, antennaPort: 1 };
    expect(understand('impinj_iot', { timestamp: at, tagInventoryEvent: event })).toMatchObject(read({ value: epc }));
  });

  it('of beacons include major and minor, with hyphens or without (OpenMQTTGateway, UUID as topic)', () => {
    const uuid = '1de4b189115e45f6b44e509352269977';
    const id = '1de4b189-115e-45f6-b44e-509352269977';
    expect(understand('theengs', { id, uuid, major: 0, minor: 1, rssi: -60 })).toMatchObject(
      read({ value: `${uuid.toUpperCase()}-0-1` }),
    );
  });
});

it('a report of an Impinj reader that was held back has the time of the read', () => {
  const event = { epcHex: epc, antennaPort: 1, lastSeenTime: at };
  const message = { timestamp: '2026-11-25T16:37:23Z', eventType: 'tagInventory', tagInventoryEvent: event };
  expect(understand('impinj_iot', message)).toMatchObject(read({ observedAtMs: atMs }));
});

describe('what another make sends is no status', () => {
  const tags: Record<string, unknown>[] = [
    { tag: '7' },
    { tags: [epc] },
    { badge: '0012345678' },
    { beacon: mac },
    { transponder: '900123000000001' },
    { code: epc },
    { data: epc },
    { device: address },
    { read: { id: epc } },
    { items: [{ mac }] },
  ];
  it.each([
    { readerName: 'dock', status: 'IN' },
    { component: 'gate', eventType: 'TAG_READ', data: {} },
    { type: 'heartbeat', timestamp: at, data: {} },
    { state: 'online' },
    { uptime: 5, ip: '192.0.2.1' },
    { Time: '2026-11-25T10:00:00', Uptime: '1T' },
    { msg_id: 3010, device_info: { mac }, data: {} },
    { method: 'NotifyStatus', src: 's', params: {} },
    { action: 'data.notification', gateway },
  ])('beside %j', (message) => {
    expect(understand('auto', message)).toEqual(status);
    for (const tag of tags) {
      expect([tag, understand('auto', { ...message, ...tag })]).toEqual([tag, rejected]);
    }
  });

  it('in an event of a script on a Shelly device', () => {
    const event = { component: 'script:1', id: 1, event: 'beacon', data: { mac: address, name: 'cart' } };
    const message = { src: 's', dst: 's/events', method: 'NotifyEvent', params: { events: [event] } };
    expect(understand('shelly', message)).toEqual(rejected);
  });
});

describe('what the scripts of Shelly publish (`ALLTERCO/shelly-script-examples`)', () => {
  const measured = { encryption: false, BTHome_version: 2, pid: 6, battery: 70, temperature: 21.5 };
  const device = { addr: address.toLowerCase(), rssi: -60, local_name: '' };
  const found = { value: mac, rssiDbm: -60, telemetry: { battery: 70, temperature: 21.5 } };
  const notify = (method: string, params: object) => ({ src: 's', dst: 's/events', method, params });
  it.each<[string, object, Partial<TagRead>]>([
    ['universal-blu-to-mqtt', { ...device, service_data: measured }, { ...found, observedAtMs: null }],
    [
      'blu-gateway-bthome-to-mqtt',
      notify('NotifyStatus', { ts: atMs / 1000, blu: { 'sensor-d8a01d556601': { ...device, ...measured } } }),
      { ...found, observedAtMs: atMs },
    ],
    [
      'blu-gateway-bthome-to-mqtt, with scans, before its clock is set',
      notify('NotifyEvent', {
        ts: 0,
        events: [{ component: 'blu', event: 'scan_result', ts: 0, data: { ...device, service_data: measured } }],
      }),
      { ...found, observedAtMs: null },
    ],
  ])('%s', (_, message, expected) => {
    expect(understand('shelly', message)).toMatchObject(read(expected));
    expect(understand('auto', message)).toMatchObject(read(expected));
  });

  it('a button that is pressed has no level, and is no read', () => {
    const data = { device: 'button1-d8a01d556601', value: 1, event: 'press' };
    const message = notify('NotifyEvent', { ts: 1, events: [{ component: 'blu', event: 'button', ts: 1, data }] });
    expect(understand('shelly', message)).toEqual(status);
  });
});

it('the state of an input of a Zebra reader is no read (`ZebraDevs/RFID_ZIOTC_Examples`, GPI-Message)', () => {
  expect(understand('zebra_iotc', { pin: 1, state: 'LOW' })).toEqual(status);
  expect(understand('auto', { pin: 2, state: 'HIGH' })).toEqual(status);
  expect(understand('auto', { pin: 2, state: 'HIGH', tag: '7' })).toEqual(rejected);
});

it('the level of the network of a Shelly device is no read', () => {
  const params = { ts: atMs / 1000, wifi: { status: 'got ip', rssi: -60 } };
  expect(understand('shelly', { src: 's', dst: 's/events', method: 'NotifyStatus', params })).toEqual(status);
});

describe('a gateway’s own address is no tag', () => {
  it.each([
    { id: gateway, mac: address, rssi: -60 },
    { mac: gateway, type: 'scan', timestamp: at, rssi: -60, device: address },
    { id: gateway, rssi: -60, heap: 23_000, fw: '1.2' },
  ])('%j', (message) => {
    expect(understand('auto', message)).toEqual(rejected);
  });

  it('nor is the one at the end of its topic', () => {
    const message = { gw_mac: gateway, rssi: -60, data: '0201061BFF9904' };
    expect(understand('ruuvi', message, { topic: `gateways/${gateway}` })).toEqual(rejected);
    expect(understand('auto', message, { topic: 'gateways/aabbcc000001' })).toEqual(rejected);
  });

  it('beside an address that is named as the gateway’s, the other one is the tag’s', () => {
    const message = { gateway, mac: address, type: 'iBeacon', timestamp: at, rssi: -60 };
    expect(understand('auto', message)).toMatchObject(read({ value: mac }));
  });
});

describe('a message inside another one as text', () => {
  const message = { reads: [{ value: epc, rssi_dbm: -56 }] };

  it('is read where a script has encoded it twice', () => {
    expect(understand('native', JSON.stringify(JSON.stringify(message)))).toMatchObject(read({ value: epc }));
  });

  it('can be mapped (EMQX, republish action without a payload template)', () => {
    const mapping: Mapping = {
      list: 'payload.reads',
      value: 'value',
      rssi: 'rssi_dbm',
      time_unit: 's',
      tag_type: 'rfid',
    };
    const wrapped = { topic: 'a/b', qos: 1, payload: JSON.stringify(message) };
    expect(mapped(mapping, wrapped)).toMatchObject(read({ value: epc, rssiDbm: -56 }));
    expect(understand('auto', wrapped)).toEqual(rejected);
  });

  it('is not taken apart where a barcode holds it', () => {
    const mapping: Mapping = { value: 'code', time_unit: 's', tag_type: 'barcode' };
    expect(mapped(mapping, { code: '{"id":5}' })).toMatchObject(read({ value: '{"id":5}' }));
  });
});

it('a mapped message of the type TagLost is no read', () => {
  expect(mapped(rfid, { epc, type: 'TagLost' })).toEqual(status);
});
