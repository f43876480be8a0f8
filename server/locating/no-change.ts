import {
  driftSdDb,
  messageGaps,
  newcomerShare,
  offlineShare,
  outlierFloor,
  shareReadsMax,
  silenceFloor,
} from './constants.js';
import { receptionOf } from './expected-reception.js';
import { logSum, normal } from './likelihood.js';
import { gapOf, observe } from './observations.js';
import { logChanceOfReads, type ShareBelief } from './read-counts.js';
import type { AssetState, LocationId, Observation, Surroundings, Tally } from './types.js';

/** Returns the log-probability of the reads of the open change if the asset has stayed. */
export function likelihoodOfNoChange(
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
  let gapMs = gapOf(antenna, surroundings);
  for (const tally of tallies) if (tally.antenna === antenna) gapMs = Math.max(gapMs, tally.gapMs);
  const share = shareOf(known);
  const chance = (missed: number) =>
    Math.max(silenceFloor, logChanceOfReads({ reads: 0, opportunities: missed }, share));
  const missedBy = (untilMs: number) => Math.max(0, (untilMs - lastMs) / gapMs - 1);
  const reportedMs = surroundings.reportedUntilMs(antenna);
  const certain = chance(missedBy(Math.min(atMs, reportedMs)));
  // Between two of its messages a reader is neither silent nor offline.
  if (reportedMs < atMs && atMs - reportedMs <= messageGaps * (surroundings.messageGapMs?.(antenna) ?? 0))
    return certain;
  const ifOnline = chance(Math.max(missedBy(atMs), opportunities));
  if (reportedMs >= atMs) return ifOnline;
  const ifOffline = certain + Math.log(offlineShare);
  return logSum(ifOnline, ifOffline);
}
