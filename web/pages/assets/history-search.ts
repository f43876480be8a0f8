import { shownTimeZone, startOfDay } from '../../ui/formats.js';

/** The days that the history shows, as `YYYY-MM-DD` in the time zone shown, both included. */
export type HistorySearch = { from?: string; to?: string };

/** Days that the history can show together. */
export const historyDaysMax = 31;

const daysAtFirst = 7;

/** Reads an address; what it says wrongly is left out. */
export function parseHistorySearch({ from, to }: Record<string, unknown>): HistorySearch {
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) };
}

function isDay(given: unknown): given is string {
  return typeof given === 'string' && /^[12]\d{3}-\d\d-\d\d$/.test(given) && isInCalendar(given);
}

/** Whether a month has that day. */
function isInCalendar(day: string): boolean {
  const noonMs = noonOf(day);
  return !Number.isNaN(noonMs) && new Date(noonMs).toISOString().startsWith(day);
}

/** A range of days: midnight of the first day, and of the day after the last, in epoch milliseconds. */
export type DayRange = { from: string; to: string; startMs: number; endMs: number };

/** The range that an address asks for: the last seven days unless it says otherwise, and 31 days before its end at most. */
export function rangeOf({ from, to }: HistorySearch, nowMs: number): DayRange {
  const today = dayText(nowMs);
  const last = to ?? (from === undefined ? today : laterOf(from, today));
  const earliest = shiftedDay(last, 1 - historyDaysMax);
  const wanted = from ?? shiftedDay(last, 1 - daysAtFirst);
  const first = wanted > last ? last : laterOf(wanted, earliest);
  return { from: first, to: last, startMs: dayOf(first), endMs: dayOf(shiftedDay(last, 1)) };
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

const hourMs = 3_600_000;

/** When a day begins in the time zone shown, in epoch milliseconds. */
export function dayOf(day: string): number {
  const guess = startOfDay(noonOf(day));
  // Where clocks are far ahead of UTC, noon there is on the next day.
  return dayText(guess) > day ? startOfDay(guess - hourMs) : guess;
}

/** The day of an instant in the time zone shown, as `YYYY-MM-DD`. */
export function dayText(atMs: number): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: shownTimeZone(),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** A day so many days later. */
export function shiftedDay(day: string, days: number): string {
  return new Date(noonOf(day) + days * 24 * hourMs).toISOString().slice(0, 10);
}

/** Noon of a day in UTC. */
function noonOf(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}
