import { useSyncExternalStore } from 'react';
import { i18n } from '../i18n/i18n.js';

/** How a person wants dates, times and numbers written; null for the settings of the browser and device. */
export type FormatPreferences = {
  /** IANA time zone, such as `Europe/Berlin`. */
  time_zone: string | null;
  /** BCP 47 language tag, such as `de-DE`: the order of dates, names of months, separators in numbers. */
  locale: string | null;
  hour_cycle: 'h12' | 'h23' | null;
};

export const devicePreferences: FormatPreferences = { time_zone: null, locale: null, hour_cycle: null };

type Formats = {
  preferences: FormatPreferences;
  /** Compared, so that components render again when the preferences change. */
  version: number;
  number: Intl.NumberFormat;
  relative: Intl.RelativeTimeFormat;
  exact: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  date: Intl.DateTimeFormat;
  dateTime: Intl.DateTimeFormat;
  /** Date and time to the second. */
  dateSecond: Intl.DateTimeFormat;
  /** The time to the second. */
  clockSecond: Intl.DateTimeFormat;
  /** Such as `Sun, Nov 22`. */
  weekday: Intl.DateTimeFormat;
  /** Such as `Sun`. */
  weekdayName: Intl.DateTimeFormat;
  /** The fields of a local date and time as numbers. */
  fields: Intl.DateTimeFormat;
  /** The language tag that the formats are made with; undefined is the browser's. */
  locale: string | undefined;
};

function createFormats(preferences: FormatPreferences, version: number): Formats {
  const locale = preferences.locale ?? localeOfDevice();
  const zone: Intl.DateTimeFormatOptions = {
    ...(preferences.time_zone !== null && { timeZone: preferences.time_zone }),
    ...(preferences.hour_cycle !== null && { hourCycle: preferences.hour_cycle }),
  };
  return {
    preferences,
    version,
    number: new Intl.NumberFormat(locale),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' }),
    exact: new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'full', timeStyle: 'long' }),
    clock: new Intl.DateTimeFormat(locale, { ...zone, timeStyle: 'short' }),
    date: new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'medium' }),
    dateTime: new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'medium', timeStyle: 'short' }),
    dateSecond: new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'medium', timeStyle: 'medium' }),
    clockSecond: new Intl.DateTimeFormat(locale, { ...zone, timeStyle: 'medium' }),
    weekday: new Intl.DateTimeFormat(locale, { ...zone, weekday: 'short', month: 'short', day: 'numeric' }),
    weekdayName: new Intl.DateTimeFormat(locale, { ...zone, weekday: 'short' }),
    fields: new Intl.DateTimeFormat('en-US', {
      ...(preferences.time_zone !== null && { timeZone: preferences.time_zone }),
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
    locale,
  };
}

/**
 * Returns the locale of the device, or the app's language if that is another language; undefined is the browser's
 * locale.
 */
function localeOfDevice(): string | undefined {
  const isSame = globalThis.navigator?.language.split('-')[0] === i18n.locale;
  return isSame ? undefined : i18n.locale;
}

let current = createFormats(devicePreferences, 0);
const listeners = new Set<() => void>();

/**
 * Takes over a person's preferences. If the browser does not know a value, such as a new time zone, the setting of the
 * device is used.
 */
export function setFormatPreferences(preferences: FormatPreferences): void {
  if (JSON.stringify(preferences) === JSON.stringify(current.preferences)) return;
  try {
    current = createFormats(preferences, current.version + 1);
  } catch {
    current = createFormats(devicePreferences, current.version + 1);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Renders a component again when the person's preferences change. */
export function useFormats(): Formats {
  return useSyncExternalStore(subscribe, () => current);
}

/** Returns the present formats, for functions outside of components. */
export function formats(): Formats {
  return current;
}

/** Returns the time zone in which instants are shown. */
export function shownTimeZone(): string {
  return current.exact.resolvedOptions().timeZone;
}

/** Returns when the day of an instant began in the time zone shown, in epoch milliseconds. */
export function startOfDay(atMs: number): number {
  const localMs = atMs + zoneOffsetMs(atMs);
  // On a day on which the clocks change, the time before noon is an hour longer or shorter. A second look at the offset
  // corrects the guess.
  const guess = atMs - (((localMs % dayMs) + dayMs) % dayMs);
  const offset = zoneOffsetMs(atMs) - zoneOffsetMs(guess);
  return guess + offset;
}

const dayMs = 86_400_000;

/** Returns how far the clocks of the time zone shown are ahead of UTC at an instant. */
export function zoneOffsetMs(atMs: number): number {
  const parts = current.fields.formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const shown = new Date(0);
  shown.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  shown.setUTCHours(part('hour'), part('minute'), part('second'));
  return shown.getTime() - Math.floor(atMs / 1000) * 1000;
}
