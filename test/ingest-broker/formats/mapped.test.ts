import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../server/index.js';
import { rejected, status, understand } from './understand.js';

describe('mapped', () => {
  const keonn: Mapping = {
    list: 'report.items',
    value: 'tag.epc',
    antenna: 'port',
    rssi: 'rssi',
    time: 'ts',
    time_unit: 's',
    tag_type: 'rfid',
  };

  it('finds a list and what its items hold', () => {
    const payload = {
      report: {
        items: [{ tag: { epc: 'e280' }, port: 2, rssi: '-50', ts: 1780587173.5 }, { tag: { epc: 'E281' } }, { tag: 5 }],
      },
    };
    expect(understand('mapped', payload, { mapping: keonn })).toEqual({
      kind: 'reads',
      loss: 'report.items[2].tag.epc is missing',
      missing: [],
      reads: [
        { tagType: 'rfid', value: 'E280', antenna: 2, rssiDbm: -50, observedAtMs: 1780587173500 },
        { tagType: 'rfid', value: 'E281', antenna: 1, rssiDbm: null, observedAtMs: null },
      ],
    });
  });

  it('takes one object where a list may have one', () => {
    const payload = { report: { items: { tag: { epc: 'e280' } } } };
    expect(understand('mapped', payload, { mapping: keonn })).toMatchObject({ reads: [{ value: 'E280' }] });
  });

  it('reads from the root without a list, with each unit and type', () => {
    const root = (mapping: Omit<Mapping, 'value'>, payload: object) =>
      understand('mapped', payload, { mapping: { value: 'id', time: 't', ...mapping } });
    const at5 = { observedAtMs: 5000 };
    expect(root({ time_unit: 's', tag_type: 'barcode' }, { id: 'abc', t: 5 })).toMatchObject({
      reads: [{ ...at5, value: 'abc', tagType: 'barcode' }],
    });
    expect(root({ time_unit: 'ms', tag_type: 'ble' }, { id: 'aa:bb:cc:dd:ee:ff', t: '5000' })).toMatchObject({
      reads: [{ ...at5, value: 'AABBCCDDEEFF', tagType: 'ble' }],
    });
    expect(root({ time_unit: 'us', tag_type: 'rfid' }, { id: 'abc', t: 5_000_999 })).toMatchObject({
      reads: [{ ...at5, value: 'ABC', tagType: 'rfid' }],
    });
    expect(root({ time_unit: 'rfc3339', tag_type: 'rfid' }, { id: 'abc', t: '1970-01-01T00:00:05Z' })).toMatchObject({
      reads: [at5],
    });
  });

  it.each(['TagLost', 'tag_removed', 'card removed', 'left', 'out_of_range', 'Departed'])(
    'takes %s for no read',
    (event) => {
      const mapping: Mapping = { value: 'epc', time_unit: 's', tag_type: 'rfid' };
      expect(understand('mapped', { epc: 'E280', event }, { mapping })).toEqual(status);
      expect(understand('mapped', { epc: 'E280', event: `${event} side` }, { mapping })).toMatchObject({
        kind: 'reads',
      });
    },
  );

  it('rejects what has no value but resembles a read, and recognizes a status by its topic', () => {
    expect(understand('mapped', { report: {} }, { mapping: keonn })).toEqual(status);
    expect(understand('mapped', { report: { epc: 'E280' } }, { mapping: keonn })).toEqual(rejected);
    const elsewhere = { mapping: keonn, onReadsTopic: false };
    expect(understand('mapped', { report: { epc: 'E280' } }, elsewhere)).toEqual(status);
    expect(understand('mapped', { report: { items: [{ port: 1 }] } }, { mapping: keonn })).toEqual({
      kind: 'rejected',
      reason: 'report.items[0].tag.epc is missing',
    });
  });
});
