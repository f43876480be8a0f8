import { afterAll, describe, expect, it } from 'vitest';
import type { Mapping, ReaderFormat } from '../../../server/index.js';
import { sharedBrokerWorld } from '../../support/mqtt.js';
import { bytesOf, isHeartbeat, messageOf, outcomeOf, send } from './playing.js';

// Messages that devices in wide use send, as their firmware, their manuals and their users show them, with made-up
// identifiers. Each is read, or visibly rejected, or a heartbeat because the vendor says so.

const world = await sharedBrokerWorld();
afterAll(() => world[Symbol.asyncDispose]());

type Case = {
  format: ReaderFormat;
  /** A file of `cases`, or a message. */
  file?: string;
  payload?: unknown;
  topic?: string;
  mapping?: Omit<Mapping, 'tag_type' | 'time_unit'> & Partial<Mapping>;
};

/** Sends a message to a reader of its own organization, and returns what became of it. */
async function outcomeOfMessage({ format, file, payload, topic, mapping }: Case) {
  const org = await world.organization();
  const { tag_type = 'rfid', time_unit = 'rfc3339', ...paths } = mapping ?? {};
  const reader = await org.reader({
    format,
    count_private_addresses: false,
    ...(topic && { publish_topic: topic }),
    ...(mapping && { mapping: paths, tag_type, time_unit }),
  });
  const client = await world.connect(reader);
  await send(client, (topic ?? reader.publish_topic).replaceAll('+', 'x'), file ? messageOf(file) : payload);
  await client.endAsync();
  return outcomeOf(org, reader);
}

const read = (...unknown: string[]) => ({ unknown, rejected: [] });
const rejectedAs = (reason: unknown) => ({ unknown: [], rejected: [reason] });
const nothingExpected = 'the payload has none of the fields expected';
const at = () => new Date().toISOString();

describe('no message is lost in silence', () => {
  const lines = messageOf('29-more-that-automatic-takes-for-heartbeats.jsonl').toString().trim().split('\n');
  it.each<[string, Case, object]>([
    ['MOKO, 3070', { format: 'moko_mk107', file: '01-moko-mkgw-scan.json' }, read('ble D8A01D556601')],
    ['MOKO, 3070, detected', { format: 'auto', file: '01-moko-mkgw-scan.json' }, read('ble D8A01D556601')],
    ['MOKO, network state', { format: 'moko_mk107', file: '02-moko-mkgw-network-state.json' }, isHeartbeat],
    ['MOKO, network state, detected', { format: 'auto', file: '02-moko-mkgw-network-state.json' }, isHeartbeat],
    ['SmartReader keepalive', { format: 'smartreader', file: '03-smartreader-heartbeat.json' }, isHeartbeat],
    ['SmartReader keepalive, detected', { format: 'auto', file: '03-smartreader-heartbeat.json' }, isHeartbeat],
    [
      'Zebra sled',
      { format: 'zebra_iotc', file: '08-zebra-handheld-data-event.json', topic: 'tenant/DATA/clients/data1event/+' },
      read('barcode ITEM-1', 'rfid 303402420000000000000801'),
    ],
    [
      'Zebra sled, detected',
      { format: 'auto', file: '08-zebra-handheld-data-event.json', topic: 'tenant/DATA/clients/data1event/+' },
      read('barcode ITEM-1', 'rfid 303402420000000000000801'),
    ],
    ['Cassia, detected', { format: 'auto', file: '09-cassia-scan.json', topic: 'up/x/scan' }, read('ble D8A01D550901')],
    ['April Brother, detected', { format: 'auto', file: '10-april-brother.json' }, read('ble D8A01D551002')],
    [
      'April Brother in MessagePack, detected',
      { format: 'auto', file: '10b-april-brother.msgpack' },
      rejectedAs('the payload is binary (MessagePack), not JSON'),
    ],
    ['April Brother', { format: 'april_brother', file: '10b-april-brother.msgpack' }, read('ble D8A01D551001')],
    [
      'esp-rfid, detected',
      { format: 'auto', file: '11-esp-rfid.json', topic: 'rfid/send' },
      rejectedAs(nothingExpected),
    ],
    ['esp-rfid', { format: 'esp_rfid', file: '11-esp-rfid.json', topic: 'rfid/send' }, read('rfid F9C2F720')],
    ['an EPC with a time', { format: 'auto', file: '11b-epc-and-timestamp.json' }, rejectedAs(nothingExpected)],
    [
      'ESPresense',
      { format: 'auto', file: '12-espresense-beacon.json', topic: 'espresense/devices/x/kitchen' },
      read('ble 1DE4B189115E45F6B44E509352269977-0-1'),
    ],
    [
      'a UUID as id, detected',
      { format: 'auto', file: '12b-openmqttgateway-uuid-as-id.json', topic: 'home/omg/BTtoMQTT/x' },
      read('ble 1DE4B189115E45F6B44E509352269977-0-1'),
    ],
    [
      'a UUID as id',
      { format: 'theengs', file: '12b-openmqttgateway-uuid-as-id.json', topic: 'home/omg/BTtoMQTT/x' },
      read('ble 1DE4B189115E45F6B44E509352269977-0-1'),
    ],
    ...lines.map((line): [string, Case, object] => {
      const { from, payload } = JSON.parse(line) as { from: string; payload: unknown };
      return [from, { format: 'auto', payload }, rejectedAs(nothingExpected)];
    }),
    // Of other makes: fields of several vendors, but of none of them together.
    [
      'a tag beside the status of a reader',
      { format: 'auto', payload: { status: 'ok', timestamp: at(), tag: 'E280' } },
      rejectedAs(nothingExpected),
    ],
    [
      'a list of another vendor',
      {
        format: 'auto',
        payload: { mac: 'AABBCCDDEE01', type: 'scan', beacons: [{ addr: 'D8A01D556601', rssi: -60 }] },
      },
      rejectedAs(nothingExpected),
    ],
    [
      'a reader with its own address',
      { format: 'auto', payload: { type: 'tag', mac: 'A020A6000003', timestamp: at(), rssi: -45, epc: 'E280119' } },
      rejectedAs(nothingExpected),
    ],
    [
      'a gateway with a list of devices',
      { format: 'auto', payload: { id: 'A020A6000004', rssi: -60, found: [{ addr: 'D8A01D556601', level: -70 }] } },
      rejectedAs(nothingExpected),
    ],
    [
      'tags whose antenna and time have other names',
      { format: 'auto', payload: { reader: 'r', tags: [{ epc: 'E280119', antenna: 3, rssi: -50, timestamp: at() }] } },
      rejectedAs(nothingExpected),
    ],
    [
      'a tracker without a level',
      { format: 'auto', payload: { id: 'A0:20:A6:00:00:05', confidence: '100', type: 'KNOWN_MAC' } },
      rejectedAs(nothingExpected),
    ],
    [
      'a heartbeat that has a tag',
      { format: 'zebra_iotc', payload: { type: 'heartbeat', timestamp: at(), data: { epc: 'E280119', rssi: -50 } } },
      rejectedAs(nothingExpected),
    ],
    [
      'a message of MOKO with an unknown list',
      {
        format: 'moko_mk107',
        payload: { msg_id: 3071, device_info: { mac: 'AABBCCDDEE01' }, data: [{ mac: 'D8A01D556601', rssi: -50 }] },
      },
      rejectedAs(nothingExpected),
    ],
    [
      'a reader with a name and a card',
      { format: 'auto', payload: { readerName: 'r1', card: '12345678', status: 'ok', uid: '5567232D' } },
      rejectedAs(nothingExpected),
    ],
  ])('%s', async (_, message, expected) => {
    expect(await outcomeOfMessage(message)).toMatchObject(expected);
  });
});

describe('what says that nothing is there is no read', () => {
  it.each<[string, Case]>([
    [
      'all zeros',
      { format: 'csl_cs463', payload: { rfidReaderName: 'r', tags: [{ epc: '0'.repeat(24), rssi: '-50' }] } },
    ],
    ['all F', { format: 'zebra_iotc', payload: { type: 'SIMPLE', timestamp: at(), data: { idHex: 'f'.repeat(24) } } }],
    [
      'a beacon at 0 dBm',
      { format: 'minew_g1', payload: [{ type: 'iBeacon', timestamp: at(), mac: 'D8A01D556602', rssi: 0 }] },
    ],
    ['a beacon without a level', { format: 'gl_s10', payload: { dev_id: 'g', dev_list: [{ mac: 'D8A01D556603' }] } }],
    [
      'Tasmota, older',
      { format: 'tasmota', payload: { Time: '2026-11-25T17:37:00', IBEACON_D8A01D556604: { RSSI: 0 } } },
    ],
    [
      'a tag that Theengs has lost',
      { format: 'theengs', payload: { id: 'D8:A0:1D:55:04:B1', presence: 'absent', rssi: -90 } },
    ],
    [
      'a card that was taken away',
      { format: 'mapped', payload: { TagId: '5567232D', Move: 'Remove' }, mapping: { value: 'TagId' } },
    ],
    [
      'a board’s own level, detected',
      { format: 'auto', payload: { id: 'A0:20:A6:00:00:01', ip: '192.0.2.5', rssi: -61, uptime: 123 } },
    ],
    [
      'a network of Tasmota',
      { format: 'tasmota', payload: { Time: 'x', Uptime: '1', Wifi: { mac: 'D8A01D550614', SSId: 'x', RSSI: -60 } } },
    ],
    [
      'an event in the object of the tag',
      { format: 'mapped', payload: { tag: { epc: 'E280119', event: 'departed' } }, mapping: { value: 'tag.epc' } },
    ],
    [
      'a key of a keypad',
      { format: 'tasmota', payload: { Time: '2026-11-25T17:37:00', Wiegand: { UID: 7, Size: 4 } } },
    ],
    [
      'status of a reader with older firmware',
      { format: 'impinj_iot', payload: { timestamp: at(), inventoryStatusEvent: {} } },
    ],
    ['a list of Theengs that is empty', { format: 'auto', payload: { id: 'D8:A0:1D:55:04:B1', presence: 'absent' } }],
  ])('%s', async (_, message) => {
    expect(await outcomeOfMessage(message)).toMatchObject(isHeartbeat);
  });

  it('a card on a desk reader is read, and its removal is not', async () => {
    const [insert = '', remove = ''] = messageOf('04c-removal-event.jsonl').toString().trim().split('\n');
    const mapping = { value: 'TagId' };
    expect(await outcomeOfMessage({ format: 'mapped', payload: insert, mapping })).toMatchObject(read('rfid 5567232E'));
    expect(await outcomeOfMessage({ format: 'mapped', payload: remove, mapping })).toMatchObject(isHeartbeat);
    const isInsert = { value: 'TagId', condition: "Move == 'Insert'" };
    expect(await outcomeOfMessage({ format: 'mapped', payload: remove, mapping: isInsert })).toMatchObject(isHeartbeat);
  });

  it('a reader without a level may send 0 for it', async () => {
    const payload = { rfidReaderName: 'r', tags: [{ epc: 'E280119', rssi: '0' }] };
    expect(await outcomeOfMessage({ format: 'csl_cs463', payload })).toMatchObject(read('rfid E280119'));
  });
});

describe('one broken text costs nothing else', () => {
  const scan = (item: string) =>
    `{"dev_id":"g","dev_list":[{"mac":"D8A01D551401","rssi":-57},${item},{"mac":"D8A01D551403","rssi":-59}]}`;
  it.each<[string, Case, object]>([
    [
      'bytes that are no UTF-8',
      { format: 'minew_g1', file: '14-name-not-utf8.bin' },
      read('ble D8A01D5514B1', 'ble D8A01D5514B2'),
    ],
    [
      'the same, detected',
      { format: 'auto', file: '14-name-not-utf8.bin' },
      read('ble D8A01D5514B1', 'ble D8A01D5514B2'),
    ],
    [
      'a control character',
      { format: 'moko_mk107', file: '14b-name-with-control-character.bin' },
      read('ble D8A01D5514B3', 'ble D8A01D5514B4'),
    ],
    [
      'NaN',
      { format: 'native', file: '16-nan.txt' },
      read('rfid E28011900000000000001601', 'rfid E28011900000000000001602'),
    ],
    ['NUL at the end', { format: 'zebra_iotc', file: '18-heartbeat-with-nul.bin' }, isHeartbeat],
    [
      'quotes in a name',
      { format: 'gl_s10', payload: scan('{"mac":"D8A01D551402","name":"Bob\'s "12" TV","rssi":-58}') },
      read('ble D8A01D551401', 'ble D8A01D551402', 'ble D8A01D551403'),
    ],
    [
      'bytes that are no UTF-8 in a list',
      { format: 'gl_s10', payload: Buffer.from(scan('{"mac":"D8A01D551402","name":"K\xfcche","rssi":-58}'), 'latin1') },
      read('ble D8A01D551401', 'ble D8A01D551402', 'ble D8A01D551403'),
    ],
    [
      'an item without sense',
      { format: 'gl_s10', payload: scan('{"mac":"D8A01D551402","rssi":-5-8}') },
      {
        unknown: ['ble D8A01D551401', 'ble D8A01D551403'],
        rejected: [expect.stringMatching(/^dev_list\[1\] could not be read: error at offset \d+$/)],
      },
    ],
    [
      'an item that is cut off',
      { format: 'gl_s10', payload: scan('').slice(0, -25) },
      { unknown: ['ble D8A01D551401'], rejected: [expect.stringContaining('dev_list[1] could not be read')] },
    ],
    [
      'an infinite level',
      { format: 'native', payload: '{"reads":[{"value":"E2801","rssi_dbm":-Infinity}]}' },
      read('rfid E2801'),
    ],
    [
      'gzip',
      { format: 'auto', payload: Buffer.from('1f8b08000000000000030300000000000000', 'hex') },
      rejectedAs('the payload is binary (gzip), not JSON'),
    ],
    [
      'CBOR',
      { format: 'auto', payload: Buffer.from('a163657063634e2801', 'hex') },
      rejectedAs('the payload is binary (CBOR), not JSON'),
    ],
    [
      'a packet that begins as CBOR may',
      { format: 'auto', payload: Buffer.from('bb02000000000030', 'hex') },
      rejectedAs('the payload is binary (of an unknown format), not JSON'),
    ],
    ['text', { format: 'auto', payload: 'online' }, rejectedAs('the payload is text, not JSON')],
    [
      'broken JSON',
      { format: 'auto', payload: '{"reads":x}' },
      rejectedAs('the payload is not valid JSON: error at offset 9'),
    ],
    ['nothing', { format: 'auto', payload: '' }, isHeartbeat],
    [
      'deep nesting',
      { format: 'native', payload: `{"reads":${'['.repeat(250)}${']'.repeat(250)}}` },
      rejectedAs('the payload is nested deeper than 200 levels'),
    ],
  ])('%s', async (_, message, expected) => {
    expect(await outcomeOfMessage(message)).toMatchObject(expected);
  });
});

describe('mappings', () => {
  const cassia = {
    list: 'data',
    value: 'bdaddrs[0].bdaddr',
    rssi: 'rssi',
    time: '$.timestamp',
    time_unit: 'ms',
    tag_type: 'ble',
  } as const;
  const rows = { list: 'devices', value: '[1]', rssi: '[2]', tag_type: 'ble' } as const;
  const keyed = {
    list: "items(BLEDevices)[?type([1]) == 'object']",
    value: '[0]',
    rssi: '[1].r',
    tag_type: 'ble',
  } as const;
  const sled = { list: 'data.tagData', value: 'EPCid', rssi: 'peakRssi', time: '$.timestamp' };
  it.each<[string, Case, object]>([
    [
      'reach list indexes',
      { format: 'mapped', file: '09-cassia-scan.json', topic: 'up/x/scan', mapping: cassia },
      read('ble D8A01D550901'),
    ],
    [
      'reach rows that are arrays',
      { format: 'mapped', file: '10-april-brother.json', mapping: rows },
      read('ble D8A01D551002'),
    ],
    [
      'reach objects keyed by address',
      { format: 'mapped', file: '28-keyed-by-address.json', mapping: keyed },
      read('ble D8A01D552801', 'ble E8D03CBA0001'),
    ],
    [
      'reach values beside the list',
      { format: 'mapped', file: '08-zebra-handheld-data-event.json', mapping: sled },
      read('rfid 303402420000000000000801'),
    ],
    [
      'read a text',
      { format: 'mapped', file: '28b-identifier-as-text.txt', mapping: { value: '@' } },
      read('rfid 5567232D'),
    ],
    [
      'read lines',
      {
        format: 'mapped',
        payload: '$GPRP,D8A01D552803,AA,-50,02\r\n$GPRP,D8A01D552804,AA,-51,02',
        mapping: {
          list: "split(@, '\n')",
          value: "split(@, ',')[1]",
          rssi: "to_number(split(@, ',')[3])",
          tag_type: 'ble',
        },
      },
      read('ble D8A01D552803', 'ble D8A01D552804'),
    ],
    [
      'read the topic',
      {
        format: 'mapped',
        payload: { rssi: -50 },
        topic: 'tags/D8A01D552805/seen',
        mapping: { value: 'topic()[1]', rssi: 'rssi', tag_type: 'ble' },
      },
      read('ble D8A01D552805'),
    ],
    [
      'join what identifies a beacon',
      {
        format: 'mapped',
        payload: { u: '1de4b189-115e-45f6-b44e-509352269977', ma: 1, mi: 11 },
        mapping: { value: "join('-', [u, to_string(ma), to_string(mi)])", tag_type: 'ble' },
      },
      read('ble 1de4b189-115e-45f6-b44e-509352269977-1-11'),
    ],
    [
      'read keys that no expression could name',
      { format: 'mapped', payload: { 'tag-data': { 'a b': 'E2801' } }, mapping: { value: 'tag-data.a b' } },
      read('rfid E2801'),
    ],
    [
      'say which expression fails',
      { format: 'mapped', payload: { a: [1] }, mapping: { value: 'split(a, `","`)' } },
      rejectedAs(expect.stringContaining('the expression split(a')),
    ],
  ])('%s', async (_, message, expected) => {
    expect(await outcomeOfMessage(message)).toMatchObject(expected);
  });

  it('are checked when they are saved', async () => {
    const org = await world.organization();
    for (const value of ['data[', 'nothing(a)', 'a.[', 'let $x = a in $x']) {
      await expect(org.reader({ format: 'mapped', mapping: { value } })).rejects.toThrow(/value/);
    }
  });
});

describe('devices of their own format', () => {
  const time = Math.floor(Date.now() / 1000) - 60;
  it.each<[ReaderFormat, unknown, object]>([
    [
      'tasmota',
      { Time: '2026-11-25T17:37:00', IBEACON: { MAC: 'D8A01D550601', RSSI: -62, STATE: 'ON' } },
      read('ble D8A01D550601'),
    ],
    ['tasmota', messageOf('28-keyed-by-address.json'), read('ble D8A01D552801', 'ble E8D03CBA0001')],
    [
      'tasmota',
      { Time: '2026-11-25T17:37:00', RC522: { UID: 'BA839D07', Data: '', Type: 'MIFARE 1 KB' } },
      read('rfid BA839D07'),
    ],
    ['tasmota', { Time: '2026-11-25T17:37:00', RDM6300: { UID: '001733CC' } }, read('rfid 001733CC')],
    ['auto', { Time: '2026-11-25T17:37:00', Wiegand: { UID: 7748328, Size: 26 } }, read('rfid 7748328')],
    ['auto', { DetailsBLE: { mac: 'D8A01D550612/1', RSSI: -78 } }, read('ble D8A01D550612')],
    [
      'auto',
      [
        { gateway: 'AC233FC005D8', timestamp: at() },
        { timestamp: at(), mac: 'D8A01D550613', no: 37, rssi: -60 },
      ],
      read('ble D8A01D550613'),
    ],
    ['theengs', { model: 'LaCrosse', id: 43, rssi: -62 }, rejectedAs(nothingExpected)],
    ['tasmota', { Time: '2026-11-25T17:37:00', Uptime: '0T00:05:10', Wifi: { RSSI: 70 } }, isHeartbeat],
    ['text', messageOf('28b-identifier-as-text.txt'), read('rfid 5567232D')],
    ['text', '7616525\n', read('rfid 7616525')],
    ['text', '', isHeartbeat],
    ['text', 'no card', isHeartbeat],
    ['text', 'door open', rejectedAs('the payload is no identifier of a tag')],
    ['espresense', { mac: 'd8a01d551201', id: 'apple:1005:9-26', rssi: -71, distance: 3 }, read('ble D8A01D551201')],
    ['espresense', { mac: 'd8a01d551202', id: 'forklift-7', rssi: -71, distance: 3 }, read('ble forklift-7')],
    [
      'shelly',
      { encryption: false, BTHome_version: 2, pid: 6, button: 1, rssi: -76, address: 'dc:c7:c1:f2:e4:7c' },
      read('ble DCC7C1F2E47C'),
    ],
    [
      'shelly',
      {
        src: 's',
        dst: 's/events',
        method: 'NotifyEvent',
        params: {
          ts: time,
          events: [
            {
              component: 'script:1',
              event: 'shelly-blu',
              data: { BTHome_version: 2, rssi: -60, address: 'dc:c7:c1:f2:e4:7d' },
              ts: time,
            },
          ],
        },
      },
      read('ble DCC7C1F2E47D'),
    ],
    [
      'shelly',
      { src: 's', dst: 's/events', method: 'NotifyStatus', params: { ts: time, 'switch:0': { id: 0, output: true } } },
      isHeartbeat,
    ],
    [
      'cassia',
      {
        id: '1',
        action: 'gateway_status',
        timestamp: time * 1000,
        gateway: 'CC:1B:E0:00:00:01',
        data: { model: 'M2000', uptime: 5, private_ip: '192.0.2.1', RSSI: -21 },
      },
      isHeartbeat,
    ],
    [
      'april_brother',
      {
        v: '1.5.0',
        mid: 7,
        time: 120,
        ip: '192.0.2.20',
        mac: 'AABBCCDDEE10',
        devices: ['02D8FD1949A530CE0201061AFF4C000215'],
      },
      read('ble D8FD1949A530'),
    ],
    [
      'ingics',
      `$GPRP,D8B97E7361A4,CB412F0C8EDC,-49,1309696773,${time}\r\n$HBRP,CB412F0C8EDC,CB412F0C8EDC,-127,00000000\r\n`,
      read('ble D8B97E7361A4'),
    ],
    ['auto', '$GPRP,D8B97E7361A5,CB412F0C8EDC,-49,1309696773', read('ble D8B97E7361A5')],
    ['ingics', '$HBRP,CB412F0C8EDC,CB412F0C8EDC,-127,00000000', isHeartbeat],
    ['esp_rfid', { type: 'heartbeat', time, ip: '192.0.2.3', door: 'd' }, isHeartbeat],
  ])('%s: %j', async (format, payload, expected) => {
    expect(await outcomeOfMessage({ format, payload: bytesOf(payload) })).toMatchObject(expected);
  });
});

it('a public address is never ignored as a private one', async () => {
  expect(await outcomeOfMessage({ format: 'theengs', file: '24-public-address.json' })).toMatchObject(
    read('ble 38398F002401'),
  );
  for (const [format, payload, expected] of [
    ['theengs', { id: '38:39:8F:00:24:02', mac_type: 1, rssi: -60 }, []],
    ['theengs', { id: '38:39:8F:00:24:03', rssi: -60 }, []],
    ['auto', { id: '38:39:8F:00:24:04', mac_type: 0, rssi: -60 }, ['ble 38398F002404']],
    [
      'cassia',
      { action: 'data.scan', data: [{ bdaddrs: [{ bdaddr: '38:39:8F:00:24:05', bdaddrType: 'public' }], rssi: -61 }] },
      ['ble 38398F002405'],
    ],
    [
      'cassia',
      { action: 'data.scan', data: [{ bdaddrs: [{ bdaddr: '38:39:8F:00:24:06', bdaddrType: 'random' }], rssi: -61 }] },
      [],
    ],
  ] as const) {
    expect([payload, (await outcomeOfMessage({ format, payload })).unknown]).toEqual([payload, expected]);
  }
});
