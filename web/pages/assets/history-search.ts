import { dayOf, dayText, shiftedDay } from '../../time/day.js';
import { dayPart, type Search, searchOf } from '../../ui/address-search.js';

const parts = { from: dayPart, to: dayPart };

/** The days that the history shows, as `YYYY-MM-DD` in the time zone shown, both included. */
export type HistorySearch = Search<typeof parts>;

export function parseHistorySearch(given: Record<string, unknown>): HistorySearch {
  return searchOf(parts, given);
}

/** The most days that the history can show together. */
export const historyDaysMax = 31;

const daysAtFirst = 7;

/** A range of days: midnight of the first day, and of the day after the last, in epoch milliseconds. */
export type DayRange = { from: string; to: string; startMs: number; endMs: number };

/** Returns the range in an address: the last seven days by default, and at most 31 days. */
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
