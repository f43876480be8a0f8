import { describe, expect, it } from 'vitest';
import type { Mapping, ReaderFormat } from '../../../server/index.js';
import { epc, status, understand } from './understand.js';

// How devices say that a tag is gone, and what only looks so.

const mac = 'D8:A0:1D:55:33:02';
const card: Mapping = { value: 'uid', time_unit: 's', tag_type: 'rfid' };
const listed: Mapping = { ...card, list: 'data.tags' };
const uid = '5567233A';

const mapped = (payload: object | string, mapping = card, topic?: string) =>
  understand('mapped', payload, { mapping, ...(topic !== undefined && { topic }) });
const isRead = { kind: 'reads' };

describe('a mapped message is no read', () => {
  it.each<[string, unknown]>([
    ...[false, 0, 'false', '0', 'no', 'OFF', 'absent', 'not_home'].map((value): [string, unknown] => [
      'present',
      value,
    ]),
    ...['isPresent', 'tag_present', 'Presence', 'in-range', 'inField', 'atHome', 'VISIBLE', 'deviceInRange'].map(
      (name): [string, unknown] => [name, false],
    ),
    ...[0, '0', '0.0'].map((value): [string, unknown] => ['confidence', value]),
    ...['removed', 'gone', 'tagLost', 'isAbsent', 'card_removed', 'Departed', 'expired'].map(
      (name): [string, unknown] => [name, true],
    ),
    ...['event', 'event_type', 'evt', 'tagType', 'Action', 'MOVE', 'cardState', 'status', 'reason'].map(
      (name): [string, unknown] => [name, 'removed'],
    ),
    ...['TagLost', 'tag removed', 'LEFT', 'exit', 'timed out', 'age_out', 'ageout', 'Not Available', 'outOfRange'].map(
      (word): [string, unknown] => ['event', word],
    ),
  ])('with %s %j', (name, value) => {
    expect(mapped({ uid, [name]: value })).toEqual(status);
    expect(mapped({ [name]: value, rssi: -60, uid })).toEqual(status);
    expect(mapped({ uid, bevent: { [name]: value } })).toEqual(
      name === 'reason' ? expect.objectContaining(isRead) : status,
    );
    expect(mapped({ data: { tags: [{ uid, [name]: value }] } }, listed)).toEqual(status);
  });

  it.each<[string, unknown]>([
    ['event', 'removed'],
    ['present', false],
    ['state', 'absent'],
  ])('with %s %j around its list', (name, value) => {
    expect(mapped({ [name]: value, data: { tags: [{ uid }] } }, listed)).toEqual(status);
    expect(mapped({ data: { tags: [{ uid }], [name]: value } }, listed)).toEqual(status);
    const texts = { ...card, list: 'data[].tags[]', value: '@' };
    expect(mapped({ data: [{ [name]: value, tags: [uid] }], [name]: value }, texts)).toEqual(status);
    const objects = { ...card, list: 'data[].tags[]' };
    expect(mapped({ data: [{ [name]: value, tags: [{ uid }] }, { tags: [{ uid: epc }] }] }, objects)).toMatchObject({
      reads: [{ value: epc }],
    });
  });

  it.each(['not_present', 'false', '0', 'OFF', 'no', 'offline', 'none', '"away"', ' left\r\n'])(
    '%j of a tag that its topic names',
    (payload) => {
      const mapping: Mapping = { value: 'topic()[1]', time_unit: 's', tag_type: 'ble' };
      expect(mapped(payload, mapping, 'ble/d8a01d553303')).toEqual(status);
    },
  );
});

describe('a mapped message is a read', () => {
  it.each<[string, unknown]>([
    ...[true, 'true', 1, 'yes', 'present', null, ''].map((value): [string, unknown] => ['present', value]),
    ...['100', 5, '0.5', null].map((value): [string, unknown] => ['confidence', value]),
    ...[false, 'false', 0, 3, null].map((value): [string, unknown] => ['removed', value]),
    ...['enter', 'home', 'off', 'detected', 'OFF', 'removed soon', 'left side'].map((word): [string, unknown] => [
      'state',
      word,
    ]),
    ...[
      ['connected', false],
      ['connectable', 0],
      ['direction', 'exit'],
      ['motion', 0],
      ['open', false],
    ].map(([name, value]): [string, unknown] => [name as string, value]),
    ['detected', false],
    ['door', 'left'],
  ])('with %s %j', (name, value) => {
    expect(mapped({ uid, [name]: value })).toMatchObject(isRead);
    expect(mapped({ [name]: value, data: { tags: [{ uid }] } }, listed)).toMatchObject(isRead);
  });

  it('with a reason beside its list, which says why the list was sent', () => {
    expect(mapped({ reason: 'timeout', data: { tags: [{ uid }] } }, listed)).toMatchObject(isRead);
    expect(mapped({ data: { reason: 'timeout', tags: [{ uid, reason: 'left' }] } }, listed)).toEqual(status);
  });

  it('if the device beside its list is gone', () => {
    const message = { peer: { state: 'lost' }, data: { tags: [{ uid }] } };
    expect(mapped(message, listed)).toMatchObject(isRead);
  });

  it('if its condition says so, whatever else it has', () => {
    const mapping = { ...card, condition: "reader == 'A'" };
    expect(mapped({ uid, reader: 'A', present: false, event: 'removed' }, mapping)).toMatchObject(isRead);
    expect(mapped({ uid, reader: 'B', present: true }, mapping)).toEqual(status);
    const ofTopic: Mapping = { value: 'topic()[1]', condition: '@ == `false`', time_unit: 's', tag_type: 'ble' };
    expect(mapped('false', ofTopic, 'ble/d8a01d553303')).toMatchObject(isRead);
    expect(mapped('true', ofTopic, 'ble/d8a01d553303')).toEqual(status);
  });

  it.each(['present', 'true', '1', 'home', 'ON', 'online'])('%j of a tag that its topic names', (payload) => {
    const mapping: Mapping = { value: 'topic()[1]', time_unit: 's', tag_type: 'ble' };
    expect(mapped(payload, mapping, 'ble/d8a01d553303')).toMatchObject({ reads: [{ value: 'D8A01D553303' }] });
  });
});

describe('in the formats of devices', () => {
  const cases: [ReaderFormat, object, string?][] = [
    ['native', { reads: [{ value: epc, rssi_dbm: -50 }] }],
    ['csl_cs463', { rfidReaderName: 'r', tags: [{ epc, antennaPort: 1, rssi: '-50' }] }],
    ['zebra_iotc', { timestamp: '2026-05-01T10:00:00Z', data: { idHex: epc, peakRssi: -50 } }],
    ['impinj_iot', { timestamp: '2026-05-01T10:00:00Z', tagInventoryEvent: { epcHex: epc } }],
    ['smartreader', { readerName: 'r', tag_reads: [{ epc, peakRssi: -50 }] }],
    ['gl_s10', { dev_list: [{ mac, rssi: -50 }] }],
    ['moko_mk107', { msg_id: 3070, data: [{ mac, rssi: -50 }] }],
    ['minew_g1', { mac, rssi: -50, timestamp: '2026-05-01T10:00:00Z' }],
    ['ruuvi', { gw_mac: 'AA:BB:CC:00:00:01', rssi: -50, data: '' }, 'ruuvi/gw/D8:A0:1D:55:33:02'],
    ['theengs', { id: mac, rssi: -50 }],
    ['espresense', { id: mac, mac, rssi: -50, distance: 2 }],
    ['cassia', { action: 'data.scan', data: [{ bdaddrs: [{ bdaddr: mac }], rssi: -50 }] }],
    ['shelly', { BTHome_version: 2, address: mac, rssi: -50 }],
    ['april_brother', { mid: 1, devices: [[0, mac, -50, '']] }],
  ];

  it.each(cases)('%s: a message is no read if it says that its tags are gone', (format, payload, topic) => {
    const options = topic === undefined ? {} : { topic };
    expect(understand(format, payload, options)).toMatchObject(isRead);
    for (const departure of [{ event: 'removed' }, { present: false }, { Status: 'Not-Present' }, { lost: 'yes' }]) {
      expect(understand(format, { ...departure, ...payload }, options)).toEqual(status);
    }
    for (const [name, value] of Object.entries({ present: true, state: 'off', connected: false, lost: false })) {
      expect(understand(format, { ...payload, [name]: value }, options)).toMatchObject(isRead);
    }
  });

  it('a tag of a list may be gone while the others are read', () => {
    const devices = [
      { mac, rssi: -50, presence: 'absent' },
      { mac: 'D8:A0:1D:55:33:03', rssi: -51 },
    ];
    expect(understand('gl_s10', { dev_list: devices })).toMatchObject({ reads: [{ value: 'D8A01D553303' }] });
    expect(understand('moko_mk107', { msg_id: 3070, data: devices })).toMatchObject({
      reads: [{ value: 'D8A01D553303' }],
    });
  });
});
