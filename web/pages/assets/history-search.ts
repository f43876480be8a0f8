/** The days that the history shows, as `YYYY-MM-DD` in the viewer's time zone, both included. */
export type HistorySearch = { from?: string; to?: string };

/** Days that the history can show together. */
export const historyDaysMax = 31;

const daysAtFirst = 7;

/** Reads an address; what it says wrongly is left out. */
export function parseHistorySearch({ from, to }: Record<string, unknown>): HistorySearch {
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) };
}

function isDay(given: unknown): given is string {
  return typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && dayText(dayOf(given)) === given;
}

/** A range of days: midnight of the first day, and of the day after the last, in epoch milliseconds. */
export type DayRange = { from: string; to: string; startMs: number; endMs: number };

/** The range that an address asks for: the last seven days unless it says otherwise, and 31 days before its end at most. */
export function rangeOf({ from, to }: HistorySearch, nowMs: number): DayRange {
  const today = dayText(new Date(nowMs));
  const last = to ?? (from === undefined ? today : laterOf(from, today));
  const earliest = shiftedDay(last, 1 - historyDaysMax);
  const wanted = from ?? shiftedDay(last, 1 - daysAtFirst);
  const first = wanted > last ? last : laterOf(wanted, earliest);
  return { from: first, to: last, startMs: dayOf(first).getTime(), endMs: dayOf(shiftedDay(last, 1)).getTime() };
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** Midnight of a day in the viewer's time zone. */
export function dayOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** `YYYY-MM-DD` in the viewer's time zone. */
export function dayText(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A day so many days later, whatever the length of the days between. */
export function shiftedDay(day: string, days: number): string {
  const date = dayOf(day);
  return dayText(new Date(date.getFullYear(), date.getMonth(), date.getDate() + days));
}
