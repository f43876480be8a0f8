import { formats, zoneOffsetMs } from '../ui/formats.js';

/** Returns an instant of the past in an address, as RFC 3339; undefined where the text is none. */
export function instantIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) || ms > Date.now() ? undefined : instantText(ms);
}

/** Returns an instant in an address: RFC 3339 in UTC, to the second. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns an instant as a field for date and time has it, in the time zone shown: `2026-01-31T14:00:00`. */
export function localText(ms: number): string {
  return new Date(ms + zoneOffsetMs(ms)).toISOString().slice(0, 19);
}

/** Returns the instant that a field for date and time names in the time zone shown; NaN for none. */
export function localInstant(text: string): number {
  return instantOfLocal(Date.parse(`${text}Z`));
}

/**
 * Returns the instant at which clocks in the time zone shown have the date and time that UTC has at `asUtcMs`. A time that clocks
 * skip, which in Chile is midnight, is as much later: a day begins on that day.
 */
export function instantOfLocal(asUtcMs: number): number {
  if (Number.isNaN(asUtcMs)) return asUtcMs;
  // Where the clocks change, the offset of the first guess is that of the other side.
  const ms = asUtcMs - zoneOffsetMs(asUtcMs - zoneOffsetMs(asUtcMs));
  return ms + Math.max(0, asUtcMs - (ms + zoneOffsetMs(ms)));
}

/** Returns a mark of a scale of at most a week: "14:00", or "Sun" at midnight. */
export function markWords(ms: number): string {
  const { clock, weekdayName } = formats();
  return (localText(ms).endsWith('T00:00:00') ? weekdayName : clock).format(ms);
}

/** Returns a point of such a scale: "14:00", with its day if it is not of today. */
export function pointWords(ms: number, nowMs: number): string {
  const { clock, weekdayName } = formats();
  return isSameDay(ms, nowMs) ? clock.format(ms) : `${weekdayName.format(ms)} ${clock.format(ms)}`;
}

/** Returns an instant in a few words, in the time zone shown: "14:00" for one of today, else with its day. */
export function instantWords(ms: number, nowMs: number): string {
  const { clock, dateTime } = formats();
  return (isSameDay(ms, nowMs) ? clock : dateTime).format(ms);
}

function isSameDay(ms: number, otherMs: number): boolean {
  return localText(ms).slice(0, 10) === localText(otherMs).slice(0, 10);
}
