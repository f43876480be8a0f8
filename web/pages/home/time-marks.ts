import { startOfDay } from '../../ui/formats.js';

const markMs = 6 * 3_600_000;

/** Returns the marks of a time axis of about a day: every sixth hour in the time zone shown, in epoch milliseconds. */
export function marksBetween(fromMs: number, untilMs: number): number[] {
  const marks = [fromMs, untilMs].flatMap((atMs) => [0, 1, 2, 3].map((mark) => startOfDay(atMs) + mark * markMs));
  return [...new Set(marks)].filter((atMs) => atMs >= fromMs && atMs <= untilMs);
}
