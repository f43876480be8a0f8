import { expect, test } from 'vitest';
import { candidatesOf, codesOf } from '../../web/scanning/location-tags.js';

const ward = { id: 17, name: 'Ward 3A', external_key: 'Ward-3a', is_active: true };

function finds(value: string): boolean {
  const codes = codesOf('1/1', [
    { ...ward, tag_type: 'barcode', value: 'LOC-3A' },
    { ...ward, tag_type: 'ble', value: 'AC:23:3F:A0:32:08' },
  ]).map(({ code }) => code);
  const { tags, names } = candidatesOf(value);
  return [...tags, ...names].some((code) => codes.includes(code));
}

test.each(['LOC-3A', 'loc-3a', 'ac233fa03208', 'AC-23-3F-A0-32-08', '/l/17', '/L/17', 'Ward-3a'])(
  'a phone knows the location by %s',
  (value) => {
    expect(finds(value)).toBe(true);
  },
);

// The service compares keys as they are, in capitals and in small letters.
test.each(['LOC3A', '/a/17', '/l/1', 'wARD-3A', 'key Ward-3a', 'barcode LOC-3A', ''])(
  'a phone does not take %j for the location',
  (value) => {
    expect(finds(value)).toBe(false);
  },
);

test('a location without tags is known by its label and its key', () => {
  expect(codesOf('1/1', [{ ...ward, tag_type: null, value: null }]).map(({ code }) => code)).toEqual([
    '/l/17',
    'key Ward-3a',
  ]);
});
