import { denseMs, messageGapMaxMs, silentGaps } from './constants.js';
import { gapOf } from './observations.js';
import { plainReason, visitOf } from './state.js';
import { mergeChange } from './tallies.js';
import type { AntennaKey, AssetState, Judgment, LocationId, Surroundings } from './types.js';

/** An antenna of another location becomes louder when it receives an asset this much better than all of its own location. */
const louderDb = 2;

/**
 * How much louder it has to be, and for how long, to decide: 3 dB for two seconds, or 6 dB for one. Not where this many
 * visits to both locations have been learned from.
 */
const louderDbMs = 6000;
const louderVisits = 6;

/** The location whose antenna receives an asset most strongly, by levels smoothed over some seconds. */
type Loudest = { location: LocationId; antenna: AntennaKey; aheadDb: number };

/** Returns the loudest location, and how far it is ahead of the present one; undefined where tags are read rarely. */
function loudestOf(state: AssetState, surroundings: Surroundings): Loudest | undefined {
  let best: Loudest | undefined;
  let bestLevel = Number.NEGATIVE_INFINITY;
  let ownLevel = Number.NEGATIVE_INFINITY;
  let isDense = false;
  let isSmoothed = false;
  for (const { antenna, smoothed, level, newLevel, lastMs, gapMs } of state.tallies) {
    const location = surroundings.antenna(antenna)?.location;
    if (location === undefined) continue;
    const usualMs = Math.max(gapMs, gapOf(antenna, surroundings));
    if (state.lastSeenMs - lastMs > messageGapMaxMs + silentGaps * usualMs) continue;
    const dbm = smoothed ?? level ?? newLevel;
    if (dbm === null) return undefined;
    if (smoothed !== null && gapMs > 0 && gapMs < denseMs) isDense = true;
    if (location === state.location) ownLevel = Math.max(ownLevel, dbm);
    if (dbm <= bestLevel) continue;
    bestLevel = dbm;
    isSmoothed = smoothed !== null;
    best = { location, antenna, aheadDb: 0 };
  }
  // Where tags are read rarely, a level of some seconds is one of few reads. In a hall no antenna gets every packet.
  return best && isSmoothed && isDense ? { ...best, aheadDb: (bestLevel - ownLevel) / 100 } : undefined;
}

/** Whether so little was learned of one of two locations that the louder one is right rather than the likelier one. */
function isUnlearned(one: LocationId, other: LocationId, { site }: Surroundings): boolean {
  return Math.min(site?.(one)?.visits ?? 0, site?.(other)?.visits ?? 0) < louderVisits;
}

/** Whether a location cannot be the one of the asset: another one is louder, and too little was learned to know better. */
export function isQuieter(location: LocationId, state: AssetState, surroundings: Surroundings): boolean {
  if (!isUnlearned(state.location, location, surroundings)) return false;
  const loudest = loudestOf(state, surroundings);
  return loudest !== undefined && loudest.location !== location;
}

/** Moves an asset for which another location has been louder for some seconds, as long as little was learned of both. */
export function followLoudest(judgment: Judgment, surroundings: Surroundings): Judgment {
  const { state } = judgment;
  if (state.reason === 'handheld' || state.isCalibrating) return judgment;
  const loudest = loudestOf(state, surroundings);
  const isOther = loudest !== undefined && loudest.location !== state.location && loudest.location !== 0;
  const leastDb = state.louderMs === 0 ? louderDb : 0;
  if (!isOther || loudest.aheadDb < leastDb || !isUnlearned(state.location, loudest.location, surroundings)) {
    return state.louderMs === 0 ? judgment : { ...judgment, state: { ...state, louderMs: 0 } };
  }
  if (state.louderMs === 0) return { ...judgment, state: { ...state, louderMs: state.lastSeenMs } };
  if ((state.lastSeenMs - state.louderMs) * loudest.aheadDb < louderDbMs) return judgment;
  const { location, antenna } = loudest;
  const sinceMs = Math.max(state.louderMs, state.settledMs + 1);
  const isPassage = surroundings.antenna(antenna)?.kind === 'portal';
  const next: AssetState = {
    ...visitOf(state, { location, sinceMs, code: isPassage ? 'portal' : 'moved', antenna }),
    settledMs: sinceMs,
    tallies: mergeChange(state.tallies),
  };
  const reason = { ...plainReason(next.reason, location), other: state.location };
  const moved = { ...judgment, state: next, location, movedAtMs: sinceMs, reason };
  return isPassage ? { ...moved, passage: { location, antenna, atMs: sinceMs } } : moved;
}
