import { likelihoods } from './evidence.js';
import { confidenceByLoudness } from './loudest.js';
import type { AntennaKey, AssetState, LocationId, Surroundings } from './types.js';

/** What one antenna contributes to the decision. */
export type Evidence = {
  antenna: AntennaKey;
  location: LocationId;
  tag: number;
  /** Mean level; null without RSSI. */
  rssiDbm: number | null;
  reads: number;
  lastReadAtMs: number;
};

type Explanation = {
  /** The probability of the location compared with the other locations that receive the asset. */
  confidence: number;
  /** Antennas that received the asset during the visit, antennas of its location first, then the strongest. */
  evidence: Evidence[];
};

/** Explains why an asset is where it was decided to be. `nowMs` is the present time of the server. */
export function explain(state: AssetState, surroundings: Surroundings, nowMs: number): Explanation {
  const evidence = state.tallies
    .flatMap((tally): Evidence[] => {
      const reads = tally.reads + tally.newReads;
      const settings = surroundings.antenna(tally.antenna);
      if (reads === 0 || settings === undefined) return [];
      const level = tally.newReads > 0 ? (tally.newLevel ?? tally.level) : tally.level;
      const rssiDbm = level === null ? null : level / 100;
      return [
        {
          ...{ antenna: tally.antenna, location: settings.location, tag: tally.tag },
          ...{ rssiDbm, reads, lastReadAtMs: Math.min(tally.lastMs, nowMs) },
        },
      ];
    })
    .sort((a, b) => rankOf(b, state) - rankOf(a, state) || b.reads - a.reads || a.antenna - b.antenna || a.tag - b.tag);
  return { confidence: confidenceOf(state, surroundings), evidence };
}

function rankOf({ location, rssiDbm }: Evidence, state: AssetState): number {
  return (location === state.location ? 1000 : 0) + (rssiDbm ?? -500);
}

/** A person's word counts more than any antenna; a single read counts little. */
function confidenceOf(state: AssetState, surroundings: Surroundings): number {
  if (state.reason === 'handheld') return 0.99;
  const reads = state.tallies.reduce((sum, tally) => sum + tally.reads + tally.newReads, 0);
  const likelihood = confidenceByLoudness(state, surroundings) ?? confidenceByEvidence(state, surroundings);
  return Math.round(likelihood * (reads / (reads + 0.5)) * 100) / 100;
}

function confidenceByEvidence(state: AssetState, surroundings: Surroundings): number {
  const all = likelihoods(state, surroundings);
  const own = all.find(({ location }) => location === state.location)?.logLikelihood ?? 0;
  let others = 0;
  for (const { location, logLikelihood } of all) {
    if (location !== state.location) others += Math.exp(Math.min(50, logLikelihood - own));
  }
  return 1 / (1 + others);
}
