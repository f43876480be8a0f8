import {
  chanceMin,
  offlineShare,
  outlierFloor,
  pseudoLevelDbm,
  pseudoLevelSlopeDb,
  pseudoVarianceShare,
  transit,
  transitAdvantage,
  transitShareUnknown,
} from './constants.js';
import { audibleShareElsewhere, receptionInTransit, receptionOf, type SignalModel } from './expected-reception.js';
import { opportunitiesOf } from './observations.js';
import { logChanceOfReads, type ShareBelief } from './read-counts.js';
import type { LocationId, Observation, Reception } from './types.js';

/**
 * Returns the natural logarithm of the probability of observations if the asset has come to a location and nothing is
 * known about its exact position there.
 */
export function likelihood(location: LocationId, observations: readonly Observation[], model: SignalModel): number {
  if (location === transit) return transitLikelihood(observations, model);
  const site = model.site?.(location);
  const mostReads = mostReadsOf(observations);
  let sum = 0;
  for (const observation of observations) {
    sum += chanceOf(observation, { location, mostReads }, receptionOf(observation, location, model));
  }
  // Nobody has read the asset again, so no other antenna has missed an opportunity to.
  if (site === undefined || !observations.some(({ reads }) => reads > 1)) return sum;
  for (const antenna of site.receptions?.keys() ?? site.antennas) {
    if (observations.some((observation) => observation.antenna === antenna)) continue;
    const reception = site.receptions?.get(antenna);
    const audible = reception?.audible ?? audibleShareElsewhere(antenna, location, model);
    const opportunities = opportunitiesOf(antenna, observations, model);
    const unused = (reception?.isOwn ? rareReadsFactor(opportunities, mostReads) : 1) / (opportunities + 1);
    sum += Math.log(Math.max(chanceMin, 1 - audible * (1 - unused)));
  }
  return sum;
}

function mostReadsOf(observations: readonly Observation[]): number {
  let most = 0;
  for (const { reads } of observations) most = Math.max(most, reads);
  return most;
}

function transitLikelihood(observations: readonly Observation[], model: SignalModel): number {
  let mostRead: Observation | undefined;
  for (const observation of observations) {
    const { reads, levelDbm } = observation;
    if (reads === 0 || (mostRead !== undefined && reads < mostRead.reads)) continue;
    if (mostRead === undefined || reads > mostRead.reads || levelDbm > mostRead.levelDbm) mostRead = observation;
  }
  let sum = transitPreference(observations, model);
  for (const observation of observations) {
    const reception = receptionInTransit(observation, mostRead?.antenna, model);
    sum += chanceOf(observation, { location: transit, mostReads: mostRead?.reads ?? 0 }, reception);
  }
  return sum;
}

/** Returns how much more likely transit is than each location, by the share of visits in transit that was learned. */
function transitPreference(observations: readonly Observation[], model: SignalModel): number {
  for (const { location, reads } of observations) {
    const share = reads === 0 ? undefined : model.site?.(location)?.transit?.share;
    if (share !== undefined) return Math.log(share / (1 - share)) + transitAdvantage;
  }
  return Math.log(transitShareUnknown / (1 - transitShareUnknown)) + transitAdvantage;
}

/** Whether all reads have a level, without which reads from a distance cannot be recognized. */
export function hasLevels(observations: readonly Observation[]): boolean {
  return observations.every(({ reads, hasRssi }) => reads === 0 || hasRssi);
}

/** Returns the log-probability of what one antenna has observed. */
function chanceOf(
  observation: Observation,
  { location, mostReads }: { location: LocationId; mostReads: number },
  reception: Reception,
): number {
  const { audible } = reception;
  const { reads, opportunities, hasRead, hasRssi, levelDbm, variance, strayChance } = observation;
  const isOwn = observation.location === location;
  // The stronger an antenna that receives the asset would receive it at the location, the less likely it is silent there.
  const isSilent = reads === 0 && hasRead;
  if (hasRssi && !isSilent) {
    const used = isOwn ? ownReadsChance(observation, mostReads) : 1 / (opportunities + 1);
    const chance = Math.max(chanceMin, audible * used + (1 - audible) * strayChance);
    if (reads === 0) return Math.log(observation.isReported ? chance : offlineShare + (1 - offlineShare) * chance);
    const level = normal(levelDbm - reception.meanDbm, reception.variance + variance);
    return Math.log(chance) + Math.max(outlierFloor, level);
  }
  const used = Math.exp(logChanceOfReads(observation, shareAtLevel(reception, hasRssi)));
  return Math.log(Math.max(chanceMin, audible * used + (1 - audible) * strayChance));
}

/**
 * Returns how likely a number of reads at the antenna's own location is: it uses a share s of its opportunities with
 * density 5 s⁴.
 */
function ownReadsChance({ reads, opportunities }: { reads: number; opportunities: number }, mostReads: number): number {
  const n = reads;
  const m = opportunities;
  const density = (5 * (n + 1) * (n + 2) * (n + 3) * (n + 4)) / ((m + 1) * (m + 2) * (m + 3) * (m + 4) * (m + 5));
  return density * rareReadsFactor(m, mostReads);
}

/**
 * Returns the factor that gives an antenna with few opportunities the same advantage at its own location as the antenna
 * with the most reads: otherwise antennas that read rarely would lose to those that read often.
 */
function rareReadsFactor(opportunities: number, mostReads: number): number {
  const most = Math.max(opportunities, mostReads);
  return ((opportunities + 5) * (most + 1)) / ((opportunities + 1) * (most + 5));
}

/** Returns which share of its opportunities an antenna uses at an expected level. */
function shareAtLevel({ meanDbm, variance }: Pick<Reception, 'meanDbm' | 'variance'>, hasRssi: boolean): ShareBelief {
  const ratio = Math.exp((meanDbm - pseudoLevelDbm) / pseudoLevelSlopeDb);
  const precision = pseudoLevelSlopeDb ** 2 / (hasRssi ? variance : variance * pseudoVarianceShare);
  return { used: precision * (1 + ratio), missed: precision * (1 + 1 / ratio) };
}

/** Returns the logarithm of a normal density without its constant, which cancels out in comparisons. */
export function normal(difference: number, variance: number): number {
  return -0.5 * (Math.log(variance) + (difference * difference) / variance);
}

/** Returns the logarithm of the sum of two numbers that are given by their logarithms. */
export function logSum(one: number, other: number): number {
  const most = Math.max(one, other);
  if (most === Number.NEGATIVE_INFINITY) return most;
  return most + Math.log(Math.exp(one - most) + Math.exp(other - most));
}
