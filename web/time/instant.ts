import { formats, zoneOffsetMs } from '../ui/formats.js';

/** Returns an instant of the past in an address, as RFC 3339; undefined for any other text. */
export function instantIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) || ms > Date.now() ? undefined : instantText(ms);
}

/** Returns an instant in an address: RFC 3339 in UTC, to the second. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns an instant in the format of a field for date and time, in the time zone shown: `2026-01-31T14:00:00`. */
export function localText(ms: number): string {
  return new Date(ms + zoneOffsetMs(ms)).toISOString().slice(0, 19);
}

/** Returns the instant in a field for date and time, in the time zone shown; NaN if it is empty. */
export function localInstant(text: string): number {
  return instantOfLocal(Date.parse(`${text}Z`));
}

/**
 * Returns the instant at which clocks in the time zone shown have the date and time that UTC has at `asUtcMs`. A time
 * that the clocks skip (in Chile it is midnight) becomes a time after the gap, so that a day never begins on the
 * previous day.
 */
export function instantOfLocal(asUtcMs: number): number {
  if (Number.isNaN(asUtcMs)) return asUtcMs;
  // Near a change of the clocks, the first guess has the offset of the other side of the change.
  const ms = asUtcMs - zoneOffsetMs(asUtcMs - zoneOffsetMs(asUtcMs));
  return ms + Math.max(0, asUtcMs - (ms + zoneOffsetMs(ms)));
}

/** Returns the label of a mark on a scale of at most a week: "14:00", or "Sun" at midnight. */
export function markWords(ms: number): string {
  const { clock, weekdayName } = formats();
  return (localText(ms).endsWith('T00:00:00') ? weekdayName : clock).format(ms);
}

/** Returns a point of such a scale as text: "14:00", with its day if it is not today. */
export function pointWords(ms: number, nowMs: number): string {
  const { clock, weekdayName } = formats();
  return isSameDay(ms, nowMs) ? clock.format(ms) : `${weekdayName.format(ms)} ${clock.format(ms)}`;
}

/** Returns an instant as short text, in the time zone shown: "14:00" today, otherwise with its day. */
export function instantWords(ms: number, nowMs: number): string {
  const { clock, dateTime } = formats();
  return (isSameDay(ms, nowMs) ? clock : dateTime).format(ms);
}

function isSameDay(ms: number, otherMs: number): boolean {
  return localText(ms).slice(0, 10) === localText(otherMs).slice(0, 10);
}
