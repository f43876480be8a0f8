import { describe, expect, it } from 'vitest';
import { recognizeFormat } from '../../../ingest-broker/formats/recognize.js';
import type { Mapping, ReaderFormat, TagType } from '../../../server/parsing.js';
import { messageOf } from '../devices/playing.js';
import { epc, rejected, status, understand } from './understand.js';

const stepsOf = (file: string) =>
  messageOf(file)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { payload: object | string; format: ReaderFormat; tag_type: TagType });

const text = (tag_type: TagType, value = '@'): Mapping => ({ value, time_unit: 's', tag_type });
const mapped = (payload: string | object | Uint8Array, mapping: Mapping) => understand('mapped', payload, { mapping });
const read = (...values: string[]) => ({ kind: 'reads', reads: values.map((value) => ({ value })) });

describe('identifiers keep their characters', () => {
  it.each(stepsOf('30-text-that-looks-like-a-number.jsonl'))('$tag_type $payload', ({ payload, tag_type }) => {
    expect(mapped(payload, text(tag_type))).toMatchObject(read(payload as string));
    expect(mapped(JSON.stringify(payload), text(tag_type))).toMatchObject(read(payload as string));
    expect(understand('text', payload, { mapping: text(tag_type) })).toMatchObject(read(payload as string));
  });

  it.each(messageOf('31-identifier-as-number.txt').toString().trim().split('\n'))('%s', (line) => {
    const digits = /userId":(\w+)/.exec(line)?.[1] ?? '';
    expect(mapped(line, text('rfid', 'value.userId'))).toMatchObject(read(digits));
    expect(mapped(line, text('rfid', 'to_string(value.userId)'))).toMatchObject(read(digits));
  });

  it.each(['1688880000000004713', '5172E2', '9400111899223197428490', '12.50', '7E0', '42', '0'.repeat(3) + '7'])(
    'the number %s, in mappings and formats',
    (digits) => {
      const listed = { ...text('barcode', 'id'), list: 'a.b' };
      expect(mapped(`{"a":{"b":[{"id":1},{"id":${digits},"rssi":-6}]}}`, listed)).toMatchObject(read('1', digits));
      expect(mapped(`{"id":${digits}}`, text('barcode', "join('', [to_string(id)])"))).toMatchObject(read(digits));
      // JSON that a text holds is read only if it is valid.
      const inner = digits.startsWith('00') ? '7' : digits;
      const wrapped = JSON.stringify({ payload: `{"id":${inner}}` });
      expect(mapped(wrapped, text('barcode', 'payload.id'))).toMatchObject(read(inner));
      expect(understand('native', `{"reads":[{"value":${digits},"tag_type":"barcode"}]}`)).toMatchObject(read(digits));
    },
  );

  it('and are numbers as levels, antennas, times and in conditions', () => {
    const mapping: Mapping = {
      value: 'id',
      antenna: 'ant',
      rssi: 'rssi',
      time: 't',
      condition: 'ant == `2` && rssi < `-4`',
      time_unit: 'ms',
      tag_type: 'rfid',
    };
    const payload = '{"id":5172E2,"ant":2.0,"rssi":-6E1,"t":1.795856640E12}';
    expect(mapped(payload, mapping)).toMatchObject({
      reads: [{ value: '5172E2', antenna: 2, rssiDbm: -60, observedAtMs: 1_795_856_640_000 }],
    });
    expect(mapped('5', { ...text('barcode'), condition: '@ == `5`' })).toMatchObject(read('5'));
    expect(mapped('6', { ...text('barcode'), condition: '@ == `5`' })).toEqual(status);
    expect(mapped('12E3', { ...text('barcode'), condition: "contains(@, 'E')" })).toMatchObject(read('12E3'));
  });
});

describe('words for nothing are no reads', () => {
  it('in texts', () => {
    const [card, ...others] = stepsOf('39-text-for-nothing.jsonl');
    expect(understand('text', card?.payload ?? '')).toMatchObject(read('55672339'));
    for (const { payload } of others) expect([payload, understand('text', payload)]).toEqual([payload, status]);
  });

  it.each([...stepsOf('39b-barcode-for-nothing.jsonl').map(({ payload }) => payload), 'No-Read', 'error', '?', '\x18'])(
    'of barcodes: %j',
    (payload) => {
      expect(mapped(payload, text('barcode'))).toEqual(status);
      expect(understand('text', payload, { mapping: text('barcode') })).toEqual(status);
      expect(understand('native', { reads: [{ value: payload, tag_type: 'barcode' }] })).toEqual(status);
    },
  );

  it.each(['<none>', 'N/A', 'Unknown', 'NO_TAG', '-1', '-55672339', 'not:55672339', 'card removed', 'absent'])(
    'of chips: %j',
    (value) => {
      expect(understand('native', { reads: [{ value }] })).toEqual(status);
      expect(understand('native', { reads: [{ value, tag_type: 'ble' }] })).toEqual(status);
      expect(mapped({ uid: value }, text('rfid', 'uid'))).toEqual(status);
    },
  );

  it.each(['NR12', 'BADCODE-7', 'E010', 'ERROR-5', 'NOREADS', 'LEFT', '0', 'No Reader'])(
    'but %j is a barcode',
    (payload) => {
      expect(mapped(payload, text('barcode'))).toMatchObject(read(payload));
      expect(understand('text', payload, { mapping: text('barcode') })).toMatchObject(read(payload));
    },
  );
});

describe('times', () => {
  const atMs = 1_795_856_640_000;

  it.each(stepsOf('35b-times-in-usual-fields.jsonl'))(
    'of $format in a field of a usual name',
    ({ format, payload }) => {
      expect(understand(format, payload)).toMatchObject({ reads: [{ observedAtMs: atMs }] });
    },
  );

  it('of an app without an offset are reported', () => {
    const app = messageOf('35-time-stamp-of-an-app.json');
    expect(understand('auto', app)).toMatchObject({
      reads: [{ antenna: 3, rssiDbm: -72, observedAtMs: null }],
      unusedTime: 'timeStamp "28/11/2026 9:4:0:111"',
    });
  });

  it.each(['timestamp', 'Time-Stamp', 'time_stamp', 'TS', 'tm', 'lastSeenAt', 'first_seen', 'readAt', 'EventTime'])(
    'in %s',
    (name) => {
      for (const time of [atMs, atMs / 1000, `${atMs}`, new Date(atMs).toISOString(), atMs * 1_000_000]) {
        const expected = { reads: [{ observedAtMs: atMs }] };
        expect(understand('theengs', { id: 'D8:A0:1D:55:35:04', rssi: -60, [name]: time })).toMatchObject(expected);
        expect(understand('native', { reads: [{ value: epc, [name]: time }] })).toMatchObject(expected);
        expect(understand('native', { [name]: time, reads: [{ value: epc }] })).toMatchObject(expected);
        const listed = { ...text('rfid', 'epc'), list: 'data.tags' };
        expect(mapped({ data: { [name]: time, tags: [{ epc }] } }, listed)).toMatchObject(expected);
      }
      for (const uptime of [0, 12, 86_400, '3600', null, 1_234_567]) {
        expect(understand('theengs', { id: 'D8:A0:1D:55:35:04', rssi: -60, [name]: uptime })).toEqual({
          kind: 'reads',
          reads: [expect.objectContaining({ observedAtMs: null })],
        });
      }
    },
  );

  it('that the page of a format declares as unused are not reported', () => {
    const data = [{ type: 1, value: { mac: 'D8A01D553505', rssi: -50, timestamp: '2026-6-8&21:43:48' } }];
    expect(understand('moko_mk107', { msg_id: 3004, data })).not.toHaveProperty('unusedTime');
  });
});

describe('states, levels and reasons', () => {
  it('a state of a device with a mapping is a heartbeat', () => {
    const gateway = messageOf('36-gateway-is-alive.json');
    const beacons = { ...text('ble', 'dmac'), list: 'obj' };
    expect(mapped(gateway, beacons)).toEqual(status);
    expect(mapped(gateway, { ...beacons, condition: "$.msg == 'advData'" })).toEqual(status);
    for (const payload of ['online', '', { obj: null, epc }, { obj: [], epc }, { uptime: 5 }]) {
      expect([payload, mapped(payload, beacons)]).toEqual([payload, status]);
    }
    for (const payload of [{ msg: 'advData', devices: [{ mac: 'D8A01D553601' }] }, { epc }, '5567232D']) {
      expect([payload, mapped(payload, beacons)]).toEqual([payload, rejected]);
    }
  });

  it('something measured makes a read without a level', () => {
    expect(understand('theengs', messageOf('37-connected-sensor.json'))).toMatchObject({
      reads: [{ value: 'D8A01D553701', rssiDbm: null, telemetry: { battery: 83, temperature: 22.41 } }],
    });
    expect(understand('espresense', messageOf('37b-distance-without-level.json'))).toMatchObject(read('D8A01D553702'));
    expect(understand('theengs', messageOf('37c-departure-with-battery.json'))).toEqual(status);
    expect(understand('theengs', { id: 'D8:A0:1D:55:37:04' })).toEqual(status);
  });

  it('a reason says what is there', () => {
    const nothing = { kind: 'rejected', reason: 'the payload has none of the fields expected' };
    expect(understand('auto', messageOf('38-reads-of-another-make.json'))).toEqual(nothing);
    expect(mapped(messageOf('38b-identifier-as-list.json'), text('rfid', 'uid'))).toEqual({
      kind: 'rejected',
      reason: 'uid is a list',
    });
    const binary = { kind: 'rejected', reason: 'the payload is binary (of an unknown format), not JSON' };
    expect(understand('auto', messageOf('38c-protobuf-with-json.bin'))).toEqual(binary);
  });

  it('the input of a Zebra reader is a heartbeat in its envelope', () => {
    const input = { type: 'GPI', timestamp: '2026-05-01T10:00:00.125+0000', data: { pin: 1, state: 'HIGH' } };
    for (const format of ['zebra_iotc', 'auto'] as const) expect(understand(format, input)).toEqual(status);
  });

  it('an empty message is a heartbeat in every format', () => {
    for (const format of ['native', 'auto', 'text', 'ingics', 'april_brother', 'theengs'] as const) {
      for (const payload of ['', ' \r\n', '\0'])
        expect([format, understand(format, payload)]).toEqual([format, status]);
    }
    const input = { topic: 't', payload: Buffer.from(''), onReadsTopic: true, mapping: null };
    expect(recognizeFormat(input)).toBeUndefined();
  });
});
