import { jitterMs, replaceMs } from './constants.js';
import { decideByEvidence } from './decide-by-evidence.js';
import { judgeLate } from './late.js';
import {
  addNewRead,
  addRead,
  emptyTally,
  fadeTallies,
  findTally,
  putTally,
  startVisit,
  withoutChange,
} from './tallies.js';
import { freshState, judged, visitOf } from './state.js';
import type { AssetState, Input, Judgment, LocatingRead, LocationId, Surroundings } from './types.js';

/**
 * Decides where an asset is after one more read by a fixed reader.
 *
 * @param state the asset's state; undefined if it was never read
 * @returns the next state, which the caller stores, and the consequences of the read. A read that was judged before
 *   changes nothing. The given state is not changed.
 */
export function decide(state: AssetState | undefined, read: LocatingRead, surroundings: Surroundings): Judgment {
  const settings = surroundings.antenna(read.antenna);
  if (state === undefined) return placeFirst(read, settings?.location ?? 0);
  if (settings === undefined) return judged(state);
  const input: Input = { read, settings, surroundings };
  if (settings.rule === 'newest') return decideNewest(state, input);
  const at = findTally(state.tallies, read.antenna, read.tag);
  if (at >= 0 && read.atMs <= (state.tallies[at]?.lastMs ?? 0)) return judged(state);
  if (read.atMs < state.lastSeenMs - jitterMs) return judgeLate(state, input);
  if (read.atMs < state.settledMs) {
    // A message of the reader that the asset has just left may arrive after the one that showed the move.
    const isOfMove = state.reason === 'moved' || state.reason === 'portal';
    return isOfMove && read.atMs >= state.settledMs - jitterMs ? judged(state) : judgeLate(state, input);
  }
  return asReplacement(state, decideByEvidence(state, at, input), Math.max(state.lastSeenMs, read.atMs));
}

/**
 * Records where a move came from and when it was decided. A further move soon after replaces it: the reads then show that
 * the asset was not at the location of the first one.
 */
function asReplacement(
  { movedFrom, decidedMs, location: from }: AssetState,
  judgment: Judgment,
  nowMs: number,
): Judgment {
  if (judgment.movedAtMs === null) return judgment;
  if (movedFrom === 0 || nowMs - decidedMs > replaceMs) {
    return { ...judgment, state: { ...judgment.state, movedFrom: from, decidedMs: nowMs } };
  }
  const isBack = judgment.location === movedFrom;
  const state = { ...judgment.state, movedFrom: isBack ? 0 : movedFrom, decidedMs: isBack ? 0 : decidedMs };
  return { ...judgment, replaces: true, state };
}

function placeFirst(read: LocatingRead, location: LocationId): Judgment {
  const { atMs } = read;
  const tally = addRead(emptyTally(read), read);
  const state: AssetState = {
    ...freshState({ location, sinceMs: atMs, lastSeenMs: atMs }),
    decidedBy: read.antenna,
    reason: 'first',
    visitReads: 1,
    tallies: [tally],
  };
  return judged(state, atMs);
}

/** The rule `newest`: the latest read by its time wins. */
function decideNewest(state: AssetState, { read, settings }: Input): Judgment {
  const { atMs } = read;
  const { location } = settings;
  if (atMs <= state.lastSeenMs) return { ...judged(state), late: { location, atMs } };
  const isMove = location !== state.location;
  const at = findTally(state.tallies, read.antenna, read.tag);
  const known = (at < 0 ? undefined : state.tallies[at]) ?? emptyTally(read);
  if (!isMove && state.changeMs === 0 && !state.isInTransit) {
    const tallies = fadeTallies(putTally(state.tallies, at, addRead(known, read)));
    const next: AssetState = { ...state, lastSeenMs: atMs, settledMs: atMs, visitReads: state.visitReads + 1, tallies };
    return judged(next);
  }
  const tallies = startVisit(putTally(state.tallies.map(withoutChange), at, addNewRead(withoutChange(known), read)));
  const next: AssetState = {
    ...visitOf(state, { location, sinceMs: isMove ? atMs : state.sinceMs, code: 'newest', antenna: read.antenna }),
    lastSeenMs: atMs,
    settledMs: atMs,
    visitReads: 1,
    tallies,
  };
  return judged(next, isMove ? atMs : null);
}
