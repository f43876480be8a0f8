import {
  type AssetState,
  createSite,
  judge,
  type Judgment,
  type LocatingRead,
  type Site,
  type Surroundings,
} from '../../../server/locating/index.js';

export const startMs = Date.UTC(2026, 4, 1, 10);

export const at = (seconds: number): number => startMs + seconds * 1000;

/** The antenna of a location: each has a reader of its own. */
export function antennaOf(location: number): number {
  return location * 65536 + 1;
}

/** Surroundings in which nothing was learned, or what is given. */
export function surroundingsWith(changes: Partial<Surroundings> = {}): Surroundings {
  return { ...createSite().surroundings, ...changes };
}

export function readAt(location: number, seconds: number, rssiDbm: number | null = -57): LocatingRead {
  return {
    antenna: antennaOf(location),
    location,
    kind: 'zone',
    rule: 'evidence',
    tag: 1,
    isBle: false,
    rssiDbm,
    atMs: at(seconds),
  };
}

/** Reads once a second, the last second included. */
export function readsAt(
  location: number,
  [fromSecond, untilSecond]: readonly [number, number],
  rssiDbm: number | null = -57,
): LocatingRead[] {
  return Array.from({ length: untilSecond - fromSecond + 1 }, (_, i) => readAt(location, fromSecond + i, rssiDbm));
}

/** Judges reads in surroundings that do not change. */
export function play(
  reads: readonly LocatingRead[],
  surroundings: Surroundings = surroundingsWith(),
  state?: AssetState,
): Judgment[] {
  let known = state;
  return reads.map((read) => {
    const judgment = judge(known, read, surroundings);
    known = judgment.state;
    return judgment;
  });
}

/** Judges reads at a site that learns from them, and returns the last state. */
export function learnFrom(site: Site, reads: readonly LocatingRead[], state?: AssetState): AssetState | undefined {
  let known = state;
  for (const read of reads) {
    const judgment = judge(known, read, site.surroundings);
    site.reported(Math.floor(read.antenna / 65536), read.atMs);
    site.learn(judgment);
    known = judgment.state;
  }
  return known;
}
