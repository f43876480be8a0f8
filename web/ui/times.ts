import { plural, t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import { formats } from './formats.js';

const tickMs = 5000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the present instant in epoch milliseconds, at most some seconds old. One timer serves the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, latestNow);
}

/**
 * Returns a value computed from the present instant. The component is rendered again only when the value changes, not
 * with each tick.
 */
export function useFromNow<Value extends string | number | boolean>(select: (nowMs: number) => Value): Value {
  return useSyncExternalStore(subscribe, () => select(latestNow()));
}

function latestNow(): number {
  if (Date.now() - now > tickMs) now = Date.now();
  return now;
}

const units = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/**
 * Returns the time since an instant in the largest full unit, or the time until it, rounded: "3 minutes ago", "in 90
 * days", "just now".
 */
export function relativeTime(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs;
  const size = Math.abs(distance);
  if (size < 30_000) return t`just now`;
  const unit = units.find(([, length]) => size >= length);
  const { relative } = formats();
  if (!unit) return relative.format(Math.round(distance / 1000), 'second');
  const [name, length] = unit;
  return relative.format(distance < 0 ? Math.trunc(distance / length) : Math.round(distance / length), name);
}

/** Returns the instant to the second, in the person's time zone and format. */
export function exactTime(atMs: number): string {
  return formats().exact.format(atMs);
}

/** From this many minutes on, seconds are left out of a length of time. */
const minutesWithoutSeconds = 10;

/** Returns a length of time in its two largest units, without seconds from ten minutes on: "3 days 4 h", "12 min", "1 min 50 s". */
export function durationText(lengthMs: number): string {
  const seconds = Math.max(0, Math.round(lengthMs / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) {
    return hours > 0
      ? plural(days, { one: `${days} day ${hours} h`, other: `${days} days ${hours} h` })
      : plural(days, { one: `${days} day`, other: `${days} days` });
  }
  if (hours > 0) return minutes > 0 ? t`${hours} h ${minutes} min` : t`${hours} h`;
  if (minutes === 0) return t`${seconds} s`;
  const rest = seconds % 60;
  return minutes < minutesWithoutSeconds && rest > 0 ? t`${minutes} min ${rest} s` : t`${minutes} min`;
}
