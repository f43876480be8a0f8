import { afterEach, expect, test } from 'vitest';
import { marksBetween } from '../../web/pages/home/time-marks.js';
import { devicePreferences, setFormatPreferences } from '../../web/ui/formats.js';

afterEach(() => setFormatPreferences(devicePreferences));

// Reads are counted in slots of ten minutes, and Nepal is 5:45 ahead: no slot begins at one of its hours.
test.each([
  ['UTC', ['12:00', '18:00', '00:00', '06:00']],
  ['Asia/Kathmandu', ['12:15', '18:15', '00:15', '06:15']],
])('the chart of reads has marks at every sixth hour in %s', (time_zone, expected) => {
  setFormatPreferences({ time_zone, locale: null, hour_cycle: null });
  const marks = marksBetween(Date.parse('2026-07-01T09:10:00Z'), Date.parse('2026-07-02T09:00:00Z'));
  expect(marks.map((atMs) => new Date(atMs).toISOString().slice(11, 16))).toEqual(expected);
});
