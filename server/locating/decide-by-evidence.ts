import {
  arrivalReadsMax,
  changeReadsMax,
  correctionAdvantage,
  firmReads,
  flickerUnknownDb,
  gapUnknownMs,
  moveCostMax,
  moveCostMin,
  moveCostSlope,
  moveLead,
  noChangeDisadvantage,
  ownLikeBelowDb,
  patternReads,
  patternReadsMin,
  restartCost,
  steadyGaps,
  steadySpreads,
  thinReads,
  waitReadsMax,
  weakReadsMin,
} from './constants.js';
import { compareChange, compareVisit, type Comparison } from './evidence.js';
import { patternOf } from './observations.js';
import { addNewRead, addRead, emptySlot, fadeSlots, findSlot, mergeChange, putSlot, startVisit } from './slots.js';
import { plainReason, unmoved, visitOf } from './state.js';
import type {
  AntennaSettings,
  AssetState,
  Judgment,
  LevelSample,
  LocatingRead,
  LocationId,
  Slot,
  Surroundings,
  VisitPattern,
} from './types.js';

export type Input = { read: LocatingRead; settings: AntennaSettings; surroundings: Surroundings };

/** Decides by all reads that are known of the asset; the read is new. `at` is the position of its slot, -1 without one. */
export function decideByEvidence(state: AssetState, at: number, input: Input): Judgment {
  const { read, surroundings } = input;
  if (state.isCalibrating && read.atMs > state.labelUntilMs) {
    // The last reads of a calibration count too, however few there were.
    const judgment = decideByEvidence({ ...state, isCalibrating: false }, at, input);
    if (judgment.pattern === undefined && state.visitReads > 0) judgment.pattern = patternOf(state, surroundings);
    return judgment;
  }
  const known = (at < 0 ? undefined : state.slots[at]) ?? emptySlot(read);
  const isLabel = read.atMs <= state.labelUntilMs && state.location !== 0;
  if (isLabel && (state.isCalibrating || known.reads === 0)) {
    return continueVisit(state, { slots: putSlot(state.slots, at, addRead(known, read)), reads: 1, isLabel }, input);
  }
  if (state.changeMs === 0 && (isArriving(state) || isSteady(known, state, input))) {
    return continueVisit(state, { slots: putSlot(state.slots, at, addRead(known, read)), reads: 1, isLabel }, input);
  }
  const changeMs = state.changeMs === 0 ? read.atMs : Math.min(state.changeMs, read.atMs);
  const slots = putSlot(state.slots, at, addNewRead(known, read));
  const next: AssetState = { ...state, changeMs, lastSeenMs: Math.max(state.lastSeenMs, read.atMs), slots };
  return judgeChange(next, input);
}

/** Whether no antenna has read the asset twice yet since it came, so that reads of others are no change. */
function isArriving({ slots, visitReads, reason }: AssetState): boolean {
  return visitReads < arrivalReadsMax && reason !== 'handheld' && slots.every(({ reads }) => reads < 2);
}

/** Whether the antenna reads what it has been reading, and the location's antennas too, so that nothing needs comparing. */
function isSteady(slot: Slot, state: AssetState, { read, settings, surroundings }: Input): boolean {
  if (slot.reads === 0) return false;
  if (slot.level !== null && read.rssiDbm !== null) {
    const spread = surroundings.level(slot.antenna)?.flickerDb ?? flickerUnknownDb;
    if (Math.abs(read.rssiDbm - slot.level / 100) > steadySpreads * spread) return false;
  }
  if (settings.location === state.location) return true;
  for (const other of state.slots) {
    if (other.reads === 0 || surroundings.antenna(other.antenna)?.location !== state.location) continue;
    const gapMs = Math.max(other.gapMs, surroundings.level(other.antenna)?.gapMs ?? gapUnknownMs);
    const untilMs = Math.min(read.atMs, surroundings.reportedUntilMs(other.antenna));
    if (untilMs - other.lastMs <= steadyGaps * gapMs) return true;
  }
  return false;
}

function continueVisit(
  state: AssetState,
  { slots, reads, isLabel }: { slots: readonly Slot[]; reads: number; isLabel: boolean },
  input: Input,
): Judgment {
  const { read } = input;
  const next: AssetState = {
    location: state.location,
    sinceMs: state.sinceMs,
    lastSeenMs: Math.max(state.lastSeenMs, read.atMs),
    previous: state.previous,
    decidedBy: state.decidedBy,
    reason: state.reason,
    settledMs: state.settledMs,
    changeMs: state.changeMs,
    labelUntilMs: state.labelUntilMs,
    isCalibrating: state.isCalibrating,
    visitReads: state.visitReads + reads,
    slots: fadeSlots(slots),
  };
  const isNews = reads > 1 || slots.length !== state.slots.length;
  const correction = isNews || isDue(next.visitReads) ? correct(next, input) : undefined;
  if (correction !== undefined) return correction;
  const judgment = unmoved(next, 'same');
  if (isLabel) judgment.label = { location: state.location, antenna: read.antenna, rssiDbm: read.rssiDbm };
  const level = levelSample(state, next, input);
  if (level !== undefined) judgment.level = level;
  if (isPatternDue(state, next)) judgment.pattern = patternOf(next, input.surroundings);
  return judgment;
}

/** All reads of a visit are compared often while there are few of them, and seldom once there are many. */
function isDue(reads: number): boolean {
  return reads <= 8 || (reads <= 64 ? reads % 4 === 0 : reads % 32 === 0);
}

/**
 * Whether the number of reads has just reached the first number at which a pattern is learned, or has doubled since. Of a
 * calibration, which can be over after a few reads, each of the first reads counts.
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
  const { location, advantage, lead, restartAdvantage } = compareChange(state, read.atMs, surroundings);
  const reads = newReadsOf(state);
  const needed = isPassing(state, surroundings) ? 0 : moveCost(state, surroundings);
  if (location !== undefined) {
    if (advantage > needed && (lead > moveLead || reads >= waitReadsMax)) {
      const isThere = reads >= changeReadsMax || isOwnLike(state, location, surroundings);
      return isThere ? move(state, { location, advantage }, input) : unmoved(state, 'same');
    }
    // Few reads before and more since: all of them together say where the asset is.
    const isThin = state.visitReads <= thinReads && reads >= thinReads;
    if (advantage > -noChangeDisadvantage && reads < changeReadsMax && !isThin) return unmoved(state, 'same');
  }
  if (restartAdvantage > restartCost + needed) return restart(state, input);
  return continueVisit({ ...state, changeMs: 0 }, { slots: mergeChange(state.slots), reads, isLabel: false }, input);
}

/**
 * Whether the reads of a change are those of an asset at a location, not merely near it: an asset on its way through places
 * that no antenna covers is received weakly by the antennas around it. Weak reads have to be several.
 */
function isOwnLike({ slots }: AssetState, location: LocationId, surroundings: Surroundings): boolean {
  let reads = 0;
  for (const slot of slots) {
    if (slot.newReads === 0 || surroundings.antenna(slot.antenna)?.location !== location) continue;
    const level = surroundings.level(slot.antenna);
    if (slot.newLevel === null || level === undefined || level.reads === 0) return true;
    if (slot.newLevel / 100 >= level.meanDbm - ownLikeBelowDb) return true;
    reads += slot.newReads;
  }
  return reads >= weakReadsMin;
}

/** The asset was put down anew at the same location: the levels before say nothing about those to come. */
function restart(state: AssetState, { surroundings }: Input): Judgment {
  const pattern = endPattern(state, surroundings);
  const next: AssetState = {
    ...state,
    changeMs: 0,
    settledMs: state.changeMs,
    visitReads: newReadsOf(state),
    slots: startVisit(state.slots),
  };
  const judgment = unmoved(next, 'same');
  if (pattern !== undefined) judgment.pattern = pattern;
  return judgment;
}

/** The pattern of a visit that ends. */
function endPattern(state: AssetState, surroundings: Surroundings): VisitPattern | undefined {
  return state.visitReads < patternReadsMin ? undefined : patternOf(state, surroundings);
}

function newReadsOf({ slots }: AssetState): number {
  return slots.reduce((sum, { newReads }) => sum + newReads, 0);
}

/**
 * Returns the advantage that a move needs: the shorter the time since the last read at the location, compared with the time
 * that the asset has been there, the less likely it has left within it.
 */
function moveCost({ slots, location, settledMs, changeMs }: AssetState, surroundings: Surroundings): number {
  let gapMs = Number.POSITIVE_INFINITY;
  let lastMs = settledMs;
  for (const slot of slots) {
    if (slot.reads === 0 || surroundings.antenna(slot.antenna)?.location !== location) continue;
    if (slot.gapMs > 0) gapMs = Math.min(gapMs, slot.gapMs);
    lastMs = Math.max(lastMs, slot.newReads === 0 ? slot.lastMs : changeMs);
  }
  if (gapMs === Number.POSITIVE_INFINITY) return moveCostMin;
  const ratio = Math.max(1, (changeMs - settledMs) / Math.max(gapMs, changeMs - lastMs));
  return Math.min(moveCostMax, moveCostMin + moveCostSlope * Math.log(ratio));
}

/** Whether the asset is at a portal, which it leaves soon. */
function isPassing({ decidedBy }: AssetState, surroundings: Surroundings): boolean {
  return decidedBy !== 0 && surroundings.antenna(decidedBy)?.kind === 'portal';
}

function move(state: AssetState, { location, advantage }: Comparison, { read, surroundings }: Input): Judgment {
  let sinceMs = Number.POSITIVE_INFINITY;
  let strongest: Slot | undefined;
  for (const slot of state.slots) {
    if (slot.newReads === 0 || surroundings.antenna(slot.antenna)?.location !== location) continue;
    sinceMs = Math.min(sinceMs, slot.newFirstMs);
    const level = slot.newLevel ?? Number.NEGATIVE_INFINITY;
    if (strongest === undefined || level > (strongest.newLevel ?? Number.NEGATIVE_INFINITY)) strongest = slot;
  }
  // The pattern of other antennas can tell a location before its own antenna has read the asset.
  if (strongest === undefined) sinceMs = state.changeMs;
  const antenna = strongest?.antenna ?? read.antenna;
  const isPassage = surroundings.antenna(antenna)?.kind === 'portal';
  const next: AssetState = {
    ...visitOf(state, { location, sinceMs, code: isPassage ? 'portal' : 'moved', antenna }),
    settledMs: sinceMs,
    visitReads: newReadsOf(state),
    slots: startVisit(state.slots),
  };
  const pattern = endPattern(state, surroundings);
  const judgment: Judgment = {
    state: next,
    location,
    movedAtMs: sinceMs,
    reason: {
      code: next.reason,
      location,
      other: state.location,
      reads: strongest?.newReads ?? 0,
      rssiDbm: typeof strongest?.newLevel === 'number' ? strongest.newLevel / 100 : null,
      advantage,
    },
  };
  if (pattern !== undefined) judgment.pattern = pattern;
  if (isPassage) judgment.passage = { location, antenna, atMs: sinceMs };
  return judgment;
}

/** Decides whether all reads of the visit together fit another location better. */
function correct(state: AssetState, { read, surroundings }: Input): Judgment | undefined {
  // A person is not corrected, only outdated.
  if (state.reason === 'handheld') return undefined;
  const best = compareVisit(state, surroundings);
  if (best === undefined || best.location === state.location || best.advantage <= correctionAdvantage) return undefined;
  const next: AssetState = {
    ...visitOf(state, { location: best.location, sinceMs: read.atMs, code: 'corrected', antenna: read.antenna }),
    previous: state.previous,
  };
  return {
    state: next,
    location: best.location,
    movedAtMs: read.atMs,
    reason: {
      ...plainReason('corrected', best.location),
      other: state.location,
      advantage: best.advantage,
    },
  };
}

function levelSample(
  before: AssetState,
  { slots, location }: AssetState,
  { read, settings }: Input,
): LevelSample | undefined {
  const at = findSlot(slots, read.antenna, read.tag);
  const slot = at < 0 ? undefined : slots[at];
  const previous = before.slots[at];
  if (slot === undefined || previous === undefined || previous.reads === 0) return undefined;
  return {
    antenna: read.antenna,
    isOwn: settings.location === location && location !== 0 && slot.reads >= firmReads,
    rssiDbm: read.rssiDbm,
    visitDbm: slot.level === null ? null : slot.level / 100,
    gapMs: read.atMs - previous.lastMs,
  };
}
