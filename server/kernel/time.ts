import { z } from 'zod';

const timeShape = /^[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const dateLength = 10;

const year0Ms = -62167219200000;
const year10000Ms = 253402300800000;

/** The two instants that mean "no value" in other systems and are rejected in requests (contract 1.5). */
export const sentinelInstants: ReadonlySet<number> = new Set([Date.parse('0001-01-01T00:00:00Z'), 0]);

const msPerDay = 86_400_000;

const twoDigits = Array.from({ length: 60 }, (_none, value) => String(value).padStart(2, '0'));
const threeDigits = Array.from({ length: 1000 }, (_none, value) => String(value).padStart(3, '0'));

/** Dates with their `T`, by days since 1970. */
const dates = new Map<number, string>();

/** How many dates are remembered; a page of a list has a few hundred at most. */
const datesMax = 4000;

/**
 * Formats epoch milliseconds as `YYYY-MM-DDTHH:MM:SS.mmmZ` (contract 1.5). It is several times faster than `Date`,
 * which took 6 % of the processor time of a list.
 *
 * @throws RangeError if `Date` does not support the instant
 */
export function formatTimestamp(ms: number): string {
  const wholeMs = Math.trunc(ms);
  const day = Math.floor(wholeMs / msPerDay);
  const ofDayMs = wholeMs - day * msPerDay;
  const seconds = Math.floor(ofDayMs / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
  return `${dateOf(day)}${time}.${threeDigits[ofDayMs % 1000]}Z`;
}

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const [date] = new Date(day * msPerDay).toISOString().split('T');
  const text = `${date}T`;
  if (dates.size >= datesMax) dates.clear();
  dates.set(day, text);
  return text;
}

/** The stored row for a view; its instants are epoch milliseconds. */
export type Stored<View, Instant extends keyof View> = Omit<View, Instant> & {
  [Key in Instant]: number | Extract<View[Key], null>;
};

/** Does the same as `formatTimestamp`; null stays null. */
export function formatNullableTimestamp(ms: number | null): string | null {
  return ms === null ? null : formatTimestamp(ms);
}

/**
 * Parses an RFC 3339 timestamp with 0 to 9 fractional digits into epoch milliseconds; undefined if the text is invalid
 * (contract 1.5). Drops digits beyond the millisecond from the text, before 1970 as well. Rejects dates that do not
 * exist, leap seconds, and instants outside the years 0000 to 9999 UTC.
 */
export function parseTimestamp(text: string): number | undefined {
  // `Date` alone would take 30 February for 2 March.
  if (!z.regexes.date.test(text.slice(0, dateLength)) || !timeShape.test(text.slice(dateLength))) return undefined;
  const ms = Date.parse(text.toUpperCase());
  return ms < year0Ms || ms >= year10000Ms ? undefined : ms;
}
