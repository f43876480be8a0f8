import { setTimeout as delay } from 'node:timers/promises';

/** The day's clock: milliseconds since the day began, and the real instants at which they were reached. */
export type DayClock = {
  /** How far the day has come. */
  now(): number;
  /** Waits until an instant of the day is due, and goes there. */
  reach(dayMs: number): Promise<void>;
  /** The real instant at which it was this instant of the day, in epoch milliseconds. Before the day it ran as fast. */
  realAt(dayMs: number): number;
  /** The day goes on from here, after it has stood still. */
  goOn(): void;
};

type Anchor = { dayMs: number; realMs: number };

/** How much of the day is remembered: more than any clock is behind. */
const rememberedMs = 10 * 60_000;
/** A delay from which on a day is late instead of a little behind. */
const lateMs = 500;

export type ClockOptions = {
  /** How many milliseconds of the day are played in a real one; Infinity for as many as can be. */
  speed: number;
  /** Epoch milliseconds. */
  realNow: () => number;
  signal: AbortSignal;
};

/** A clock that stands at the beginning of the day. */
export function createDayClock({ speed, realNow, signal }: ClockOptions): DayClock {
  const begin: Anchor = { dayMs: 0, realMs: realNow() };
  let anchors = [begin];
  let last = begin;
  /** From where it is counted what is due. */
  let origin = begin;

  async function reach(dayMs: number): Promise<void> {
    const waitMs = origin.realMs + (dayMs - origin.dayMs) / speed - realNow();
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    pass(dayMs);
    // A day that is late takes longer, instead of being played in a rush.
    if (waitMs < -lateMs) origin = last;
    if ((anchors[0]?.dayMs ?? 0) < dayMs - 2 * rememberedMs) {
      anchors = anchors.filter((anchor) => anchor.dayMs >= dayMs - rememberedMs);
    }
  }

  function pass(dayMs: number): void {
    last = { dayMs, realMs: Math.max(realNow(), last.realMs) };
    anchors.push(last);
  }

  function realAt(dayMs: number): number {
    const at = anchors.findLastIndex((anchor) => anchor.dayMs <= dayMs);
    const before = anchors[at];
    const after = anchors[at + 1];
    if (before && after) {
      const share = (dayMs - before.dayMs) / (after.dayMs - before.dayMs);
      return Math.round(before.realMs + share * (after.realMs - before.realMs));
    }
    const known = before ?? anchors[0] ?? begin;
    return Math.round(known.realMs + (dayMs - known.dayMs) / pace());
  }

  /** How fast the day has been so far. */
  function pace(): number {
    return Number.isFinite(speed) ? speed : Math.max(last.dayMs, 1) / Math.max(last.realMs - begin.realMs, 1);
  }

  return {
    now: () => last.dayMs,
    reach,
    realAt,
    goOn() {
      pass(last.dayMs);
      origin = last;
    },
  };
}
