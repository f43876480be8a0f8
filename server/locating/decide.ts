import {
  changeReadsMax,
  correctionAdvantage,
  firmReads,
  jitterMs,
  moveAdvantage,
  noChangeDisadvantage,
  returnAdvantage,
  unknownFlickerDb,
} from './constants.js';
import { compareChange, compareVisit, type Comparison } from './evidence.js';
import { judgeLate } from './late.js';
import { addNewRead, addRead, emptySlot, findSlot, mergeChange, putSlot, startVisit } from './slots.js';
import { plainReason, unmoved } from './state.js';
import type {
  AntennaSettings,
  AssetState,
  Judgment,
  LevelSample,
  LocatingRead,
  LocationId,
  ReasonCode,
  Slot,
  Surroundings,
} from './types.js';

type Input = { read: LocatingRead; settings: AntennaSettings; surroundings: Surroundings };

/**
 * Decides where an asset is after one more read by a fixed reader.
 *
 * @param state what was kept of the asset; undefined if it was never read
 * @returns the next state, which the caller stores, and what follows from the read. A read that was judged before changes
 *   nothing. The state that was handed in is not changed.
 */
export function decide(state: AssetState | undefined, read: LocatingRead, surroundings: Surroundings): Judgment {
  const settings = surroundings.antenna(read.antenna);
  if (state === undefined) return placeFirst(read, settings?.location ?? 0);
  if (settings === undefined) return unmoved(state, 'unknown-antenna');
  const input: Input = { read, settings, surroundings };
  if (settings.rule === 'newest') return decideNewest(state, input);
  const at = findSlot(state.slots, read.antenna, read.tag);
  if (at >= 0 && read.atMs <= (state.slots[at]?.lastMs ?? 0)) return unmoved(state, 'repeated');
  if (read.atMs < state.lastSeenMs - jitterMs || read.atMs < state.settledMs) return judgeLate(state, input);
  return decideByEvidence(state, at, input);
}

function placeFirst(read: LocatingRead, location: LocationId): Judgment {
  const { atMs, rssiDbm } = read;
  const slot = addRead(emptySlot(read), read);
  const state: AssetState = {
    location,
    sinceMs: atMs,
    lastSeenMs: atMs,
    previous: null,
    decidedBy: read.antenna,
    reason: 'first',
    settledMs: atMs,
    changeMs: 0,
    labelUntilMs: 0,
    isCalibrating: false,
    slots: [slot],
  };
  const reason = { ...plainReason('first', location), reads: 1, rssiDbm };
  return { state, location, movedAtMs: atMs, reason };
}

/** The rule `newest`: the latest read by its time wins. */
function decideNewest(state: AssetState, { read, settings }: Input): Judgment {
  const { atMs } = read;
  const { location } = settings;
  if (atMs <= state.lastSeenMs) return { ...unmoved(state, 'late'), late: { location, atMs } };
  const isMove = location !== state.location;
  const at = findSlot(state.slots, read.antenna, read.tag);
  const known = (at < 0 ? undefined : state.slots[at]) ?? emptySlot(read);
  if (!isMove && state.changeMs === 0) {
    const slots = putSlot(state.slots, at, addRead(known, read));
    const next: AssetState = { ...state, lastSeenMs: atMs, settledMs: atMs, slots };
    return { state: next, location, movedAtMs: null, reason: plainReason('same', location) };
  }
  const slots = startVisit(putSlot(state.slots.map(withoutChange), at, addNewRead(withoutChange(known), read)));
  const next: AssetState = {
    ...visitOf(state, { location, sinceMs: isMove ? atMs : state.sinceMs, code: 'newest', antenna: read.antenna }),
    lastSeenMs: atMs,
    settledMs: atMs,
    slots,
  };
  const reason = { ...plainReason('newest', location), other: state.location, reads: 1, rssiDbm: read.rssiDbm };
  return { state: next, location, movedAtMs: isMove ? atMs : null, reason };
}

function withoutChange(slot: Slot): Slot {
  return slot.newReads === 0 ? slot : { ...slot, newReads: 0, newLevel: null, newFirstMs: 0 };
}

function decideByEvidence(state: AssetState, at: number, input: Input): Judgment {
  const { read, settings } = input;
  const known = (at < 0 ? undefined : state.slots[at]) ?? emptySlot(read);
  const isLabel = read.atMs <= state.labelUntilMs && state.location !== 0;
  const isExpected = state.changeMs === 0 && settings.location === state.location && isSteady(known, input);
  if (isExpected || (isLabel && (state.isCalibrating || known.reads === 0))) {
    return continueVisit(state, { slots: putSlot(state.slots, at, addRead(known, read)), isLabel }, input);
  }
  const changeMs = state.changeMs === 0 ? read.atMs : Math.min(state.changeMs, read.atMs);
  const slots = putSlot(state.slots, at, addNewRead(known, read));
  const next: AssetState = { ...state, changeMs, lastSeenMs: Math.max(state.lastSeenMs, read.atMs), slots };
  return judgeChange(next, input);
}

/** Whether the level is what it has been, so that nothing needs to be compared. */
function isSteady(slot: Slot, { read, surroundings }: Input): boolean {
  if (slot.reads === 0) return false;
  if (slot.level === null || read.rssiDbm === null) return true;
  const flicker = surroundings.level(slot.antenna)?.flickerDb ?? unknownFlickerDb;
  return Math.abs(read.rssiDbm - slot.level / 100) <= 2.5 * flicker;
}

function continueVisit(
  state: AssetState,
  { slots, isLabel }: { slots: readonly Slot[]; isLabel: boolean },
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
    slots,
  };
  const correction = correct(next, input);
  if (correction !== undefined) return correction;
  const judgment = unmoved(next, 'same');
  if (isLabel) judgment.label = { location: state.location, antenna: read.antenna, rssiDbm: read.rssiDbm };
  const level = levelSample(state, next, input);
  if (level !== undefined) judgment.level = level;
  return judgment;
}

/** Decides whether the reads of the open change are a move, no change, or not enough yet. */
function judgeChange(state: AssetState, input: Input): Judgment {
  const { surroundings } = input;
  const best = compareChange(state, surroundings);
  if (best !== undefined && best.advantage > advantageNeeded(state, best, surroundings))
    return move(state, best, input);
  const reads = state.slots.reduce((sum, { newReads }) => sum + newReads, 0);
  const isNoChange = best === undefined || best.advantage < -noChangeDisadvantage || reads >= changeReadsMax;
  if (!isNoChange) return unmoved(state, 'same');
  return continueVisit({ ...state, changeMs: 0 }, { slots: mergeChange(state.slots), isLabel: false }, input);
}

function advantageNeeded(state: AssetState, { location }: Comparison, surroundings: Surroundings): number {
  const isPassing = state.decidedBy !== 0 && surroundings.antenna(state.decidedBy)?.kind === 'portal';
  if (isPassing) return 0;
  return moveAdvantage + (location === state.previous ? returnAdvantage : 0);
}

function move(state: AssetState, { location, advantage }: Comparison, { read, surroundings }: Input): Judgment {
  let sinceMs = read.atMs;
  let strongest: Slot | undefined;
  for (const slot of state.slots) {
    if (slot.newReads === 0 || surroundings.antenna(slot.antenna)?.location !== location) continue;
    sinceMs = Math.min(sinceMs, slot.newFirstMs);
    if (strongest === undefined || (slot.newLevel ?? 0) > (strongest.newLevel ?? 0)) strongest = slot;
  }
  const antenna = strongest?.antenna ?? read.antenna;
  const isPassage = surroundings.antenna(antenna)?.kind === 'portal';
  const next: AssetState = {
    ...visitOf(state, { location, sinceMs, code: isPassage ? 'portal' : 'moved', antenna }),
    settledMs: sinceMs,
    slots: startVisit(state.slots),
  };
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
  if (isPassage) judgment.passage = { location, antenna, atMs: sinceMs };
  return judgment;
}

/** The state of a new visit, without its slots. */
function visitOf(
  state: AssetState,
  { location, sinceMs, code, antenna }: { location: LocationId; sinceMs: number; code: ReasonCode; antenna: number },
): AssetState {
  return {
    location,
    sinceMs,
    lastSeenMs: state.lastSeenMs,
    previous: location === state.location ? state.previous : state.location,
    decidedBy: antenna,
    reason: code,
    settledMs: state.settledMs,
    changeMs: 0,
    labelUntilMs: 0,
    isCalibrating: false,
    slots: state.slots,
  };
}

/** Decides whether all reads of the visit together fit another location better. */
function correct(state: AssetState, { read, surroundings }: Input): Judgment | undefined {
  // A person is not corrected, only outdated.
  if (state.reason === 'handheld') return undefined;
  const best = compareVisit(state, surroundings);
  if (best === undefined || best.advantage <= correctionAdvantage) return undefined;
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
  if (settings.location !== location || location === 0) return undefined;
  const at = findSlot(slots, read.antenna, read.tag);
  const slot = at < 0 ? undefined : slots[at];
  if (slot === undefined || slot.reads < firmReads) return undefined;
  const previous = before.slots[at];
  return {
    antenna: read.antenna,
    rssiDbm: read.rssiDbm,
    visitDbm: slot.level === null ? null : slot.level / 100,
    gapMs: previous === undefined || previous.reads === 0 ? null : read.atMs - previous.lastMs,
  };
}
