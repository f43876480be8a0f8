import type { Random } from './random.js';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** The hour at which the day begins: the early shift comes. */
export const firstHour = 6;

/** How busy an hour of the day is: two shifts with a break each, and hardly anybody at night. */
const activity: readonly number[] = [
  ...[0.1, 0.1, 0.1, 0.1, 0.1, 0.3],
  ...[1, 1, 1, 0.5, 1, 1, 0.4, 1],
  ...[0.9, 1, 1, 0.9, 0.4, 0.7, 0.6, 0.4],
  ...[0.1, 0.1],
];

/** How busy it is at an instant of the day, from 0 to 1. Instants are milliseconds since the day began. */
export function activityAt(atMs: number): number {
  return activity[Math.floor(firstHour + atMs / hourMs) % activity.length] ?? 0;
}

/** An instant of a day of the given length at which work is done: more of them in busy hours. */
export function workingInstant(random: Random, dayMs: number): number {
  for (;;) {
    const atMs = random.fraction() * dayMs;
    if (random.chance(activityAt(atMs))) return atMs;
  }
}

/** What a clock on the wall of the warehouse shows. */
export function wallClock(atMs: number): string {
  const minutes = Math.floor(atMs / minuteMs) + firstHour * 60;
  const part = (value: number) => String(value).padStart(2, '0');
  return `${part(Math.floor(minutes / 60) % 24)}:${part(minutes % 60)}`;
}
