import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../ingest-broker/formats/index.js';
import type { Mapping, ReaderFormat } from '../../../server/index.js';
import { epc, rejected, status, understand } from './understand.js';

const at = (iso: string) => Date.parse(iso);

const rfid = { tagType: 'rfid', value: epc };

/** The vendors' own examples, and what they say. */
const examples = {
  native:
    '{"reads":[{"value":"E2801190A503006543E21224","antenna":2,"rssi_dbm":-48,"observed_at":"2026-05-01T10:00:00.125Z"}]}',
  csl_cs463:
    '{"sequenceNumber":0,"rfidReaderName":"r1","numberOfTags":1,"tags":[{"epc":"E2801190A503006543E21224","timeStampOfRead":1780587173668000,"timeZone":"-6:00","antennaPort":1,"capturePointName":"r1-1","rssi":"-56"}]}',
  zebra_iotc:
    '{"type":"INVENTORY","timestamp":"2026-05-01T10:00:00.125+0000","data":{"eventNum":7,"format":"epc","idHex":"e2801190a503006543e21224","antenna":2,"peakRssi":-41,"reads":3}}',
  impinj_iot:
    '{"timestamp":"2026-05-01T10:00:00.123456789Z","hostname":"impinj-14-46-36","eventType":"tagInventory","tagInventoryEvent":{"epc":"4oARkKUDAGVD4hIk","epcHex":"E2801190A503006543E21224","antennaPort":1,"peakRssiCdbm":-5600}}',
  smartreader:
    '{"readerName":"r1","mac":"00:16:25:14:46:36","tag_reads":[{"epc":"E2801190A503006543E21224","antennaPort":3,"peakRssi":-61.5,"firstSeenTimestamp":1780587173668999}]}',
  gl_s10:
    '{"dev_id":"g1","dev_ble_mac":"C4DEE229A176","dev_list":[{"mac":"F95BC0EC4E56","rssi":-57,"ts":1780625164824,"ad":"0201061AFF4C000215"}]}',
  moko_mk107:
    '{"msg_id":3004,"device_info":{"mac":"409151A65C96"},"data":[{"type":1,"value":{"mac":"12F534BA0D99","rssi":-58,"type":"iBeacon","uuid":"2686","major":1,"minor":0,"timestamp":"2026-6-8&21:43:48+00"}}]}',
  minew_g1:
    '[{"timestamp":"2026-05-01T10:00:00Z","type":"Gateway","mac":"AC233FC005D8","gatewayLoad":0.24},{"timestamp":"2026-05-01T10:00:00Z","type":"iBeacon","mac":"AC233FA03208","rssi":-79}]',
  ruuvi:
    '{"gw_mac":"DE:AD:BE:EF:00:00","rssi":-83,"gwts":"1659365438","ts":"1659365439","data":"0201061BFF9904","coords":""}',
  theengs: '{"id":"58:78:20:76:BC:24","mac_type":1,"rssi":-79,"model_id":"IBEACON"}',
} as const;

const exampleTopics: Partial<Record<ReaderFormat, string>> = { ruuvi: 'ruuvi/DE:AD:BE:EF:00:00/C8:25:2D:8E:9C:2C' };

const exampleReads = {
  native: { ...rfid, antenna: 2, rssiDbm: -48, observedAtMs: at('2026-05-01T10:00:00.125Z') },
  csl_cs463: { ...rfid, antenna: 1, rssiDbm: -56, observedAtMs: 1780587173668 },
  zebra_iotc: { ...rfid, antenna: 2, rssiDbm: -41, observedAtMs: at('2026-05-01T10:00:00.125Z') },
  impinj_iot: { ...rfid, antenna: 1, rssiDbm: -56, observedAtMs: at('2026-05-01T10:00:00.123Z') },
  smartreader: { ...rfid, antenna: 3, rssiDbm: -61.5, observedAtMs: 1780587173668 },
  gl_s10: { tagType: 'ble', value: 'F95BC0EC4E56', antenna: 1, rssiDbm: -57, observedAtMs: 1780625164824 },
  moko_mk107: {
    tagType: 'ble',
    value: '12F534BA0D99',
    antenna: 1,
    rssiDbm: -58,
    observedAtMs: null,
  },
  minew_g1: {
    tagType: 'ble',
    value: 'AC233FA03208',
    antenna: 1,
    rssiDbm: -79,
    observedAtMs: at('2026-05-01T10:00:00Z'),
  },
  ruuvi: { tagType: 'ble', value: 'C8252D8E9C2C', antenna: 1, rssiDbm: -83, observedAtMs: 1659365439000 },
  theengs: { tagType: 'ble', value: '58782076BC24', antenna: 1, rssiDbm: -79, observedAtMs: null },
} as const;

const vendors = Object.keys(examples) as (keyof typeof examples)[];

describe.each(vendors)('%s', (format) => {
  const topic = exampleTopics[format];
  const options = topic === undefined ? {} : { topic };
  const reads = [exampleReads[format]];

  it('reads the vendor’s example, by its name and by its shape', () => {
    expect(understand(format, examples[format], options)).toEqual({ kind: 'reads', reads });
    expect(understand('auto', examples[format], options)).toEqual({ kind: 'reads', reads });
  });

  it('reads several joined or in an array, behind a byte order mark and amid white space', () => {
    const one = examples[format];
    const twice = { kind: 'reads', reads: [...reads, ...reads] };
    for (const payload of [`${one}${one}`, `${one}\r\n ${one}\n`, `\u{feff}${one} ${one}`]) {
      expect(understand(format, payload, options)).toEqual(twice);
      expect(understand('auto', payload, options)).toEqual(twice);
    }
    const flat = one.startsWith('[') ? one.slice(1, -1) : one;
    expect(understand(format, `[${flat},${flat}]`, options)).toEqual(twice);
    expect(understand(format, `[${flat}][${flat}]`, options)).toEqual(twice);
  });

  it('counts the good reads of a message with bad ones', () => {
    for (const payload of [
      `${examples[format]}{"broken":`,
      `5 ${examples[format]} nonsense`,
      `[null,${examples[format]}]`,
    ]) {
      expect(understand(format, payload.replace('[null,[', '[null],['), options)).toMatchObject({ kind: 'reads' });
    }
  });

  it('rejects on the reads topic what is no JSON of the format, and takes it elsewhere for a status', () => {
    for (const payload of [
      'online',
      '{"a":',
      '5',
      '"online"',
      'null',
      '{}',
      '[]',
      '{"unheard":1}',
      Buffer.from([0xff, 0xfe]),
    ]) {
      const expected = payload === '[]' ? status : rejected;
      expect([payload, understand(format, payload)]).toEqual([payload, expected]);
      expect([payload, understand(format, payload, { onReadsTopic: false })]).toEqual([payload, status]);
    }
  });
});

describe('status frames', () => {
  it.each<[ReaderFormat, object, string?]>([
    ['csl_cs463', { sequenceNumber: 3, rfidReaderName: 'r1', numberOfTags: 0 }],
    ['csl_cs463', { rfidReaderName: 'r1', tags: [] }],
    ['csl_cs463', { rfidReaderName: 'r1', tags: null }],
    ['zebra_iotc', { type: 'heartbeat', timestamp: '2026-05-01T10:00:00.125+0000', data: { uptime: 5 } }],
    ['zebra_iotc', { component: 'RC', eventNum: 1, data: { GPI: { pin: 1, state: 'HIGH' } } }],
    ['impinj_iot', { timestamp: '2026-05-01T10:00:00Z', eventType: 'inventoryStatus', inventoryStatusEvent: {} }],
    ['smartreader', { readerName: 'r1', status: 'running' }],
    ['gl_s10', { dev_id: 'g1', dev_list: [] }],
    ['moko_mk107', { msg_id: 3003, device_info: {}, data: { net_state: 1 } }],
    ['minew_g1', [{ timestamp: '2026-05-01T10:00:00Z', type: 'Gateway', mac: 'AC233FC005D8' }]],
    ['ruuvi', { state: 'online' }, 'ruuvi/DE:AD:BE:EF:00:00/gw_status'],
    ['theengs', { uptime: 5, version: '1.8', freemem: 100 }],
  ])('of %s: %j', (format, payload, topic = 'site/reads') => {
    expect(understand(format, payload, { topic })).toEqual(status);
    expect(understand('auto', payload, { topic })).toEqual(status);
  });
});

describe('what another make sends is no status', () => {
  it.each([
    { gateway: 'GW-1', devices: { 'AC:23:3F:A0:32:08': { rssi: -60 } } },
    { gateway: 'GW-1', card: '0012345678' },
    { gateway: 'AC233FC005D8', found: ['D8A01D556601'] },
    { gateway: 'AC233FC005D8', rfid: 'E2801190' },
    { state: 'present', code: '4006381333931' },
    { readerName: 'dock', status: 'IN', card_no: '0012345678' },
    { uptime: 5, ip: '192.0.2.5', barcode: '4006381333931' },
    { type: 'gateway', mac: 'A020A6000003', timestamp: '2026-05-01T10:00:00Z', rssi: -45 },
  ])('%j', (payload) => {
    expect(understand('auto', payload)).toEqual(rejected);
  });
});

describe('values of simple readers', () => {
  it.each([['\u00025C00B8A2F3\u0003'], ['"5C00B8A2F3"'], ['"5C00B8A2F3"\r\n'], [' 5C 00 B8 A2 F3 ']])(
    '%j',
    (payload) => {
      expect(understand('text', payload)).toMatchObject({ reads: [{ value: '5C00B8A2F3' }] });
    },
  );
});

describe('scans of Home Assistant’s script on Shelly devices', () => {
  const message = (data: unknown) => ({
    src: 'shellyplus1-a',
    dst: 'a/events',
    method: 'NotifyEvent',
    params: { ts: 1780587173.5, events: [{ component: 'script:1', id: 1, event: 'ble.scan_result', data }] },
  });
  const found = (...addresses: string[]) => ({
    kind: 'reads',
    reads: addresses.map((value) => ({ tagType: 'ble', value, rssiDbm: -60, observedAtMs: 1780587173500 })),
  });

  it.each([
    [[1, 'f9:5b:c0:ec:4e:56', -60, 'AgEG', ''], found('F95BC0EC4E56')],
    [
      [
        2,
        [
          ['f9:5b:c0:ec:4e:56', -60, 'AgEG', ''],
          ['f9:5b:c0:ec:4e:57', -60, 'AgEG', ''],
        ],
      ],
      found('F95BC0EC4E56', 'F95BC0EC4E57'),
    ],
    [[2, []], status],
    [[2, 'x'], rejected],
    ['x', rejected],
  ])('%j', (data, expected) => {
    expect(understand('shelly', message(data))).toMatchObject(expected);
    expect(understand('auto', message(data))).toMatchObject(expected);
  });
});

describe('bad reads', () => {
  it.each<[ReaderFormat, object | string, string]>([
    ['native', { reads: 5 }, 'reads is not a list'],
    ['native', { reads: [5] }, 'reads[0] is not an object'],
    ['native', { reads: [{}] }, 'reads[0].value is missing'],
    ['native', { reads: [{ value: ' ' }] }, 'reads[0].value is empty'],
    ['native', { reads: [{ value: [85, 103] }] }, 'reads[0].value is a list'],
    ['native', { reads: [{ value: true }] }, 'reads[0].value is true'],
    ['native', { reads: [{ value: 'a\0b' }] }, 'reads[0].value is no value that a tag can have'],
    ['native', { reads: [{ value: 'x'.repeat(256) }] }, 'reads[0].value is no value that a tag can have'],
    ['native', { reads: [{ value: 'x', tag_type: 'nfc' }] }, 'reads[0].tag_type is not one of rfid, ble, barcode'],
    ['csl_cs463', { tags: [{ epc: null }] }, 'tags[0].epc is missing'],
    ['csl_cs463', { tags: [{ epc: { a: 1 } }] }, 'tags[0].epc is an object'],
    ['zebra_iotc', { data: { idHex: '' } }, 'data.idHex is empty'],
    ['impinj_iot', { tagInventoryEvent: 5 }, 'tagInventoryEvent is not an object'],
    [
      'impinj_iot',
      { tagInventoryEvent: { epc: 'no base64!' } },
      'tagInventoryEvent.epc is neither hexadecimal nor base64url',
    ],
    ['impinj_iot', { tagInventoryEvent: {} }, 'tagInventoryEvent.epcHex is missing'],
    ['moko_mk107', { msg_id: 3004, data: 5 }, 'data is not a list'],
    ['moko_mk107', { msg_id: 3004, data: [{ value: 1 }] }, 'data[0].value is not an object'],
    ['minew_g1', [{ mac: null, type: 'iBeacon' }], 'mac is missing'],
    ['ingics', '$GPRP,CCB97E73', 'the address in line 1 is no MAC address'],
  ])('of %s are reported: %j', (format, payload, reason) => {
    expect(understand(format, payload)).toEqual({ kind: 'rejected', reason });
  });

  it('leave the good ones', () => {
    const payload = { reads: [{ value: '' }, { value: epc }, 5, { value: 'x', tag_type: 'nfc' }] };
    expect(understand('native', payload)).toMatchObject({ kind: 'reads', reads: [{ value: epc }] });
  });

  it('are not looked for in what every object inherits', () => {
    expect(understand('native', '{"__proto__":{"reads":[{"value":"x"}]}}')).toEqual(rejected);
    const mapping: Mapping = { value: 'constructor.name', time_unit: 's', tag_type: 'rfid' };
    expect(understand('mapped', '{"epc":"E280"}', { mapping })).toEqual(rejected);
  });
});

it('accepts any bytes in every format without throwing', () => {
  const signs = ['{', '}', '[', ']', '"', '\\', ':', ',', 'null', '1e999'];
  const pieces = [...signs, '"tags"', '"reads"', '"epc"', '"\\u0000"', '\u{feff}'];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 11 }).map((given) => given.join(''));
  const bytes = fc.uint8Array({ maxLength: 39 }).map((given) => Buffer.from(given));
  const payloads = fc.oneof({ weight: 2, arbitrary: texts }, { weight: 1, arbitrary: bytes });
  const isTakenForSomething = fc.property(payloads, (payload) => {
    for (const format of Object.keys(formats) as ReaderFormat[]) {
      expect(['reads', 'status', 'rejected']).toContain(understand(format, payload).kind);
    }
  });
  fc.assert(isTakenForSomething, { seed: 7, numRuns: 2000 });
});

it('parses deep nesting and endless brackets quickly', () => {
  for (const text of ['['.repeat(262_144), '{"a":'.repeat(50_000), '[{}'.repeat(80_000), '}{'.repeat(130_000)]) {
    // Work that grew with the square of the length would take far longer than a test may.
    expect(understand('auto', text).kind).toBe('rejected');
  }
});
