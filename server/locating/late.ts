import { deafDb, visitMs } from './constants.js';
import type { AssetState, Judgment, LateRun, LocatingRead } from './types.js';

/** The number of late reads that have to agree, except before the first known location. */
const lateReadsMin = 2;
const lateRunsMax = 4;

/** Handles a read that is older than what the position already knows: it never moves the position. */
export function judgeLate(state: AssetState, read: LocatingRead): Judgment {
  const { antenna, tag, atMs, location } = read;
  const known = state.lateRuns.find((run) => run.antenna === antenna && run.tag === tag);
  if (known && atMs <= known.lastMs) return { state, movedAtMs: null };
  const continues = known !== undefined && atMs - known.lastMs <= visitMs;
  const run: LateRun = {
    antenna,
    tag,
    reads: continues ? known.reads + 1 : 1,
    firstMs: continues ? known.firstMs : atMs,
    lastMs: atMs,
  };
  const others = state.lateRuns.filter((each) => each !== known);
  const judgment: Judgment = { state: { ...state, lateRuns: [run, ...others].slice(0, lateRunsMax) }, movedAtMs: null };
  return isConvincing(state, run, read) ? { ...judgment, late: { location, atMs: run.firstMs } } : judgment;
}

function isConvincing(
  state: AssetState,
  { reads }: LateRun,
  { atMs, location, rssiDbm, isBle }: LocatingRead,
): boolean {
  const isAfterArrival = atMs >= state.sinceMs;
  if (isAfterArrival && location === state.location) return false;
  const loudest = state.loudest[isBle ? 1 : 0];
  if (rssiDbm !== null && loudest && rssiDbm < loudest.level / 100 - deafDb) return false;
  // Before the first known location, one read is better than nothing.
  if (!isAfterArrival && state.previous === null) return true;
  return reads >= lateReadsMin;
}
