import { describe, expect, it } from 'vitest';
import {
  type AssetEvidence,
  comparisonText,
  confidenceText,
  type EvidenceItem,
  reasonText,
} from '../../web/pages/assets/evidence-text.js';

function item(location_name: string | null, more: Partial<EvidenceItem> = {}): EvidenceItem {
  return {
    ...{ reader_id: 1, reader_name: 'Gate', antenna: 1, kind: 'zone', tag_type: 'rfid', tag_value: 'E1' },
    location_id: location_name === null ? null : location_name.length,
    location_name,
    ...{
      rssi_dbm: -58.4,
      reads: 45,
      last_read_at: '2026-06-01T12:00:00.000Z',
      silent_seconds: null,
    },
    ...more,
  };
}

describe('the comparison of locations', () => {
  it('names level and reads of each, and silence', () => {
    expect(
      comparisonText([
        item('Aisle C'),
        item('Aisle C', { antenna: 2, rssi_dbm: -70 }),
        item('Aisle Dd', { rssi_dbm: -67, reads: 1 }),
        item('Dock 1', { silent_seconds: 240 }),
        item(null, { rssi_dbm: null, reads: 60 }),
      ]),
    ).toBe(
      'Aisle C: −58\u00A0dBm, 45 reads; Aisle Dd: −67\u00A0dBm, 1 read; Dock 1: silent for 4 min; No location: 60 reads',
    );
  });
});

describe('the reason', () => {
  const evidence = (code: NonNullable<AssetEvidence['reason']>['code'], other: string | null): AssetEvidence => ({
    ...{ location_id: 1, location_name: 'Aisle C', confidence: 1, decided_at: null, next_location: null, evidence: [] },
    reason: { code, other_location_id: other === null ? null : 2, other_location_name: other },
  });

  it.each([
    ['first', null, 'First seen at Aisle C.'],
    ['newest', 'Dock 1', 'The newest read alone decided.'],
    ['moved', 'Dock 1', 'The reads fit Aisle C better than Dock 1.'],
    ['moved', null, 'The reads fit Aisle C best.'],
    ['corrected', 'Dock 1', 'All reads together fit Aisle C better than Dock 1.'],
    [
      'in-transit',
      null,
      'It seems to have left Aisle C: antennas receive it only weakly. Aisle C is shown until it arrives elsewhere.',
    ],
    ['portal', null, 'Passing through Aisle C.'],
    ['handheld', null, 'Scanned at Aisle C with a handheld.'],
    ['same', null, 'It was at Aisle C before the service was updated, and nothing has moved it since.'],
  ] as const)('of %s, before at %s', (code, other, text) => {
    expect(reasonText(evidence(code, other))).toBe(text);
  });
});

it.each([
  [0.97, 'High (97%)'],
  [0.9, 'High (90%)'],
  [0.6, 'Medium (60%)'],
  [0.31, 'Low (31%)'],
])('confidence %d is %s', (confidence, text) => {
  expect(confidenceText(confidence)).toBe(text);
});
