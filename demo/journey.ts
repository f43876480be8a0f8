import type { Random } from './random.js';
import { routeBetween } from './site.js';

/** From an instant on, in milliseconds since the day began, a thing is in a zone; null means off the site. */
export type Visit = { fromMs: number; zone: string | null };

const secondMs = 1000;

/** The movements of one thing through the day, recorded as they are planned. */
export type Journey = {
  readonly visits: readonly Visit[];
  /** The end of the journey so far. */
  now(): number;
  /** Stays until the instant, or moves on at once if it has passed. */
  waitUntil(atMs: number): void;
  wait(ms: number): void;
  /** Goes to a zone on the shortest route. Each zone on the way takes 15 to 45 s. */
  goTo(zone: string): void;
  leave(): void;
};

/** @param from the zone in which the day begins; null for a thing that is not on the site yet */
export function beginJourney(random: Random, from: string | null): Journey {
  const visits: Visit[] = [{ fromMs: 0, zone: from }];
  let nowMs = 0;
  let current = from;

  function enter(zone: string | null): void {
    current = zone;
    visits.push({ fromMs: nowMs, zone });
  }

  return {
    visits,
    now: () => nowMs,
    waitUntil: (atMs) => {
      nowMs = Math.max(nowMs, atMs);
    },
    wait: (ms) => {
      nowMs += ms;
    },
    goTo(zone) {
      if (zone === current) return;
      if (current !== null) {
        for (const passed of routeBetween(current, zone)) {
          enter(passed);
          nowMs += random.between(15, 45) * secondMs;
        }
      }
      enter(zone);
    },
    leave: () => enter(null),
  };
}
