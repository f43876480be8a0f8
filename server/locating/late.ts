import { gapUnknownMs, lateBelowDb, lateReadsMin, runGapMinMs, runGaps } from './constants.js';
import { emptySlot, findSlot, putSlot } from './slots.js';
import { unmoved } from './state.js';
import type { AntennaSettings, AssetState, Judgment, LocatingRead, Slot, Surroundings } from './types.js';

/** Handles a read that is older than what the position already knows: it never moves the position. */
export function judgeLate(
  state: AssetState,
  { read, settings, surroundings }: { read: LocatingRead; settings: AntennaSettings; surroundings: Surroundings },
): Judgment {
  const at = findSlot(state.slots, read.antenna, read.tag);
  const before = at < 0 ? emptySlot(read) : (state.slots[at] ?? emptySlot(read));
  const slot = addLateRead(before, read, surroundings);
  const slots = putSlot(state.slots, at, slot);
  // No slot is free: should the read be delivered again, it would count again.
  if (slots === state.slots) return unmoved(state, 'late');
  const next = { ...state, slots };
  const judgment = unmoved(next, 'late');
  if (!isConvincing(next, slot, { read, settings, surroundings })) return judgment;
  return { ...judgment, late: { location: settings.location, atMs: slot.lateFirstMs } };
}

function addLateRead(slot: Slot, { atMs }: LocatingRead, surroundings: Surroundings): Slot {
  const gapMs = Math.max(slot.gapMs, surroundings.level(slot.antenna)?.gapMs ?? gapUnknownMs, runGapMinMs);
  const continues = slot.lateReads > 0 && atMs - slot.lastMs <= runGaps * gapMs;
  return {
    ...slot,
    lastMs: atMs,
    lateReads: continues ? slot.lateReads + 1 : 1,
    lateFirstMs: continues ? slot.lateFirstMs : atMs,
  };
}

function isConvincing(
  state: AssetState,
  slot: Slot,
  { read, settings, surroundings }: { read: LocatingRead; settings: AntennaSettings; surroundings: Surroundings },
): boolean {
  const isAfterArrival = read.atMs >= state.sinceMs;
  if (isAfterArrival && settings.location === state.location) return false;
  const own = surroundings.level(read.antenna);
  if (read.rssiDbm !== null && own !== undefined && own.reads > 0 && read.rssiDbm < own.meanDbm - lateBelowDb)
    return false;
  // Before the first location that is known, one read is better than nothing.
  if (!isAfterArrival && state.previous === null) return true;
  return slot.lateReads >= lateReadsMin;
}
