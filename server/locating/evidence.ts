import { candidatesMax, restartCost, returnCost, transit, transitMs, transitReadCost } from './constants.js';
import { hasLevels, likelihood, logSum } from './likelihood.js';
import { likelihoodOfNoChange } from './no-change.js';
import { observe } from './observations.js';
import type { AssetState, LocationId, Observation, Surroundings } from './types.js';

/** A location, and how much better it explains reads than the present one: the natural logarithm of a likelihood ratio. */
type Comparison = { location: LocationId; advantage: number };

/** The result of comparing explanations of the reads of the open change. */
export type ChangeComparison = {
  /** The other location that explains them best; undefined without one. */
  location: LocationId | undefined;
  /** Its advantage over the explanations that the asset stayed, judged or put down again. */
  advantage: number;
  /** Its advantage over all other locations together, the present one included. */
  lead: number;
  /** Its advantage over being in transit; infinite where that is not considered. */
  transitLead: number;
  /** The advantage of the explanation that the asset was put down again over the explanation that nothing changed. */
  restartAdvantage: number;
};

/** Compares the possible explanations of the reads of the open change. */
export function compareChange(state: AssetState, atMs: number, surroundings: Surroundings): ChangeComparison {
  const { tallies, changeMs, previous } = state;
  const present = presentOf(state);
  const observations = observe(tallies, { part: 'change', sinceMs: changeMs }, surroundings);
  const none = likelihoodOfNoChange({ tallies, location: present }, { observations, atMs }, surroundings);
  const durationCost = transitDurationCost(observations, atMs - changeMs);
  const anew = likelihood(present, observations, surroundings) - (present === transit ? durationCost : 0);
  let transitValue = present === transit ? anew : Number.NEGATIVE_INFINITY;
  let best = Number.NEGATIVE_INFINITY;
  let bestLocation: LocationId | undefined;
  let others = Number.NEGATIVE_INFINITY;
  for (const candidate of candidatesOf(observations, state, surroundings)) {
    if (candidate === present) continue;
    let cost = candidate === previous ? returnCost : 0;
    if (candidate === transit) cost = durationCost;
    const value = likelihood(candidate, observations, surroundings) - cost;
    if (candidate === transit) transitValue = value;
    others = logSum(others, Math.min(best, value));
    if (value <= best) continue;
    best = value;
    bestLocation = candidate;
  }
  return {
    location: bestLocation,
    advantage: best - logSum(none, anew - restartCost),
    lead: best - logSum(others, anew),
    transitLead: best - transitValue,
    restartAdvantage: anew - none,
  };
}

/** Returns the location that explains all reads of the visit best, compared with the present one. */
export function compareVisit(state: AssetState, surroundings: Surroundings): Comparison | undefined {
  const { tallies, previous } = state;
  const location = presentOf(state);
  const observations = observe(tallies, { part: 'visit', sinceMs: 0 }, surroundings);
  const candidates = candidatesOf(observations, state, surroundings);
  if (candidates.length < 2) return undefined;
  const durationMs = state.lastSeenMs - state.settledMs;
  const durationCost = state.isInTransit ? transitDurationCost(observations, durationMs) : 0;
  const present = likelihood(location, observations, surroundings) - durationCost;
  let best: Comparison = { location, advantage: 0 };
  for (const candidate of candidates) {
    if (candidate === location) continue;
    const cost = candidate === previous ? returnCost : 0;
    const advantage = likelihood(candidate, observations, surroundings) - present - cost;
    if (advantage > best.advantage) best = { location: candidate, advantage };
  }
  return best;
}

/** Returns where the asset is: in transit, or at its location. */
function presentOf({ isInTransit, location }: AssetState): LocationId {
  return isInTransit ? transit : location;
}

/** Returns the locations at which antennas that read something are known to read assets, the present one first. */
function candidatesOf(
  observations: readonly Observation[],
  state: AssetState,
  surroundings: Surroundings,
): LocationId[] {
  const candidates = [presentOf(state)];
  for (const { location, reads } of observations) {
    if (reads > 0 && !candidates.includes(location)) candidates.push(location);
  }
  if (!state.isInTransit && hasLevels(observations)) candidates.push(transit);
  for (const { antenna, reads } of observations) {
    if (reads === 0) continue;
    for (const location of surroundings.locationsOf?.(antenna) ?? []) {
      if (candidates.length >= candidatesMax) return candidates;
      if (!candidates.includes(location)) candidates.push(location);
    }
  }
  return candidates;
}

/** Returns how much less likely transit is because the same antennas have received the asset for some time. */
function transitDurationCost(observations: readonly Observation[], durationMs: number): number {
  let most = 0;
  for (const { reads } of observations) most = Math.max(most, reads);
  return durationMs / transitMs + most * transitReadCost;
}

/** Returns how well each candidate location explains the reads of a visit, and transit if the asset is in transit. */
export function likelihoods(
  state: AssetState,
  surroundings: Surroundings,
): { location: LocationId; logLikelihood: number }[] {
  const observations = observe(state.tallies, { part: 'visit', sinceMs: 0 }, surroundings);
  const candidates = candidatesOf(observations, { ...state, isInTransit: false }, surroundings);
  return candidates
    .filter((candidate) => candidate !== transit || state.isInTransit)
    .map((candidate) => ({
      location: candidate,
      logLikelihood: likelihood(candidate, observations, surroundings),
    }));
}
