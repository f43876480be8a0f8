import type { AssetState, LocatingRead } from './types.js';

/** Creates the state of an asset if only its location and its times are known. */
export function freshState({
  location,
  sinceMs,
  lastSeenMs,
}: Pick<AssetState, 'location' | 'sinceMs' | 'lastSeenMs'>): AssetState {
  return {
    location,
    sinceMs,
    lastSeenMs,
    previous: null,
    decidedBy: 0,
    reason: 'same',
    settledMs: sinceMs,
    taughtMs: sinceMs,
    labelUntilMs: 0,
    isCalibrating: false,
    scanDb: null,
    loudest: [null, null],
    rivals: [],
    lateRuns: [],
    tallies: [],
  };
}

/** Returns the state of an asset that a read has moved, with what its antennas have heard. */
export function movedState(
  { lastSeenMs, location: previous, loudest, tallies, lateRuns }: AssetState,
  { location, antenna: decidedBy }: LocatingRead,
  { sinceMs, reason }: Pick<AssetState, 'sinceMs' | 'reason'>,
): AssetState {
  return { ...freshState({ location, sinceMs, lastSeenMs }), previous, decidedBy, reason, loudest, tallies, lateRuns };
}
