import type { AssetState, Judgment, LocationId, ReasonCode } from './types.js';

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
    changeMs: 0,
    louderMs: 0,
    labelUntilMs: 0,
    isCalibrating: false,
    isInTransit: false,
    visitReads: 0,
    movedFrom: 0,
    decidedMs: 0,
    tallies: [],
  };
}

/** Creates the judgment that an asset is where its state says. */
export function judged(state: AssetState, movedAtMs: number | null = null): Judgment {
  return { state, location: state.location, movedAtMs };
}

/** Creates the state of a new visit, with the tallies of the one before. */
export function visitOf(
  state: AssetState,
  { location, sinceMs, code, antenna }: { location: LocationId; sinceMs: number; code: ReasonCode; antenna: number },
): AssetState {
  const { lastSeenMs, settledMs, visitReads, tallies } = state;
  return {
    ...freshState({ location, sinceMs, lastSeenMs }),
    previous: location === state.location ? state.previous : state.location,
    decidedBy: antenna,
    reason: code,
    settledMs,
    visitReads,
    tallies,
  };
}
