import { shiftedDay } from '../time/day.js';
import { localInstant, localText } from '../time/instant.js';

/** A period of whole days by the calendar of the time zone shown, as in an address: `2026-01-31`, the last day included. */
export type DayPeriod = { from?: string; to?: string };

const dayMs = 86_400_000;
const daysDefault = 30;
/** The longest period that the service accepts. */
const daysMax = 92;

/** Returns how many days a range has, both ends included. */
export function lengthOf({ fromDay, toDay }: Range): number {
  return (Date.parse(toDay) - Date.parse(fromDay)) / dayMs + 1;
}

export type Range = { from: string; until: string; fromDay: string; toDay: string };

/** Returns the first and the last instant of a period; by default the last 30 days, and at most 92 days. */
export function rangeOf({ from, to }: DayPeriod, nowMs: number): Range {
  const toDay = to ?? localText(nowMs).slice(0, 10);
  const given = from ?? shiftedDay(toDay, 1 - daysDefault);
  const earliest = shiftedDay(toDay, 1 - daysMax);
  const fromDay = given > toDay ? toDay : given < earliest ? earliest : given;
  const fromMs = localInstant(`${fromDay}T00:00`);
  // A day on which the clocks change is longer or shorter.
  const untilMs = Math.min(localInstant(`${shiftedDay(toDay, 1)}T00:00`), fromMs + daysMax * dayMs);
  return { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString(), fromDay, toDay };
}
