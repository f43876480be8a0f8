import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type DateOrder,
  needsOrder,
  orderOf,
  timestampOf,
  usualOrder,
  withTimestamps,
} from '../../../web/csv/dates.js';
import { devicePreferences, setFormatPreferences } from '../../../web/ui/formats.js';

// Dates as people and spreadsheets write them, where a person has chosen the time zone of Berlin.

beforeEach(() => setFormatPreferences({ ...devicePreferences, time_zone: 'Europe/Berlin' }));
afterEach(() => setFormatPreferences(devicePreferences));

it.each<[string, DateOrder, string]>([
  ['2026-11-21', 'day-first', '2026-11-20T23:00:00.000Z'],
  [' 2026-7-1 ', 'day-first', '2026-06-30T22:00:00.000Z'],
  ['2026-11-21 14:30', 'day-first', '2026-11-21T13:30:00.000Z'],
  ['2026-11-21T14:30:05', 'month-first', '2026-11-21T13:30:05.000Z'],
  ['21.11.2026', 'month-first', '2026-11-20T23:00:00.000Z'],
  ['1.2.2026 08:05', 'month-first', '2026-02-01T07:05:00.000Z'],
  ['03/04/2026', 'day-first', '2026-04-02T22:00:00.000Z'],
  ['03/04/2026', 'month-first', '2026-03-03T23:00:00.000Z'],
  ['3-4-2026, 7:00:01', 'month-first', '2026-03-04T06:00:01.000Z'],
  // LibreOffice in German, Numbers and LibreOffice in English, SQL Server, Danish, Hungarian.
  ['21.11.26', 'month-first', '2026-11-20T23:00:00.000Z'],
  ['1.2.26 08:05', 'month-first', '2026-02-01T07:05:00.000Z'],
  ['11/22/2026 2:00 PM', 'month-first', '2026-11-22T13:00:00.000Z'],
  ['11/22/2026, 12:05:07\u202Fa.m.', 'month-first', '2026-11-21T23:05:07.000Z'],
  ['2026-11-21 14:30:00.0000000', 'day-first', '2026-11-21T13:30:00.000Z'],
  ['21.11.2026 14.30', 'day-first', '2026-11-21T13:30:00.000Z'],
  ['2026. 11. 21.', 'day-first', '2026-11-20T23:00:00.000Z'],
  // PostgreSQL, and ISO 8601 without seconds.
  ['2026-11-21 14:30:00+00', 'day-first', '2026-11-21T14:30:00+00:00'],
  ['2026-11-21 14:30:00.5-0330', 'day-first', '2026-11-21T14:30:00.5-03:30'],
  ['2026-11-21T14:30Z', 'day-first', '2026-11-21T14:30:00Z'],
  ['2026-11-21 14:30:00 UTC', 'day-first', '2026-11-21T14:30:00Z'],
])('reads %s, %s', (cell, order, instant) => {
  expect(timestampOf(cell, { order, isEnd: false })).toBe(instant);
});

it.each([
  '',
  '2026-11-21T14:30:00Z',
  '2026-11-21T14:30:00.123+01:00',
  '2026-02-30',
  '31/31/2026',
  'tomorrow',
  '31.2.26',
  // Two digits of a year are not known from two of a day.
  '1/2/26',
  '26-11-21',
  '2026-11-21 25:00',
  '2026-11-21 14:00 PM',
  '2026-11-21 0:00 AM',
  '1/2.2026',
])('leaves "%s" as it is', (cell) => {
  expect(timestampOf(cell, { order: 'day-first', isEnd: true })).toBe(cell);
});

it('counts the last day, and lets a time of day end when it says', () => {
  expect(timestampOf('2026-10-25', { order: 'day-first', isEnd: true })).toBe('2026-10-25T23:00:00.000Z');
  expect(timestampOf('2026-10-25 12:00', { order: 'day-first', isEnd: true })).toBe('2026-10-25T11:00:00.000Z');
});

it.each(['Europe/Berlin', 'America/New_York', 'UTC'])('takes the end that means none in SAP, in %s', (zone) => {
  setFormatPreferences({ ...devicePreferences, time_zone: zone });
  expect(timestampOf('31.12.9999', { order: 'day-first', isEnd: true })).toMatch(/^9999-12-31T23:/);
});

it.each([
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
])('in %s, where clocks skip %s, it is %s', (zone, cell, instant) => {
  setFormatPreferences({ ...devicePreferences, time_zone: zone });
  expect(timestampOf(cell, { order: 'day-first', isEnd: false })).toBe(instant);
});

it('finds out which number is the day where that can be known', () => {
  const needing = ['1/2/2026', '1-2-2026', '1/2/2026 2:00 PM', '1.2.2026', '2026-01-02', '1/2/26'].map(needsOrder);
  expect(needing).toEqual([true, true, true, false, false, false]);
  expect(orderOf(['1/2/2026', '13/2/2026'])).toBe('day-first');
  expect(orderOf(['1/2/2026', '2/13/2026', '31.12.2026'])).toBe('month-first');
  expect(orderOf(['1/2/2026'])).toBeUndefined();
  expect(orderOf(['13/2/2026', '2/13/2026'])).toBeUndefined();
  expect([usualOrder('en-US'), usualOrder('en-GB'), usualOrder('de')]).toEqual([
    'month-first',
    'day-first',
    'day-first',
  ]);
});

it('changes the columns of dates alone', () => {
  const rows = [{ line: 2, cells: ['2026-11-21', '2026-11-21', '2026-11-21'] }];
  expect(withTimestamps(rows, { columns: ['name', 'valid_from', 'valid_to'], order: 'day-first' })).toEqual([
    { line: 2, cells: ['2026-11-21', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'] },
  ]);
});
