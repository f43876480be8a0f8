import { afterEach, expect, test } from 'vitest';
import { devicePreferences, formats, setFormatPreferences, startOfDay } from '../../web/ui/formats.js';
import { quantity } from '../../web/ui/quantity.js';
import { durationText, exactTime } from '../../web/ui/times.js';

afterEach(() => setFormatPreferences(devicePreferences));

const at = Date.parse('2026-07-01T22:30:05Z');

test('times and numbers are written as the person has chosen', () => {
  setFormatPreferences({ time_zone: 'Asia/Tokyo', locale: 'de-DE', hour_cycle: 'h23' });
  expect(exactTime(at)).toMatch(/^Donnerstag, 2\. Juli 2026 um 07:30:05/);
  expect(quantity(12_345, 'asset')).toBe('12.345 assets');
  setFormatPreferences({ time_zone: 'America/New_York', locale: 'en-US', hour_cycle: 'h12' });
  expect(formats().clock.format(at)).toMatch(/^6:30\sPM$/);
});

test.each([
  [40_000, '40 s'],
  [60_000, '1 min'],
  [110_000, '1 min 50 s'],
  [599_000, '9 min 59 s'],
  [754_000, '12 min'],
  [3_600_000, '1 h'],
  [5_430_000, '1 h 30 min'],
  [273_600_000, '3 days 4 h'],
])('a length of %i ms is %s', (lengthMs, text) => {
  expect(durationText(lengthMs)).toBe(text);
});

test('a time zone that the browser does not know is left to the device', () => {
  setFormatPreferences({ time_zone: 'Mars/Olympus', locale: null, hour_cycle: null });
  expect(formats().preferences).toEqual(devicePreferences);
});

test.each([
  ['Asia/Tokyo', '2026-07-01T22:30:05Z', '2026-07-01T15:00:00Z'],
  ['America/New_York', '2026-07-01T03:00:00Z', '2026-06-30T04:00:00Z'],
  // The clocks go forward at two in the morning, and back at three.
  ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z'],
  ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z'],
])('in %s the day of %s began at %s', (time_zone, instant, began) => {
  setFormatPreferences({ time_zone, locale: null, hour_cycle: null });
  expect(new Date(startOfDay(Date.parse(instant))).toISOString()).toBe(new Date(began).toISOString());
});
