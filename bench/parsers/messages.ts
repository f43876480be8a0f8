import type { Input } from './input.js';

const address = 'D8A01D553201';
const epc = 'E2801190A503006543E21224';

/** Returns a message with a list whose item is repeated. */
function list(head: string, item: object | string, tail: string): Input {
  const text = typeof item === 'string' ? item : JSON.stringify(item);
  return { head, unit: `${text},`, tail: text + tail };
}

/** Returns messages that are joined: in a list, and without anything in between. */
function joined(...items: object[]): Input[] {
  return items.flatMap((item) => [list('[', item, ']'), { head: '', unit: JSON.stringify(item), tail: '' }]);
}

const advertisement = '0201061AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000010002C5';
const beacon = { mac: address, rssi: -60, timestamp: '2026-05-01T10:00:00Z', type: 'iBeacon' };

/** Messages of each format, with many reads. */
export const messages: Readonly<Record<string, readonly Input[]>> = {
  native: [
    list('{"reads":[', { value: epc, antenna: 2, rssi_dbm: -48, observed_at: '2026-05-01T10:00:00.125Z' }, ']}'),
    ...joined({ reads: [{ value: epc }] }),
  ],
  csl_cs463: [list('{"tags":[', { epc, timeStampOfRead: 1_780_587_173_668_000, antennaPort: 1, rssi: '-56' }, ']}')],
  zebra_iotc: joined({
    type: 'INVENTORY',
    timestamp: '2026-05-01T10:00:00.125+0000',
    data: { format: 'epc', idHex: epc.toLowerCase(), antenna: 2, peakRssi: -41 },
  }),
  impinj_iot: joined({
    timestamp: '2026-05-01T10:00:00.123456789Z',
    tagInventoryEvent: { epc: '4oARkKUDAGVD4hIk', antennaPort: 1, peakRssiCdbm: -5600 },
  }),
  smartreader: [list('{"tag_reads":[', { epc, antennaPort: '1', peakRssi: '-50' }, ']}')],
  gl_s10: [list('{"dev_list":[', { mac: address, rssi: -57, ts: 1_780_625_164_824, ad: advertisement }, ']}')],
  moko_mk107: [
    list('{"msg_id":3070,"device_info":{},"data":[', { mac: address, rssi: -40, adv_data: advertisement }, ']}'),
    list('{"msg_id":3004,"data":[', { type: 1, value: { mac: address, rssi: -58 } }, ']}'),
  ],
  minew_g1: joined(beacon, { ...beacon, rawData: advertisement }),
  ruuvi: joined({ gw_mac: 'DE:AD:BE:EF:00:00', rssi: -83, ts: '1659365439', data: advertisement }),
  theengs: joined(
    { id: 'D8:A0:1D:55:32:01', mac_type: 1, rssi: -79, model_id: 'IBEACON' },
    { id: 'D8:A0:1D:55:32:01', tempc: 22.41, hum: 45, batt: 83 },
  ),
  tasmota: joined({ Time: '2026-05-01T10:00:00', IBEACON: { MAC: address, RSSI: -60 } }),
  espresense: joined({ id: 'iBeacon:e5ca1ade-1-2', mac: address, rssi: -70, distance: 2.5, 'rssi@1m': -65 }),
  shelly: joined({
    src: 'gw',
    method: 'NotifyEvent',
    params: { ts: 1, events: [{ data: ['d8:a0:1d:55:32:01', -60] }] },
  }),
  cassia: joined({
    bdaddrs: [{ bdaddr: 'D8:A0:1D:55:32:01', bdaddrType: 'public' }],
    rssi: -60,
    adData: advertisement,
  }),
  april_brother: [
    list('{"v":"1","mid":1,"devices":[', JSON.stringify([0, address, -60, advertisement]), ']}'),
    // The same in MessagePack, and a list of empty lists.
    { head: '\x81\xA7devices\xDD\x00\x00\x28\x00', unit: '\xC4\x0A\x00\xD8\xA0\x1D\x55\x32\x01\xC4\x02\x01', tail: '' },
    { head: '\xDD\x00\x04\x00\x00', unit: '\x90', tail: '' },
  ],
  ingics: [{ head: '', unit: `$GPRP,${address},${address},-60,${advertisement}\r\n`, tail: '' }],
  esp_rfid: joined({ type: 'access', time: 1_780_625_164, isKnown: 'true', uid: '5567232D' }),
  text: [
    { head: '', unit: '5567232D\n', tail: '' },
    { head: '', unit: '55-67-23-2D ', tail: '' },
  ],
};

/** Shapes of JSON, valid and broken, that make parsers of any format work much. */
export const shapes: readonly Input[] = [
  ...[
    '{"a":1}',
    '[{"a":1}],',
    '{},',
    '["x],',
    '{"epc":"E1},',
    '[1,2],',
    '[[1],',
    '{"a":[{"b":1},{"a":1},',
    '"a":{"b":1},',
  ].map((unit) => ({ head: '', unit, tail: '' })),
  { head: '[', unit: `${'{"a":'.repeat(10)}1${'}'.repeat(10)},`, tail: '' },
  { head: '['.repeat(150), unit: '{"a":1},{"b":1},', tail: '' },
  { head: '{"a":'.repeat(150), unit: '{"a":1},{"b":1},', tail: '' },
  { head: '[', unit: '["D8A01D553201",-60,"02[",1],', tail: '' },
  { head: '{', unit: '"a":1,', tail: '' },
  { head: '{"mac":"D8A01D553201","rssi":-60,"', unit: 'a\\', tail: '":1}' },
];

export const csv: readonly Input[] = [
  { head: 'name,external_key,tags,valid_from\n', unit: 'Pump 6,P-6,rfid:E28011,2026-01-31\n', tail: '' },
  { head: 'name;description\n', unit: '"a ""quoted""\nname";x\n', tail: '' },
];

export const queries: readonly Input[] = [
  { head: 'limit=50&q=', unit: '%C3%A9+a', tail: '' },
  { head: '', unit: 'q=a&', tail: 'limit=1' },
];

const fields = '"name":"Pump 6","metadata":{"power":230.5,"rooms":[1,2,3]},"tags":[]';

export const bodies: readonly Input[] = [
  { head: `{${fields},"description":"`, unit: 'abc ', tail: '"}' },
  list('{"name":"Pump 6","tags":[', { tag_type: 'rfid', value: epc }, ']}'),
  list('{"name":"Pump 6","metadata":{"list":[', '12345678901234567890', ']}}'),
  { head: '{"name":"Pump 6"', unit: ',"\u00C3\u00A9\\u0041":null', tail: '}' },
];

export const codes: readonly Input[] = [
  { head: ']C1', unit: '10ABC\x1D', tail: '' },
  { head: 'https://id.gs1.org/01/', unit: '09506000134352/21/', tail: '' },
  { head: '', unit: '(01)09506000134352', tail: '(21)7' },
  { head: '', unit: '1 ', tail: '2x' },
];

const connect = '\x10\x10\x00\x04MQTT\x04\x02\x00\x3C\x00\x04gate';
const connect5 = '\x10\x11\x00\x04MQTT\x05\x02\x00\x3C\x00\x00\x04gate';
const publish = '\x32\x0E\x00\x05reads\x00\x01{"a":';

/** Packets of MQTT 3.1.1 and 5. */
export const packets: readonly Input[] = [
  { head: connect, unit: publish, tail: '' },
  { head: connect, unit: '\xC0\x00', tail: '' },
  { head: connect5, unit: '\x32\x12\x00\x05reads\x00\x01\x07\x26\x00\x01a\x00\x01b{}', tail: '' },
  { head: `${connect5}\x32\x88\x80\x10\x00\x05reads\x00\x01\xF8\xFF\x0F`, unit: '\x26\x00\x01a\x00\x01b', tail: '{}' },
  { head: `${connect}\x82\x88\x80\x10\x00\x01`, unit: '\x00\x01a\x00', tail: '' },
];

/** Images up to the first pixels, with many chunks before them. */
export const images: readonly Input[] = [
  {
    head: '\x89PNG\r\n\x1A\n',
    unit: '\x00\x00\x00\x00zTXt\x00\x00\x00\x00',
    tail: '\x00\x00\x00\x00IDAT\x00\x00\x00\x00',
  },
  { head: '\xFF\xD8\xFF\xE0', unit: '\x00', tail: '' },
  { head: 'RIFF\x00\x00\x04\x00WEBPVP8X', unit: '\x00', tail: '' },
];
