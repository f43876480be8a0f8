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
])('reads %s, %s', (cell, order, instant) => {
  expect(timestampOf(cell, { order, isEnd: false })).toBe(instant);
});

it.each(['', '2026-11-21T14:30:00Z', '2026-02-30', '31/31/2026', 'tomorrow', '1.2.26', '2026-11-21 25:00', '1/2.2026'])(
  'leaves "%s" as it is',
  (cell) => {
    expect(timestampOf(cell, { order: 'day-first', isEnd: true })).toBe(cell);
  },
);

it('counts the last day, and lets a time of day end when it says', () => {
  expect(timestampOf('2026-10-25', { order: 'day-first', isEnd: true })).toBe('2026-10-25T23:00:00.000Z');
  expect(timestampOf('2026-10-25 12:00', { order: 'day-first', isEnd: true })).toBe('2026-10-25T11:00:00.000Z');
});

it('finds out which number is the day where that can be known', () => {
  expect(['1/2/2026', '1-2-2026', '1.2.2026', '2026-01-02'].map(needsOrder)).toEqual([true, true, false, false]);
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
