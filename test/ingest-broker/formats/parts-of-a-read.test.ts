import { describe, expect, it } from 'vitest';
import type { ReaderFormat } from '../../../server/index.js';
import { epc, understand } from './understand.js';

const at = (iso: string) => Date.parse(iso);

describe('parts of a read', () => {
  const one = (fields: object) => {
    const understood = understand('native', { reads: [{ value: 'x', ...fields }] });
    return understood.kind === 'reads' ? understood.reads[0] : understood;
  };

  it.each([
    ['3', 3],
    [' 4 ', 4],
    [0, 0],
    [65_535, 65_535],
    [65_536, 1],
    [-1, 1],
    [1.5, 1],
    ['two', 1],
    [null, 1],
    [{}, 1],
    [true, 1],
  ])('antenna %j is %j', (antenna, expected) => {
    expect(one({ antenna })).toMatchObject({ antenna: expected });
  });

  it.each([
    ['-56', -56],
    [-56.25, -56.25],
    ['-56 dBm', -56],
    ['-56.5dbm', -56.5],
    ['-56,5', -56.5],
    ['-56 dB per m', null],
    ['1,2,3', null],
    [-200, -200],
    // No tag is received so strongly: some readers send such a level for none.
    [0, null],
    [100, null],
    [-200.5, null],
    [101, null],
    ['weak', null],
    ['', null],
    [null, null],
  ])('strength %j is %j', (rssi_dbm, expected) => {
    expect(one({ rssi_dbm })).toMatchObject({ rssiDbm: expected });
  });

  it.each([
    ['2026-05-01T10:00:00Z', at('2026-05-01T10:00:00Z')],
    ['2026-05-01T12:00:00.5+02:00', at('2026-05-01T10:00:00.5Z')],
    ['2026-05-01T12:00:00.123456789+0200', at('2026-05-01T10:00:00.123Z')],
    [' 2026-05-01T08:00:00-0200 ', at('2026-05-01T10:00:00Z')],
    // As Python, Go and Ruby print it, and with an offset of hours alone.
    ['2026-05-01 10:00:00.123456+00:00', at('2026-05-01T10:00:00.123Z')],
    ['2026-05-01 12:00:00.5 +0200', at('2026-05-01T10:00:00.5Z')],
    ['2026-05-01 10:00:00 UTC', at('2026-05-01T10:00:00Z')],
    ['2026-05-01T07:00:00-03', at('2026-05-01T10:00:00Z')],
    ['2026-05-01 10:00:00Z', at('2026-05-01T10:00:00Z')],
    ['2026-02-30T10:00:00Z', null],
    ['2026-02-30 10:00:00Z', null],
    ['2026-05-01', null],
    ['2026-05-01 10:00:00', null],
    [1780587173668, 1780587173668],
    [null, null],
  ])('time %j is %j', (observed_at, expected) => {
    expect(one({ observed_at })).toMatchObject({ observedAtMs: expected });
  });

  it('take counts of time as numbers or text, cut to the millisecond', () => {
    const time = (timeStampOfRead: unknown) => {
      const understood = understand('csl_cs463', { tags: [{ epc, timeStampOfRead }] });
      return understood.kind === 'reads' ? understood.reads[0]?.observedAtMs : understood;
    };
    expect(time('1780587173668999')).toBe(1780587173668);
    expect(time(1780587173668999)).toBe(1780587173668);
    expect(time('soon')).toBeNull();
    expect(time(1e30)).toBeNull();
  });

  it('keep a native value as it came, and bring a vendor’s to one form', () => {
    expect(one({ value: ' ab-12 ' })).toMatchObject({ value: 'ab-12' });
    expect(one({ value: '\u0002E2801190\r\u0003' })).toMatchObject({ value: 'E2801190' });
    expect(one({ value: 42, tag_type: 'barcode' })).toMatchObject({ value: '42', tagType: 'barcode' });
    const value = (format: ReaderFormat, payload: object) => {
      const understood = understand(format, payload);
      return understood.kind === 'reads' ? understood.reads[0]?.value : understood;
    };
    expect(value('csl_cs463', { tags: [{ epc: 'e280ab' }] })).toBe('E280AB');
    expect(value('csl_cs463', { tags: [{ epc: 'pallet 7' }] })).toBe('pallet 7');
    expect(value('gl_s10', { dev_list: [{ mac: 'f9:5b-c0:ec:4e:56', rssi: -60 }] })).toBe('F95BC0EC4E56');
    expect(value('theengs', { id: '58:78:20:76:bc:24', rssi: -60 })).toBe('58782076BC24');
    expect(value('impinj_iot', { tagInventoryEvent: { epc: '4oARkKUDAGVD4hIk' } })).toBe('E2801190A503006543E21224');
    expect(value('impinj_iot', { tagInventoryEvent: { epc: '-_8' } })).toBe('FBFF');
  });
});
