import type { AssetState, Judgment, LocationId, Reason, ReasonCode } from './types.js';

/** Creates the state of an asset of which only the location and its times are known. */
export function freshState({
  location,
  sinceMs,
  lastSeenMs,
}: Pick<AssetState, 'location' | 'sinceMs' | 'lastSeenMs'>): AssetState {
  return {
    ...{ location, sinceMs, lastSeenMs, previous: null, decidedBy: 0, reason: 'same', settledMs: sinceMs, changeMs: 0 },
    ...{ labelUntilMs: 0, isCalibrating: false, slots: [] },
  };
}

/** Creates a judgment that moves nothing. */
export function unmoved(state: AssetState, code: ReasonCode): Judgment {
  return { state, location: state.location, movedAtMs: null, reason: plainReason(code, state.location) };
}

/** Creates a reason that has no numbers. */
export function plainReason(code: ReasonCode, location: LocationId): Reason {
  return { code, location, other: null, reads: 0, rssiDbm: null, advantage: 0 };
}
