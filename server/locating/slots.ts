import { slotReadsMax, slotsMax } from './constants.js';
import type { AntennaKey, LocatingRead, Slot } from './types.js';

/** Returns the position of the slot of an antenna and tag, -1 without one. */
export function findSlot(slots: readonly Slot[], antenna: AntennaKey, tag: number): number {
  for (let i = 0; i < slots.length; i += 1) {
    const slot = slots[i];
    if (slot !== undefined && slot.antenna === antenna && slot.tag === tag) return i;
  }
  return -1;
}

/**
 * Returns the slots with one of them put in place, the least recent one dropped if there are too many; the same slots if
 * the new one would have to take the place of a more recent one.
 */
export function putSlot(slots: readonly Slot[], at: number, slot: Slot): readonly Slot[] {
  const next = slots.slice();
  if (at >= 0) {
    next[at] = slot;
    return next;
  }
  if (next.length >= slotsMax) {
    const oldest = leastRecent(next);
    if ((next[oldest]?.lastMs ?? 0) > slot.lastMs) return slots;
    next.splice(oldest, 1);
  }
  next.push(slot);
  return next;
}

function leastRecent(slots: readonly Slot[]): number {
  let found = 0;
  for (let i = 1; i < slots.length; i += 1) {
    if ((slots[i]?.lastMs ?? 0) < (slots[found]?.lastMs ?? 0)) found = i;
  }
  return found;
}

/** Creates a slot that has counted nothing yet, last read at an instant. */
export function emptySlot({ antenna, tag, atMs }: Pick<LocatingRead, 'antenna' | 'tag' | 'atMs'>): Slot {
  return {
    antenna,
    tag,
    reads: 0,
    level: null,
    newReads: 0,
    newLevel: null,
    newFirstMs: 0,
    lastMs: atMs,
    gapMs: 0,
    lateReads: 0,
    lateFirstMs: 0,
  };
}

/** Returns the slot with a read more in the open change. */
export function addNewRead(slot: Slot, { rssiDbm, atMs }: LocatingRead): Slot {
  const count = Math.min(slot.newReads + 1, slotReadsMax);
  return {
    antenna: slot.antenna,
    tag: slot.tag,
    reads: slot.reads,
    level: slot.level,
    newReads: count,
    newLevel: meanLevel(slot.newLevel, rssiDbm, count),
    newFirstMs: slot.newReads === 0 ? atMs : Math.min(slot.newFirstMs, atMs),
    lastMs: atMs,
    gapMs: nextGapMs(slot, atMs),
    lateReads: 0,
    lateFirstMs: 0,
  };
}

/** Returns the slots with half of their counts if one of them has counted as much as it may: old reads fade. */
export function fadeSlots(slots: readonly Slot[]): readonly Slot[] {
  let most = 0;
  for (const { reads } of slots) most = Math.max(most, reads);
  if (most <= slotReadsMax) return slots;
  return slots.map((slot) => {
    const reads = slot.reads >> 1;
    return { ...slot, reads, level: reads === 0 ? null : slot.level };
  });
}

/** Returns the slot with a read more of an asset that has not moved. */
export function addRead(slot: Slot, { rssiDbm, atMs }: LocatingRead): Slot {
  const reads = slot.reads + 1;
  return {
    antenna: slot.antenna,
    tag: slot.tag,
    reads,
    level: meanLevel(slot.level, rssiDbm, reads),
    newReads: slot.newReads,
    newLevel: slot.newLevel,
    newFirstMs: slot.newFirstMs,
    lastMs: atMs,
    gapMs: nextGapMs(slot, atMs),
    lateReads: 0,
    lateFirstMs: 0,
  };
}

/** A running mean in hundredths of dBm over at most `count` reads. */
function meanLevel(level: number | null, rssiDbm: number | null, count: number): number | null {
  if (rssiDbm === null) return level;
  const hundredths = Math.round(rssiDbm * 100);
  // Zero is added because rounding can give a negative zero, which does not survive being encoded.
  return (level === null ? hundredths : Math.round(level + (hundredths - level) / count)) + 0;
}

/** A longer gap is believed sooner than a shorter one: a tag that stands still is read less often than one that is new. */
function nextGapMs(slot: Slot, atMs: number): number {
  if (slot.reads + slot.newReads === 0) return slot.gapMs;
  const gap = atMs - slot.lastMs;
  if (slot.gapMs === 0) return gap;
  return Math.round(slot.gapMs + (gap - slot.gapMs) / (gap > slot.gapMs ? 2 : 8));
}

/** Returns the slots after a move: the reads of the change are all that counts. */
export function startVisit(slots: readonly Slot[]): Slot[] {
  return slots.map((slot) => ({
    antenna: slot.antenna,
    tag: slot.tag,
    reads: slot.newReads,
    level: slot.newLevel,
    newReads: 0,
    newLevel: null,
    newFirstMs: 0,
    lastMs: slot.lastMs,
    gapMs: slot.gapMs,
    lateReads: slot.lateReads,
    lateFirstMs: slot.lateFirstMs,
  }));
}

/** Returns the slot without its reads of the open change. */
export function withoutChange(slot: Slot): Slot {
  return slot.newReads === 0 ? slot : { ...slot, newReads: 0, newLevel: null, newFirstMs: 0 };
}

/** Returns the slots after a change that was none: its reads count like those before it. */
export function mergeChange(slots: readonly Slot[]): Slot[] {
  return slots.map((slot) => {
    if (slot.newReads === 0) return slot;
    return {
      antenna: slot.antenna,
      tag: slot.tag,
      reads: slot.reads + slot.newReads,
      level: jointLevel(slot),
      newReads: 0,
      newLevel: null,
      newFirstMs: 0,
      lastMs: slot.lastMs,
      gapMs: slot.gapMs,
      lateReads: slot.lateReads,
      lateFirstMs: slot.lateFirstMs,
    };
  });
}

function jointLevel({ reads, level, newReads, newLevel }: Slot): number | null {
  if (level === null || newLevel === null) return level ?? newLevel;
  return Math.round((level * reads + newLevel * newReads) / (reads + newReads)) + 0;
}
