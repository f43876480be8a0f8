import { describe, expect, it } from 'vitest';
import {
  aheadText,
  type AssetEvidence,
  confidenceText,
  type EvidenceLocation,
  nextText,
  reasonText,
} from '../../web/pages/assets/evidence-text.js';

function location(location_name: string, more: Partial<EvidenceLocation> = {}): EvidenceLocation {
  return {
    reader_id: 1,
    reader_name: 'Gate',
    antenna: 1,
    kind: 'zone',
    tag_type: 'rfid',
    tag_value: 'E1',
    location_id: location_name.length,
    location_name,
    rssi_dbm: -58.4,
    last_read_at: '2026-06-01T12:00:00.000Z',
    ahead_db: null,
    needed_db: null,
    needed_seconds: null,
    is_by_picture: false,
    ...more,
  };
}

function evidence(more: Partial<AssetEvidence> = {}): AssetEvidence {
  return {
    location_id: 1,
    location_name: 'Aisle C',
    confidence: 1,
    reason: null,
    placement: null,
    is_held_by_scan: false,
    locations: [],
    evidence: [],
    ...more,
  };
}

describe('the comparison with the present location', () => {
  it.each([
    [null, false, ''],
    [-12.4, false, '12\u00A0dB behind'],
    [3, false, '3\u00A0dB ahead'],
    [-5, true, '5\u00A0dB behind, by its picture'],
    [5, true, '5\u00A0dB ahead, by its picture'],
  ])('of %s dB, by the picture: %s', (ahead_db, is_by_picture, text) => {
    expect(aheadText(location('Dock 1', { ahead_db, is_by_picture }))).toBe(text);
  });
});

describe('what would move the asset', () => {
  it('is the location that is furthest ahead, with the time that it needs', () => {
    const dock = location('Dock 1', { ahead_db: -4, needed_db: 10, needed_seconds: 1.25 });
    expect(nextText(evidence({ locations: [location('Aisle C'), dock] }))).toBe(
      'To move it, Dock 1 has to be 10 dB ahead for 1.3 s, or less for longer.',
    );
    expect(nextText(evidence({ locations: [location('Aisle C')] }))).toBe('');
  });

  it('is an antenna that is louder than just after a scan that holds', () => {
    expect(nextText(evidence({ is_held_by_scan: true }))).toBe(
      'The scan holds until an antenna elsewhere hears it 6 dB better than any did in the ten seconds after the scan.',
    );
  });
});

describe('the reason', () => {
  it.each([
    ['first', null, 'First seen at Aisle C.'],
    ['newest', 'Dock 1', 'The newest read alone decided.'],
    ['moved', 'Dock 1', 'An antenna at Aisle C heard it better than those at Dock 1 for long enough.'],
    ['moved', null, 'An antenna at Aisle C heard it best for long enough.'],
    ['picture', 'Dock 1', 'What all antennas heard fits the learned picture of Aisle C better than that of Dock 1.'],
    ['picture', null, 'What all antennas heard fits the learned picture of Aisle C best.'],
    ['portal', null, 'Passing through Aisle C.'],
    ['handheld', null, 'Scanned at Aisle C with a handheld.'],
    ['same', null, 'It was at Aisle C before the service was updated, and nothing has moved it since.'],
  ] as const)('of %s, before at %s', (code, other, text) => {
    const reason = { code, other_location_name: other };
    expect(reasonText(evidence({ reason }))).toBe(text);
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
