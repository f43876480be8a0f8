import {
  arrivalReadsMax,
  changeReadsMax,
  correctionAdvantage,
  flickerUnknownDb,
  moveLead,
  noChangeDisadvantage,
  ownLikeBelowDb,
  patternReads,
  patternReadsMin,
  restartCost,
  steadyGaps,
  steadySpreads,
  thinReads,
  transit,
  transitCorrectionAdvantage,
  waitReadsMax,
  weakReadsMin,
} from './constants.js';
import { compareChange, compareVisit } from './evidence.js';
import { gapOf, patternOf } from './observations.js';
import { addNewRead, addRead, emptyTally, fadeTallies, mergeChange, putTally, startVisit } from './tallies.js';
import { followLoudest, isQuieter } from './loudest.js';
import { levelSample } from './level-sample.js';
import { costOf } from './move-cost.js';
import { judged, visitOf } from './state.js';
import type { AssetState, Input, Judgment, LocationId, Tally, Surroundings } from './types.js';

// docs/decisions/0028-locating-by-likelihood.md explains the rule, and what was tried and left out.

/** Decides by all known reads of the asset, the new one included. `at` is the index of its tally, or -1. */
export function decideByEvidence(state: AssetState, at: number, input: Input): Judgment {
  const { surroundings } = input;
  const judgment = judgeEvidence(state, at, input);
  return judgment.movedAtMs === null ? followLoudest(judgment, surroundings) : judgment;
}

function judgeEvidence(state: AssetState, at: number, input: Input): Judgment {
  const { read, surroundings } = input;
  if (state.isCalibrating && read.atMs > state.labelUntilMs) {
    // The last reads of a calibration count too, however few there were.
    const judgment = judgeEvidence({ ...state, isCalibrating: false }, at, input);
    if (judgment.pattern === undefined && state.visitReads > 0) judgment.pattern = patternOf(state, surroundings);
    return judgment;
  }
  const known = (at < 0 ? undefined : state.tallies[at]) ?? emptyTally(read);
  const isLabel = read.atMs <= state.labelUntilMs && state.location !== 0;
  const isOfVisit = isLabel && (state.isCalibrating || known.reads === 0);
  if (
    isOfVisit ||
    (state.changeMs === 0 && !state.isInTransit && (isArriving(state) || isSteady(known, state, input)))
  ) {
    const tallies = putTally(state.tallies, at, addRead(known, read));
    return continueVisit(state, { tallies, reads: 1 }, input);
  }
  const changeMs = state.changeMs === 0 ? read.atMs : Math.min(state.changeMs, read.atMs);
  const tallies = putTally(state.tallies, at, addNewRead(known, read));
  const next: AssetState = { ...state, changeMs, lastSeenMs: Math.max(state.lastSeenMs, read.atMs), tallies };
  return judgeChange(next, input);
}

/** Whether no antenna has read the asset twice since it arrived, so that reads by others are no change. */
function isArriving({ tallies, visitReads, reason }: AssetState): boolean {
  return visitReads < arrivalReadsMax && reason !== 'handheld' && tallies.every(({ reads }) => reads < 2);
}

/** Whether this antenna and the antennas of the location still read as before, so that no comparison is needed. */
function isSteady(tally: Tally, state: AssetState, { read, settings, surroundings }: Input): boolean {
  if (tally.reads === 0) return false;
  if (tally.level !== null && read.rssiDbm !== null) {
    const spread = surroundings.level(tally.antenna)?.flickerDb ?? flickerUnknownDb;
    if (Math.abs(read.rssiDbm - tally.level / 100) > steadySpreads * spread) return false;
  }
  if (settings.location === state.location) return true;
  for (const other of state.tallies) {
    if (other.reads === 0 || surroundings.antenna(other.antenna)?.location !== state.location) continue;
    const gapMs = Math.max(other.gapMs, gapOf(other.antenna, surroundings));
    const untilMs = Math.min(read.atMs, surroundings.reportedUntilMs(other.antenna));
    if (untilMs - other.lastMs <= steadyGaps * gapMs) return true;
  }
  return false;
}

function continueVisit(
  state: AssetState,
  { tallies, reads }: { tallies: readonly Tally[]; reads: number },
  input: Input,
): Judgment {
  const { read } = input;
  const next: AssetState = {
    ...state,
    lastSeenMs: Math.max(state.lastSeenMs, read.atMs),
    visitReads: state.visitReads + reads,
    tallies: fadeTallies(tallies),
  };
  const isNews = reads > 1 || tallies.length !== state.tallies.length;
  const correction = isNews || isDue(next.visitReads) ? correct(next, input) : undefined;
  if (correction !== undefined) return correction;
  const judgment = judged(next);
  const level = levelSample(state, next, input);
  if (level !== undefined) judgment.level = level;
  if (isPatternDue(state, next)) judgment.pattern = patternOf(next, input.surroundings);
  return judgment;
}

/** The reads of a visit are compared often while there are few, and rarely once there are many. */
function isDue(reads: number): boolean {
  return reads <= 8 || (reads <= 64 ? reads % 4 === 0 : reads % 32 === 0);
}

/**
 * Whether the number of reads has just reached the first number at which a pattern is learned, or has doubled since.
 * During a calibration, which can end after a few reads, each of the first reads counts.
 */
function isPatternDue({ visitReads: before }: AssetState, { visitReads: after, isCalibrating }: AssetState): boolean {
  if (isCalibrating && after >= patternReadsMin && after <= patternReads) return true;
  let due = patternReads;
  while (due <= before) due *= 2;
  return due <= after;
}

/** Decides whether the reads of the open change are a move, no change, or not enough yet. */
function judgeChange(state: AssetState, input: Input): Judgment {
  const { surroundings, read } = input;
  const { location, advantage, lead, transitLead, restartAdvantage } = compareChange(state, read.atMs, surroundings);
  const reads = newReadsOf(state);
  const needed = costOf(state, surroundings);
  if (location !== undefined) {
    if (advantage > needed && (lead > moveLead || reads >= waitReadsMax)) {
      if (location === transit) return depart(state, input);
      if (location === state.location) return judged({ ...withNewReads(state), isInTransit: false });
      const isThere =
        (reads >= changeReadsMax || isOwnLike(state, location, surroundings)) &&
        !isQuieter(location, state, surroundings);
      return isThere ? move(state, location, input) : judged(state);
    }
    // It has left, but not clearly to this location.
    if (advantage > needed && transitLead <= moveLead) return depart(state, input);
    // There were few reads before and there are more since: together they decide where the asset is.
    const isThin = state.visitReads <= thinReads && reads >= thinReads;
    if (advantage > -noChangeDisadvantage && reads < changeReadsMax && !isThin) return judged(state);
  }
  // After so many reads the change is certain, and merging it would mix the levels of two positions.
  if (restartAdvantage > restartCost + (reads < changeReadsMax ? needed : 0)) return restart(state, input);
  const tallies = mergeChange(state.tallies);
  return continueVisit({ ...state, changeMs: 0 }, { tallies, reads }, input);
}

/**
 * Whether the reads of a change say that the asset is at a location, not merely near it: an asset that moves through
 * areas without an antenna is received weakly by the antennas around. Of weak reads there have to be several.
 */
function isOwnLike({ tallies }: AssetState, location: LocationId, surroundings: Surroundings): boolean {
  let reads = 0;
  for (const tally of tallies) {
    if (tally.newReads === 0 || surroundings.antenna(tally.antenna)?.location !== location) continue;
    const level = surroundings.level(tally.antenna);
    if (tally.newLevel === null || level === undefined || level.reads === 0) return true;
    if (tally.newLevel / 100 >= level.meanDbm - ownLikeBelowDb) return true;
    reads += tally.newReads;
  }
  return reads >= weakReadsMin;
}

/** The asset was put down again at the same location, so the earlier levels do not apply any more. */
function restart(state: AssetState, { surroundings }: Input): Judgment {
  const pattern = endPattern(state, surroundings);
  return { ...judged(withNewReads(state)), ...pattern };
}

/** The asset has left where it was, and is at no location yet. */
function depart(state: AssetState, input: Input): Judgment {
  const judgment = restart(state, input);
  return { ...judgment, state: { ...judgment.state, isInTransit: true } };
}

/** Returns the state with the reads of the change alone. */
function withNewReads(state: AssetState): AssetState {
  const { changeMs, tallies } = state;
  return { ...state, changeMs: 0, settledMs: changeMs, visitReads: newReadsOf(state), tallies: startVisit(tallies) };
}

/** Returns the pattern of a visit that ends. */
function endPattern(state: AssetState, surroundings: Surroundings): Pick<Judgment, 'pattern'> {
  return state.visitReads < patternReadsMin ? {} : { pattern: patternOf(state, surroundings) };
}

function newReadsOf({ tallies }: AssetState): number {
  return tallies.reduce((sum, { newReads }) => sum + newReads, 0);
}

function move(state: AssetState, location: LocationId, { read, surroundings }: Input): Judgment {
  let sinceMs = Number.POSITIVE_INFINITY;
  let strongest: Tally | undefined;
  for (const tally of state.tallies) {
    if (tally.newReads === 0 || surroundings.antenna(tally.antenna)?.location !== location) continue;
    sinceMs = Math.min(sinceMs, tally.newFirstMs);
    const level = tally.newLevel ?? Number.NEGATIVE_INFINITY;
    if (strongest === undefined || level > (strongest.newLevel ?? Number.NEGATIVE_INFINITY)) strongest = tally;
  }
  // The pattern of other antennas can identify a location before its own antenna has read the asset.
  if (strongest === undefined) sinceMs = state.changeMs;
  const antenna = strongest?.antenna ?? read.antenna;
  const code = surroundings.antenna(antenna)?.kind === 'portal' ? 'portal' : 'moved';
  const next: AssetState = {
    ...visitOf(withNewReads(state), { location, sinceMs, code, antenna }),
    settledMs: sinceMs,
  };
  return { ...judged(next, sinceMs), ...endPattern(state, surroundings) };
}

/** Decides whether all reads of the visit together fit another location better. */
function correct(state: AssetState, { read, surroundings }: Input): Judgment | undefined {
  // A person's scan is never corrected, only superseded.
  if (state.reason === 'handheld' && !state.isInTransit) return undefined;
  const best = compareVisit(state, surroundings);
  if (best === undefined || best.location === transit || best.advantage <= neededFor(state)) return undefined;
  if (best.location === state.location) return judged({ ...state, isInTransit: false });
  if (isQuieter(best.location, state, surroundings)) return undefined;
  const next: AssetState = {
    ...visitOf(state, { location: best.location, sinceMs: read.atMs, code: 'corrected', antenna: read.antenna }),
    previous: state.previous,
  };
  return judged(next, read.atMs);
}

/** Returns the advantage that a correction needs. After many reads in transit the best location is better than none. */
function neededFor({ isInTransit, visitReads }: AssetState): number {
  if (!isInTransit) return correctionAdvantage;
  return visitReads >= waitReadsMax ? 0 : transitCorrectionAdvantage;
}
