import {
  candidatesMax,
  chanceMin,
  driftSdDb,
  gapUnknownMs,
  newcomerShare,
  offlineShare,
  outlierFloor,
  pseudoLevelDbm,
  pseudoLevelSlopeDb,
  pseudoVarianceShare,
  restartCost,
  returnCost,
  shareReadsMax,
  silenceFloor,
  transit,
  transitAdvantage,
  transitMs,
  transitReadCost,
  transitShareUnknown,
} from './constants.js';
import { logChanceOfReads, type ShareBelief } from './read-counts.js';
import { observe, opportunitiesOf } from './observations.js';
import { audibleShareElsewhere, receptionOf, type SignalModel } from './expected-reception.js';
import type { AssetState, LocationId, Observation, Reception, Tally, Surroundings } from './types.js';

/** A location, and how much better it explains reads than the present one: the natural logarithm of a likelihood ratio. */
export type Comparison = { location: LocationId; advantage: number };

/** The result of comparing explanations of the reads of the open change. */
export type ChangeComparison = {
  /** The other location that explains them best; undefined without one. */
  location: LocationId | undefined;
  /** Its advantage over the explanations that the asset stayed, unmoved or put down again. */
  advantage: number;
  /** Its advantage over all other locations together, the present one included. */
  lead: number;
  /** Its advantage over being in transit; infinite where that is not considered. */
  transitLead: number;
  /** The advantage of the explanation that the asset was put down again over that of no change. */
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

function logSum(one: number, other: number): number {
  const most = Math.max(one, other);
  if (most === Number.NEGATIVE_INFINITY) return most;
  return most + Math.log(Math.exp(one - most) + Math.exp(other - most));
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
export function presentOf({ isInTransit, location }: AssetState): LocationId {
  return isInTransit ? transit : location;
}

/** Whether all reads have a level, without which reads from a distance cannot be recognized. */
export function hasLevels(observations: readonly Observation[]): boolean {
  return observations.every(({ reads, hasRssi }) => reads === 0 || hasRssi);
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

/**
 * Returns the natural logarithm of the probability of observations if the asset has come to a location and nothing is
 * known about its exact position there.
 */
export function likelihood(location: LocationId, observations: readonly Observation[], model: SignalModel): number {
  const site = model.site?.(location);
  let sum = location === transit ? transitLikelihood(observations, model) : 0;
  for (const observation of observations) {
    sum += chanceOf(observation, location, receptionOf(observation, location, model));
  }
  // Nobody has read the asset again, so no other antenna has missed an opportunity to.
  if (site === undefined || !observations.some(({ reads }) => reads > 1)) return sum;
  for (const antenna of site.receptions?.keys() ?? site.antennas) {
    if (observations.some((observation) => observation.antenna === antenna)) continue;
    const audible = site.receptions?.get(antenna)?.audible ?? audibleShareElsewhere(antenna, location, model);
    const opportunities = opportunitiesOf(antenna, observations, model);
    sum += Math.log(1 - audible * (1 - 1 / (opportunities + 1)));
  }
  return sum;
}

/** Returns how much less likely transit is because the same antennas have received the asset for some time. */
function transitDurationCost(observations: readonly Observation[], durationMs: number): number {
  let most = 0;
  for (const { reads } of observations) most = Math.max(most, reads);
  return durationMs / transitMs + most * transitReadCost;
}

/** Returns how much more likely transit is than each location, by the share of visits in transit that was learned. */
function transitLikelihood(observations: readonly Observation[], model: SignalModel): number {
  for (const { location, reads } of observations) {
    const share = reads === 0 ? undefined : model.site?.(location)?.transitShare;
    if (share !== undefined) return Math.log(share / (1 - share)) + transitAdvantage;
  }
  return Math.log(transitShareUnknown / (1 - transitShareUnknown)) + transitAdvantage;
}

/** Returns the log-probability of what one antenna has observed. */
function chanceOf(observation: Observation, location: LocationId, reception: Reception): number {
  const { audible } = reception;
  const { reads, opportunities, hasRead, hasRssi, levelDbm, variance, strayChance } = observation;
  const isOwn = observation.location === location;
  // The stronger an antenna that receives the asset would receive it at the location, the less likely it is silent there.
  const isSilent = reads === 0 && hasRead;
  if (hasRssi && !isSilent) {
    const used = isOwn ? ownReadsChance(reads, opportunities) : 1 / (opportunities + 1);
    const chance = Math.max(chanceMin, audible * used + (1 - audible) * strayChance);
    if (reads === 0) return Math.log(observation.isReported ? chance : offlineShare + (1 - offlineShare) * chance);
    const level = normal(levelDbm - reception.meanDbm, reception.variance + variance);
    return Math.log(chance) + Math.max(outlierFloor, level);
  }
  const used = Math.exp(logChanceOfReads(observation, shareAtLevel(reception, hasRssi)));
  return Math.log(Math.max(chanceMin, audible * used + (1 - audible) * strayChance));
}

/**
 * Returns the log-probability of a number of reads at the antenna's own location: it uses a share s of its
 * opportunities with density 5 s⁴.
 */
function ownReadsChance(reads: number, opportunities: number): number {
  const n = reads;
  const m = opportunities;
  return (5 * (n + 1) * (n + 2) * (n + 3) * (n + 4)) / ((m + 1) * (m + 2) * (m + 3) * (m + 4) * (m + 5));
}

/** Returns which share of its opportunities an antenna uses at an expected level. */
function shareAtLevel({ meanDbm, variance }: Pick<Reception, 'meanDbm' | 'variance'>, hasRssi: boolean): ShareBelief {
  const ratio = Math.exp((meanDbm - pseudoLevelDbm) / pseudoLevelSlopeDb);
  const precision = pseudoLevelSlopeDb ** 2 / (hasRssi ? variance : variance * pseudoVarianceShare);
  return { used: precision * (1 + ratio), missed: precision * (1 + 1 / ratio) };
}

/** Returns the log-probability of the reads of the open change if the asset has stayed. */
function likelihoodOfNoChange(
  { tallies, location }: Pick<AssetState, 'tallies' | 'location'>,
  { observations, atMs }: { observations: readonly Observation[]; atMs: number },
  surroundings: Surroundings,
): number {
  const before = observe(tallies, { part: 'visit', sinceMs: 0 }, surroundings);
  let sum = 0;
  for (const observation of observations) {
    const known = before.find(({ antenna }) => antenna === observation.antenna);
    if (known === undefined) continue;
    if (known.reads === 0) sum += newcomer(observation, { known, location }, surroundings);
    else if (observation.reads === 0) sum += silent(known, observation, { tallies, atMs, surroundings });
    else sum += again(known, observation);
  }
  return sum;
}

/** The antenna reads the asset as it did before. */
function again(known: Observation, observation: Observation): number {
  const { levelDbm, variance, hasRssi } = observation;
  const count = Math.max(outlierFloor, logChanceOfReads(observation, shareOf(known)));
  if (!hasRssi) return count;
  const level = normal(levelDbm - known.levelDbm, driftSdDb * driftSdDb + known.variance + variance);
  return Math.max(outlierFloor, level) + count;
}

/** Returns what is known of the share of its opportunities that an antenna uses. */
function shareOf({ reads, opportunities }: Pick<Observation, 'reads' | 'opportunities'>): ShareBelief {
  const factor = Math.min(1, shareReadsMax / Math.max(1, opportunities));
  return { used: 1 + reads * factor, missed: 1 + Math.max(0, opportunities - reads) * factor };
}

/**
 * Returns the log-probability that an antenna that has not read the asset before reads it now, or still does not. The
 * longer it has not, the less likely it is that it begins to: a visit has at most one first read of an antenna.
 */
function newcomer(
  observation: Observation,
  { known, location }: { known: Observation; location: LocationId },
  surroundings: Surroundings,
): number {
  const reception = receptionOf(observation, location, surroundings);
  const { reads, opportunities, levelDbm, variance, hasRssi } = observation;
  const begins = Math.max(newcomerShare, reception.audible) / (known.opportunities + 2);
  if (reads === 0) return Math.log(1 - begins);
  const count = Math.log(begins / Math.max(1, opportunities));
  if (!hasRssi) return count;
  return count + Math.max(outlierFloor, normal(levelDbm - reception.meanDbm, reception.variance + variance));
}

/**
 * Returns the log-probability that an antenna that used to read the asset is silent: by the time since its last read,
 * and by the reads of the others. A reader that has reported nothing since may be offline, or the asset was all that it
 * read.
 */
function silent(
  known: Observation,
  { antenna, opportunities, lastMs }: Observation,
  { tallies, atMs, surroundings }: { tallies: readonly Tally[]; atMs: number; surroundings: Surroundings },
): number {
  let gapMs = surroundings.level(antenna)?.gapMs ?? gapUnknownMs;
  for (const tally of tallies) if (tally.antenna === antenna) gapMs = Math.max(gapMs, tally.gapMs);
  const share = shareOf(known);
  const chance = (missed: number) =>
    Math.max(silenceFloor, logChanceOfReads({ reads: 0, opportunities: missed }, share));
  const missedBy = (untilMs: number) => Math.max(0, (untilMs - lastMs) / gapMs - 1);
  const reportedMs = surroundings.reportedUntilMs(antenna);
  const ifOnline = chance(Math.max(missedBy(atMs), opportunities));
  if (reportedMs >= atMs) return ifOnline;
  const ifOffline = chance(missedBy(reportedMs)) + Math.log(offlineShare);
  return logSum(ifOnline, ifOffline);
}

/** Returns the logarithm of a normal density without its constant, which cancels out in comparisons. */
function normal(difference: number, variance: number): number {
  return -0.5 * (Math.log(variance) + (difference * difference) / variance);
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
