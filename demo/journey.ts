import type { Random } from './random.js';
import { wayBetween } from './site.js';

/** From an instant on, milliseconds since the day began, a thing is in a zone; null for being away from the site. */
export type Stay = { fromMs: number; zone: string | null };

const secondMs = 1000;

/** A thing's way through the day, written down as it goes. */
export type Journey = {
  readonly stays: readonly Stay[];
  /** When its last step was made. */
  now(): number;
  /** Stays where it is until the instant, or no time at all if that has passed. */
  waitUntil(atMs: number): void;
  wait(ms: number): void;
  /** Goes to a zone on the shortest way; passing a hall takes a quarter of a minute or more. */
  goTo(zone: string): void;
  leave(): void;
};

/** @param from where the day begins; null for what is not there yet */
export function beginJourney(random: Random, from: string | null): Journey {
  const stays: Stay[] = [{ fromMs: 0, zone: from }];
  let nowMs = 0;
  let at = from;

  function enter(zone: string | null): void {
    at = zone;
    stays.push({ fromMs: nowMs, zone });
  }

  return {
    stays,
    now: () => nowMs,
    waitUntil: (atMs) => {
      nowMs = Math.max(nowMs, atMs);
    },
    wait: (ms) => {
      nowMs += ms;
    },
    goTo(zone) {
      if (zone === at) return;
      if (at !== null) {
        for (const passed of wayBetween(at, zone)) {
          enter(passed);
          nowMs += random.between(15, 45) * secondMs;
        }
      }
      enter(zone);
    },
    leave: () => enter(null),
  };
}
