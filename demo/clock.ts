import { setTimeout as delay } from 'node:timers/promises';

/** The clock of the simulated day: milliseconds since the day began, and the real instants at which they were reached. */
export type DayClock = {
  /** The latest instant of the day that was reached. */
  now(): number;
  /** Waits until an instant of the day is due, then advances to it. */
  reach(dayMs: number): Promise<void>;
  /** Returns the real instant, in epoch milliseconds, of an instant of the day. Before the day began the speed is the same. */
  realAt(dayMs: number): number;
  /** Returns the instant of the day at a real instant in epoch milliseconds. Never before the day began or after `now`. */
  dayAt(realMs: number): number;
  /** Resumes the day after a pause, from the present real instant. */
  resume(): void;
};

/** If the delay is longer than this, the day is moved back instead of played faster to catch up. */
const lateMs = 500;

export type ClockOptions = {
  /** Simulated milliseconds per real millisecond; Infinity for as fast as possible. */
  speed: number;
  /** Returns epoch milliseconds. */
  realNow: () => number;
  signal: AbortSignal;
};

/** Creates a clock at the beginning of the day. */
export function createDayClock({ speed, realNow, signal }: ClockOptions): DayClock {
  const beganAtMs = realNow();
  /** Instants of the day and the real instants at which they were reached, both ascending. */
  const days = [0];
  const reals = [beganAtMs];
  let lastDayMs = 0;
  let lastRealMs = beganAtMs;
  /** From where due times are counted. */
  let origin = { dayMs: 0, realMs: beganAtMs };

  async function reach(dayMs: number): Promise<void> {
    const waitMs = origin.realMs + (dayMs - origin.dayMs) / speed - realNow();
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    advance(dayMs);
    if (waitMs < -lateMs) origin = { dayMs: lastDayMs, realMs: lastRealMs };
  }

  function advance(dayMs: number): void {
    lastDayMs = dayMs;
    lastRealMs = Math.max(realNow(), lastRealMs);
    days.push(lastDayMs);
    reals.push(lastRealMs);
  }

  function realAt(dayMs: number): number {
    const at = lastUpTo(days, dayMs);
    if (at < 0) return Math.round(beganAtMs + dayMs / pace());
    if (at === days.length - 1) return Math.round(lastRealMs + (dayMs - lastDayMs) / pace());
    return Math.round(between(days, reals, { at, value: dayMs }));
  }

  function dayAt(realMs: number): number {
    const at = lastUpTo(reals, realMs);
    if (at < 0) return 0;
    return at === reals.length - 1 ? lastDayMs : between(reals, days, { at, value: realMs });
  }

  /** The speed so far. */
  function pace(): number {
    return Number.isFinite(speed) ? speed : Math.max(lastDayMs, 1) / Math.max(lastRealMs - beganAtMs, 1);
  }

  return {
    now: () => lastDayMs,
    reach,
    realAt,
    dayAt,
    resume() {
      advance(lastDayMs);
      origin = { dayMs: lastDayMs, realMs: lastRealMs };
    },
  };
}

/** The index of the last of some ascending numbers that is no larger than a value; -1 where all are larger. */
function lastUpTo(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Interpolates from one scale to another between two neighboring entries. */
function between(from: readonly number[], to: readonly number[], { at, value }: { at: number; value: number }): number {
  const [before = 0, after = 0] = [from[at], from[at + 1]];
  const [start = 0, end = 0] = [to[at], to[at + 1]];
  return start + ((value - before) / (after - before)) * (end - start);
}
