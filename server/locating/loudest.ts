import { denseMs, messageGapMaxMs, silentGaps } from './constants.js';
import { gapOf } from './observations.js';
import { judged, visitOf } from './state.js';
import { mergeChange } from './tallies.js';
import type { AntennaKey, AssetState, Judgment, LocationId, Surroundings } from './types.js';

/** An antenna of another location becomes louder when it receives an asset this much better than all of its own location. */
const louderDb = 2;

/**
 * How much louder it has to be, and for how long, to decide between two locations: 3 dB for a second, or 1.5 dB for two. The
 * more locations receive an asset, the more likely one of them is louder by chance: with twelve, it is 3.4 times as much.
 * Not where this many visits to both locations were labeled: unlabeled visits confirm decisions where rooms overlap.
 */
const louderDbMs = 3000;
const louderLabels = 2;

/** By how much the present location has to be louder for a confidence of 73 %; for twice this, 88 %, and so on. */
const confidenceDb = 2;

/**
 * The loudest zone besides the present location, by levels of the last seconds; `aheadDb` is infinite if the present location is silent.
 * Portals are decided by evidence: assets pass them within a second or two, or are parked beside them.
 */
type Rival = { location: LocationId; antenna: AntennaKey; aheadDb: number };

/** Returns the loudest other zone; undefined without one, and where tags are read rarely. */
function rivalOf(state: AssetState, surroundings: Surroundings): Rival | undefined {
  let rival: Rival | undefined;
  let rivalLevel = Number.NEGATIVE_INFINITY;
  let ownLevel = Number.NEGATIVE_INFINITY;
  let isDense = false;
  let isSmoothed = false;
  for (const { antenna, smoothed, level, newLevel, lastMs, gapMs } of state.tallies) {
    const settings = surroundings.antenna(antenna);
    if (settings === undefined) continue;
    const { location, kind } = settings;
    if (kind === 'portal' && location !== state.location) continue;
    const usualMs = Math.max(gapMs, gapOf(antenna, surroundings));
    if (state.lastSeenMs - lastMs > messageGapMaxMs + silentGaps * usualMs) continue;
    const dbm = smoothed ?? level ?? newLevel;
    if (dbm === null) return undefined;
    if (smoothed !== null && gapMs > 0 && gapMs < denseMs) isDense = true;
    if (location === state.location) ownLevel = Math.max(ownLevel, dbm);
    else if (dbm > rivalLevel) {
      rivalLevel = dbm;
      isSmoothed = smoothed !== null;
      rival = { location, antenna, aheadDb: 0 };
    }
  }
  // Where tags are read rarely, a level of some seconds is one of few reads. In a hall no antenna gets every packet.
  return rival && isSmoothed && isDense ? { ...rival, aheadDb: (rivalLevel - ownLevel) / 100 } : undefined;
}

/** Returns how many locations besides the present one receive the asset, at least one. */
function othersOf({ location, tallies }: AssetState, surroundings: Surroundings): number {
  const locations = new Set(tallies.map(({ antenna }) => surroundings.antenna(antenna)?.location));
  locations.delete(location);
  return Math.max(1, locations.size);
}

/** Whether so little was learned of one of two locations that the louder one is right rather than the likelier one. */
function isUnlearned(one: LocationId, other: LocationId, { site }: Surroundings): boolean {
  return Math.min(site?.(one)?.labels ?? 0, site?.(other)?.labels ?? 0) < louderLabels;
}

function isPortal(location: LocationId, { tallies }: AssetState, surroundings: Surroundings): boolean {
  return tallies.some(({ antenna }) => {
    const settings = surroundings.antenna(antenna);
    return settings?.location === location && settings.kind === 'portal';
  });
}

/** Whether a location cannot be the one of the asset: it is not the loudest, and too little was learned to know better. */
export function isQuieter(location: LocationId, state: AssetState, surroundings: Surroundings): boolean {
  if (isPortal(location, state, surroundings) || !isUnlearned(state.location, location, surroundings)) return false;
  const rival = rivalOf(state, surroundings);
  return rival !== undefined && (rival.location !== location || rival.aheadDb < louderDb);
}

/**
 * Returns the probability that an asset is where it is shown, by how much louder this location is than the others;
 * undefined where loudness does not decide.
 */
export function confidenceByLoudness(state: AssetState, surroundings: Surroundings): number | undefined {
  const rival = rivalOf(state, surroundings);
  if (!rival || !isUnlearned(state.location, rival.location, surroundings)) return undefined;
  return 1 / (1 + Math.exp(rival.aheadDb / confidenceDb));
}

/** Moves an asset for which another location has been louder for some seconds, as long as little was learned of both. */
export function followLoudest(judgment: Judgment, surroundings: Surroundings): Judgment {
  const { state } = judgment;
  if (state.reason === 'handheld' || state.isCalibrating) return judgment;
  const rival = rivalOf(state, surroundings);
  const leastDb = state.louderMs === 0 ? louderDb : 0;
  const isLouder = rival !== undefined && rival.location !== 0 && rival.aheadDb >= leastDb;
  if (!isLouder || !isUnlearned(state.location, rival.location, surroundings)) {
    return state.louderMs === 0 ? judgment : { ...judgment, state: { ...state, louderMs: 0 } };
  }
  if (state.louderMs === 0) return { ...judgment, state: { ...state, louderMs: state.lastSeenMs } };
  const neededDbMs = louderDbMs * (1 + Math.log(othersOf(state, surroundings)));
  if ((state.lastSeenMs - state.louderMs) * rival.aheadDb < neededDbMs) return judgment;
  const { location, antenna } = rival;
  const sinceMs = Math.max(state.louderMs, state.settledMs + 1);
  const next: AssetState = {
    ...visitOf(state, { location, sinceMs, code: 'moved', antenna }),
    settledMs: sinceMs,
    tallies: mergeChange(state.tallies),
  };
  return { ...judgment, ...judged(next, sinceMs) };
}
