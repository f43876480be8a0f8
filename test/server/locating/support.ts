import { decide } from '../../../server/locating/index.js';
import type {
  AntennaSettings,
  AssetState,
  Judgment,
  LocatingRead,
  Surroundings,
} from '../../../server/locating/index.js';

export const startMs = Date.UTC(2026, 4, 1, 10);

/** The antenna of a location: each has a reader of its own. */
export function antennaOf(location: number): number {
  return location * 65536 + 1;
}

/** Surroundings in which antennas have learned their levels, or nothing at all. */
export function surroundingsWith(changes: Partial<Surroundings> = {}): Surroundings {
  return {
    antenna: (key) => zone(Math.floor(key / 65536)),
    level: () => ({ meanDbm: -57, flickerDb: 2.5, gapMs: 1000, reads: 500 }),
    signature: () => undefined,
    reportedUntilMs: () => Number.MAX_SAFE_INTEGER,
    ...changes,
  };
}

export function zone(location: number, rule: AntennaSettings['rule'] = 'evidence'): AntennaSettings {
  return { location, kind: 'zone', rule };
}

export function readAt(location: number, seconds: number, rssiDbm: number | null = -57): LocatingRead {
  return { antenna: antennaOf(location), tag: 1, rssiDbm, atMs: startMs + seconds * 1000 };
}

/** Reads once a second, the last second included. */
export function readsAt(
  location: number,
  [fromSecond, untilSecond]: readonly [number, number],
  rssiDbm: number | null = -57,
): LocatingRead[] {
  return Array.from({ length: untilSecond - fromSecond + 1 }, (_, i) => readAt(location, fromSecond + i, rssiDbm));
}

export function play(
  reads: readonly LocatingRead[],
  surroundings: Surroundings = surroundingsWith(),
  state?: AssetState,
): Judgment[] {
  let known = state;
  return reads.map((read) => {
    const judgment = decide(known, read, surroundings);
    known = judgment.state;
    return judgment;
  });
}
