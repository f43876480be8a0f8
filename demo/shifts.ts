import type { Random } from './random.js';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** The hour at which the day begins, with the early shift. */
export const firstHour = 6;

/** How busy each hour of a day is: two shifts with a break each, and little work at night. */
const activity: readonly number[] = [
  0.1, 0.1, 0.1, 0.1, 0.1, 0.3, 1, 1, 1, 0.5, 1, 1, 0.4, 1, 0.9, 1, 1, 0.9, 0.4, 0.7, 0.6, 0.4, 0.1, 0.1,
];

/** Returns from 0 to 1 how busy the warehouse is at an instant, in milliseconds since the day began. */
export function activityAt(atMs: number): number {
  return activity[Math.floor(firstHour + atMs / hourMs) % activity.length] ?? 0;
}

/** Draws an instant of a day of the given length, more often in busy hours. */
export function workingInstant(random: Random, dayMs: number): number {
  for (;;) {
    const atMs = random.fraction() * dayMs;
    if (random.chance(activityAt(atMs))) return atMs;
  }
}

/** Formats an instant of the day as the time on a clock: hours and minutes. */
export function formatTime(atMs: number): string {
  const minutes = Math.floor(atMs / minuteMs) + firstHour * 60;
  const part = (value: number) => String(value).padStart(2, '0');
  return `${part(Math.floor(minutes / 60) % 24)}:${part(minutes % 60)}`;
}
