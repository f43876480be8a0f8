import { describe, expect, it } from 'vitest';
import type { ReaderFormat, Telemetry } from '../../../server/parsing.js';
import { understand } from './understand.js';

// What tags measure, in the messages of gateways. The advertisements are test vectors and examples of the vendors: Ruuvi's of
// RAWv2 (docs.ruuvi.com), Eddystone's TLM, BTHome's format page, and a Minew S1.

const mac = 'F95BC0EC4E56';
const ruuvi = '0201061BFF99040512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F';
const ruuviHighest = '1BFF9904057FFFFFFEFFFE7FFF7FFF7FFFFFDEFEFFFECBB8334C884F';
const ruuviNothing = '1BFF9904058000FFFFFFFF800080008000FFFFFFFFFFFFFFFFFFFFFF';
const tlm = '0201060303AAFE1116AAFE20000BB8158000000001000002A3';
const tlmNothing = '0303AAFE1116AAFE2000000080000000000100000002';
const bthome = '0201060E16D2FC4000090161022E09034B11';
const bthomeButtons = '1016D2FC40000701643A003A023A003A00';
const bthomeEncrypted = '0201060D16D2FC41A47266C95F7300112233';
const minewS1 = '0201060303E1FF1016E1FFA101641A332850564EECC05BF9';
const moko = '0201060303ABFE0B16ABFE7000140101020C00';
const measured = { temperature: 24.3, humidity: 53.49, voltage: 2.977, movements: 66 };

type Case = [
  name: string,
  format: ReaderFormat,
  payload: string | object,
  telemetry: Telemetry | undefined,
  topic?: string,
];

const gateway = (data: string) => ({ gw_mac: 'DE:AD:BE:EF:00:00', rssi: -83, ts: '1777629600', data, coords: '' });
const ofRuuvi = (name: string, data: string, telemetry: Telemetry | undefined): Case => [
  ...([name, 'ruuvi', gateway(data), telemetry] as const),
  `ruuvi/DE:AD:BE:EF:00:00/F9:5B:C0:EC:4E:56`,
];

const cases: Case[] = [
  ofRuuvi('Ruuvi RAWv2', ruuvi, measured),
  ofRuuvi('Ruuvi RAWv2, highest values; 164 % of humidity is impossible', ruuviHighest, {
    temperature: 163.835,
    voltage: 3.646,
    movements: 254,
  }),
  ofRuuvi('Ruuvi RAWv2, nothing available', ruuviNothing, undefined),
  ofRuuvi('Eddystone TLM', tlm, { voltage: 3, temperature: 21.5 }),
  ofRuuvi('Eddystone TLM, nothing available', tlmNothing, undefined),
  ofRuuvi('BTHome', bthome, { battery: 97, temperature: 23.5, humidity: 44.27 }),
  ofRuuvi('BTHome, the second of four buttons, pressed twice', bthomeButtons, { battery: 100, button: 2 }),
  ofRuuvi('BTHome, encrypted', bthomeEncrypted, undefined),
  ofRuuvi('MOKO T&H', moko, { temperature: 25.7, humidity: 52.4 }),
  ofRuuvi('an advertisement that is cut off', ruuvi.slice(0, 30), undefined),
  ofRuuvi('no hexadecimal', 'Zürich', undefined),
  [
    'Minew, decoded by the gateway',
    'minew_g1',
    [{ type: 'S1', mac, rssi: -60, battery: 97, temperature: 21.25, humidity: 48.5 }],
    { battery: 97, temperature: 21.25, humidity: 48.5 },
  ],
  ['Minew, a beacon without a battery level', 'minew_g1', [{ type: 'iBeacon', mac, rssi: -60, battery: 0 }], undefined],
  [
    'Minew, not decoded',
    'minew_g1',
    [{ type: 'Unknown', mac, rssi: -60, rawData: minewS1 }],
    { battery: 100, temperature: 26.19921875, humidity: 40.3125 },
  ],
  [
    'MOKO',
    'moko_mk107',
    { msg_id: 3070, device_info: { mac }, data: [{ mac, rssi: -58, adv_data: moko }] },
    { temperature: 25.7, humidity: 52.4 },
  ],
  ['GL-S10', 'gl_s10', { dev_list: [{ mac, rssi: -57, ad: tlm }] }, { voltage: 3, temperature: 21.5 }],
  [
    'Cassia',
    'cassia',
    { action: 'data.scan', data: [{ bdaddrs: [{ bdaddr: mac }], rssi: -61, adData: '020106', scanData: ruuvi }] },
    measured,
  ],
  ['Ingics', 'ingics', `$GPRP,${mac},CB412F0C8EDC,-49,${ruuvi},1777629600`, measured],
  ['April Brother', 'april_brother', { v: '1', mid: 7, ip: 'x', devices: [[0, mac, -61, ruuvi]] }, measured],
  ['April Brother, bytes', 'april_brother', { v: '1', mid: 7, ip: 'x', devices: [`00${mac}C3${ruuvi}`] }, measured],
  [
    'Theengs, decoded',
    'theengs',
    { id: 'F9:5B:C0:EC:4E:56', rssi: -79, model_id: 'RuuviTag_RAWv2', tempc: 4.5, hum: 61, volt: 2.9, mov: 7 },
    { temperature: 4.5, humidity: 61, voltage: 2.9, movements: 7 },
  ],
  [
    'Theengs, impossible values',
    'theengs',
    { id: mac, rssi: -79, batt: 255, tempc: -273.2, hum: '61.5', button: 'press' },
    { humidity: 61.5 },
  ],
  [
    'ESPresense',
    'espresense',
    { mac, id: 'tag-1', rssi: -71, distance: 3, batt: 90, mV: 3010, temp: 21.5, rh: 40 },
    { battery: 90, voltage: 3.01, temperature: 21.5, humidity: 40 },
  ],
  [
    'Tasmota, in Fahrenheit',
    'tasmota',
    { TempUnit: 'F', ATC8cd6aa: { mac, Temperature: 77, Humidity: 56, Battery: 82, RSSI: -64 } },
    { battery: 82, temperature: 25, humidity: 56 },
  ],
  ['Tasmota, content', 'tasmota', { DetailsBLE: { mac, RSSI: -78, p: ruuvi } }, measured],
  ['MOKO, older', 'moko_mk107', { msg_id: 3004, data: [{ value: { mac, rssi: -50, 'raw data': ruuvi } }] }, measured],
  [
    'Ruuvi, decoded',
    'ruuvi',
    { gw_mac: 'DE:AD:BE:EF:00:00', rssi: -71, temperature: 4.5, humidity: 61, voltage: 2.9, movementCounter: 7 },
    { temperature: 4.5, humidity: 61, voltage: 2.9, movements: 7 },
    'ruuvi/DE:AD:BE:EF:00:00/F9:5B:C0:EC:4E:56',
  ],
  [
    'Shelly BLU Button',
    'shelly',
    { encryption: false, BTHome_version: 2, pid: 6, battery: 70, button: 1, rssi: -76, address: mac },
    { battery: 70, button: 1 },
  ],
  [
    'Shelly BLU RC Button 4',
    'shelly',
    { encryption: false, BTHome_version: 2, pid: 6, battery: 70, button: [0, 0, 4, 0], rssi: -76, address: mac },
    { battery: 70, button: 4 },
  ],
  [
    'Shelly BLU Motion',
    'shelly',
    { encryption: false, BTHome_version: 2, pid: 182, battery: 100, motion: 0, rssi: -66, address: mac },
    { battery: 100, motion: 0 },
  ],
];

describe('telemetry', () => {
  it.each(cases)('%s', (...[, format, payload, telemetry, topic]) => {
    const understood = understand(format, payload, { ...(topic !== undefined && { topic }) });
    expect(understood.kind === 'reads' && understood.reads.map((read) => read.telemetry)).toEqual([telemetry]);
    expect(understood).not.toHaveProperty('loss');
  });

  it('is not in reads without it', () => {
    expect(understand('auto', [{ type: 'iBeacon', mac, rssi: -60, timestamp: '' }])).toMatchObject({
      reads: [expect.not.objectContaining({ telemetry: expect.anything() })],
    });
  });
});
