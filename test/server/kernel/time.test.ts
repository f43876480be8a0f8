import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTimestamp } from '../../../server/kernel/time.js';

const year0Ms = Date.parse('0000-01-01T00:00:00Z');
const year10000Ms = Date.parse('9999-12-31T23:59:59.999Z');

test('an instant is formatted as JavaScript formats a date', () => {
  fc.assert(
    fc.property(fc.integer({ min: year0Ms, max: year10000Ms }), (ms) => {
      expect(formatTimestamp(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: 5000 },
  );
});

test.each([year0Ms, -1, -86_400_000, 0, 86_399_999, 86_400_000, 951_782_400_000, year10000Ms])(
  'an instant at the border of a day or year is formatted as JavaScript does: %d',
  (ms) => {
    expect(formatTimestamp(ms)).toBe(new Date(ms).toISOString());
  },
);

test('parts of a millisecond are left out', () => {
  expect(formatTimestamp(1.9)).toBe('1970-01-01T00:00:00.001Z');
});

test('invalid instants are rejected', () => {
  expect(() => formatTimestamp(Number.NaN)).toThrow(RangeError);
});
