const shape = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

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
  const match = shape.exec(text);
  if (!match) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  const offsetHour = Number(match[9] ?? 0);
  const offsetMinute = Number(match[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000 * (match[8] === '-' ? -1 : 1);
  const fraction = (match[7] ?? '').slice(0, 3).padEnd(3, '0');
  const wholeSecondMs = dayMs(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 - offsetMs;
  const ms = wholeSecondMs + Number(fraction);
  return wholeSecondMs < year0Ms || ms >= year10000Ms ? undefined : ms;
}

/** Returns the beginning of a day. `Date.UTC` alone maps the years 0 to 99 to the 20th century. */
function dayMs(year: number, month: number, day: number): number {
  return year >= 100 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);
}

function lastDay(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (daysInMonth[month - 1] ?? 0);
}
