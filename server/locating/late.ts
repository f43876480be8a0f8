import { gapUnknownMs, lateBelowDb, lateReadsMin, runGapMinMs, runGaps } from './constants.js';
import { emptyTally, findTally, putTally } from './tallies.js';
import { judged } from './state.js';
import type { AssetState, Input, Judgment, LocatingRead, Surroundings, Tally } from './types.js';

/** Handles a read that is older than what the position already knows: it never moves the position. */
export function judgeLate(state: AssetState, input: Input): Judgment {
  const { read, settings, surroundings } = input;
  const at = findTally(state.tallies, read.antenna, read.tag);
  const before = at < 0 ? emptyTally(read) : (state.tallies[at] ?? emptyTally(read));
  const tally = addLateRead(before, read, surroundings);
  const tallies = putTally(state.tallies, at, tally);
  // No tally is free: if the read were delivered again, it would count again.
  if (tallies === state.tallies) return judged(state);
  const next = { ...state, tallies };
  const judgment = judged(next);
  if (!isConvincing(next, tally, input)) return judgment;
  return { ...judgment, late: { location: settings.location, atMs: tally.lateFirstMs } };
}

function addLateRead(tally: Tally, { atMs }: LocatingRead, surroundings: Surroundings): Tally {
  const gapMs = Math.max(tally.gapMs, surroundings.level(tally.antenna)?.gapMs ?? gapUnknownMs, runGapMinMs);
  const continues = tally.lateReads > 0 && atMs - tally.lastMs <= runGaps * gapMs;
  return {
    ...tally,
    lastMs: atMs,
    lateReads: continues ? tally.lateReads + 1 : 1,
    lateFirstMs: continues ? tally.lateFirstMs : atMs,
  };
}

function isConvincing(state: AssetState, { lateReads }: Tally, { read, settings, surroundings }: Input): boolean {
  const isAfterArrival = read.atMs >= state.sinceMs;
  if (isAfterArrival && settings.location === state.location) return false;
  const own = surroundings.level(read.antenna);
  if (read.rssiDbm !== null && own !== undefined && own.reads > 0 && read.rssiDbm < own.meanDbm - lateBelowDb)
    return false;
  // Before the first known location, one read is better than nothing.
  if (!isAfterArrival && state.previous === null) return true;
  return lateReads >= lateReadsMin;
}
