import { localInstant, localText } from '../time/instant.js';

/** A period of whole days by the calendar of the time zone shown, as in an address: `2026-01-31`, the last day included. */
export type DayPeriod = { from?: string; to?: string };

const dayMs = 86_400_000;
const daysDefault = 30;
/** The longest period that the service accepts. */
const daysMax = 92;

export function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}

/** Returns the day that is `days` days after another day. */
function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns how many days a range has, both ends included. */
export function lengthOf({ fromDay, toDay }: Range): number {
  return (Date.parse(toDay) - Date.parse(fromDay)) / dayMs + 1;
}

export type Range = { from: string; until: string; fromDay: string; toDay: string };

/** Returns the first and the last instant of a period; by default the last 30 days, and at most 92 days. */
export function rangeOf({ from, to }: DayPeriod, nowMs: number): Range {
  const toDay = to ?? localText(nowMs).slice(0, 10);
  const given = from ?? addDays(toDay, 1 - daysDefault);
  const earliest = addDays(toDay, 1 - daysMax);
  const fromDay = given > toDay ? toDay : given < earliest ? earliest : given;
  const fromMs = localInstant(`${fromDay}T00:00`);
  // A day on which the clocks change is longer or shorter.
  const untilMs = Math.min(localInstant(`${addDays(toDay, 1)}T00:00`), fromMs + daysMax * dayMs);
  return { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString(), fromDay, toDay };
}
