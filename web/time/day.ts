import { shownTimeZone, startOfDay } from '../ui/formats.js';

const hourMs = 3_600_000;

/** Returns a day of the calendar, such as `2026-01-31`; undefined for anything else. */
export function dayIn(given: unknown): string | undefined {
  if (typeof given !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(given)) return undefined;
  const noonMs = noonOf(given);
  return !Number.isNaN(noonMs) && new Date(noonMs).toISOString().startsWith(given) ? given : undefined;
}

/** Returns when a day begins in the time zone shown, in epoch milliseconds. */
export function dayOf(day: string): number {
  const guess = startOfDay(noonOf(day));
  // In time zones far ahead of UTC, noon in UTC is on the next day.
  return dayText(guess) > day ? startOfDay(guess - hourMs) : guess;
}

/** Returns the day of an instant in the time zone shown, as `YYYY-MM-DD`. */
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

/** Returns the day that is `days` days later. */
export function shiftedDay(day: string, days: number): string {
  return new Date(noonOf(day) + days * 24 * hourMs).toISOString().slice(0, 10);
}

/** Returns noon of a day in UTC. */
export function noonOf(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}
