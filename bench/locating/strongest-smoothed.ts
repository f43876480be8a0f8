import type { Decider, SiteSetup } from './decider.js';
import type { Source } from './sources.js';

/** Constants of the rule. */
export type StrongestConstants = {
  /** Time constant of the smoothed levels, in seconds. */
  smoothingS: number;
  /** An antenna takes the asset over if it is stronger by this, in dB. */
  marginDb: number;
};

/** The candidates for `--choose`. */
export const strongestCandidates: readonly StrongestConstants[] = [2, 4, 8, 15].flatMap((smoothingS) =>
  [0, 2, 4, 6].map((marginDb) => ({ smoothingS, marginDb })),
);

/** The constants that `--choose` has chosen, on all kinds of worlds, and without the named kind. */
export const strongestConstants: Readonly<Record<'all' | Source['kind'], StrongestConstants>> = {
  all: { smoothingS: 2, marginDb: 6 },
  long: { smoothingS: 2, marginDb: 4 },
  short: { smoothingS: 2, marginDb: 6 },
  parked: { smoothingS: 2, marginDb: 6 },
  recorded: { smoothingS: 4, marginDb: 6 },
};

/** An antenna that has not read the asset for this long is left out of the comparison. */
const windowS = 20;
/** Stands for the level of a read without RSSI. */
const missingDbm = -60;

/**
 * Creates the rule that the antenna with the highest smoothed level decides, among all that have read the asset in the last
 * seconds. Levels are smoothed over time, not over reads, so that a dense reader is no smoother than a sparse one.
 */
export function createStrongestSmoothed({ assets, antennas }: SiteSetup, constants: StrongestConstants): Decider {
  const { smoothingS, marginDb } = constants;
  const present = new Int32Array(assets).fill(-1);
  const levels = new Float64Array(assets * antennas.length);
  const readMs = new Float64Array(assets * antennas.length).fill(-Infinity);

  /** The present antenna wins a tie. Without a read within the window the asset stays where it is. */
  function decide(asset: number, nowMs: number): void {
    let best = -1;
    let bestDbm = -Infinity;
    for (let antenna = 0; antenna < antennas.length; antenna += 1) {
      const at = asset * antennas.length + antenna;
      if ((readMs[at] ?? 0) < nowMs - windowS * 1000) continue;
      const dbm = (levels[at] ?? 0) + (antenna === present[asset] ? marginDb : 0);
      if (dbm <= bestDbm) continue;
      best = antenna;
      bestDbm = dbm;
    }
    if (best >= 0) present[asset] = best;
  }

  return {
    onRead({ asset, antenna, rssiDbm, receivedMs }) {
      const at = asset * antennas.length + antenna;
      const sinceS = Math.max(0.1, (receivedMs - (readMs[at] ?? 0)) / 1000);
      const dbm = rssiDbm ?? missingDbm;
      const isNew = sinceS > windowS;
      levels[at] = isNew ? dbm : (levels[at] ?? 0) + (1 - Math.exp(-sinceS / smoothingS)) * (dbm - (levels[at] ?? 0));
      readMs[at] = receivedMs;
      decide(asset, receivedMs);
    },
    locationOf: (asset) => antennas[present[asset] ?? -1]?.location ?? 0,
    expire(nowMs) {
      for (let asset = 0; asset < assets; asset += 1) decide(asset, nowMs);
    },
  };
}
