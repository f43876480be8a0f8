import type { Schedule } from './schemas.js';

const formats = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

type LocalTime = { day: number; minutes: number };

/** Returns a clock for a time zone: the day of the week (1 is Monday) and the minutes since midnight of an instant. */
function localClock(timeZone: string): (atMs: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const day = formats.indexOf(parts.get('weekday') ?? '');
    return { day: day === 0 ? 7 : day, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
  };
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

/**
 * Returns a function that returns whether a schedule is active at an instant. Hours that run past midnight belong to
 * the day on which they begin. Where a clock change skips or repeats an hour, the local time counts.
 */
export function activeHours(schedule: Schedule | null): (atMs: number) => boolean {
  if (schedule === null) return () => true;
  const clock = localClock(schedule.time_zone);
  const days = new Set(schedule.days);
  const [from, to] = [minutesOf(schedule.from), minutesOf(schedule.to)];
  return (atMs) => {
    const { day, minutes } = clock(atMs);
    if (from < to) return days.has(day) && minutes >= from && minutes < to;
    const dayBefore = day === 1 ? 7 : day - 1;
    return (days.has(day) && minutes >= from) || (days.has(dayBefore) && minutes < to);
  };
}
