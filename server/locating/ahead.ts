import { aheadMaxDb, calmDb, leakDb, silentDb, trustVisits, wordDb as aboveWordDb } from './constants.js';
import { type InState, loudestDbAt, loudnessDb } from './ears.js';
import type { AntennaKey, Ear, LocationId, Picture } from './types.js';

/** How far a location is ahead of the present one, in dB, and how much of this is by the pictures of both, from 0 to 1. */
export type Ahead = { db: number; pictureShare: number };

/** Compares a location with the present one: by loudness, and by the pictures of both as far as they are learned. */
export function aheadOf(location: LocationId, at: { atMs: number; paceMs: number }, given: InState): Ahead {
  const { state, surroundings } = given;
  const plainOf = (inState: InState) => loudestDbAt(location, at, inState) - loudestDbAt(state.location, at, inState);
  const live = { ...given, isLive: true };
  const [calmlyDb, livelyDb] = [plainOf(given), plainOf(live)];
  // Two levels that change against each other are a move sooner than one that changes alone.
  const inState = Math.abs(livelyDb - calmlyDb) < Math.SQRT2 * calmDb ? given : live;
  const there = surroundings.picture(location);
  const here = surroundings.picture(state.location);
  if (state.wordDb !== null)
    return { db: loudestDbAt(location, at, inState) - (state.wordDb + aboveWordDb), pictureShare: 0 };
  const plainDb = inState === live ? livelyDb : calmlyDb;
  if (!there || !here || hasPortal(state.ears, location, state.location)) return { db: plainDb, pictureShare: 0 };
  const visits = Math.min(there.visits, here.visits);
  const pictureShare = visits / (visits + trustVisits);
  const bound = (db: number) => Math.max(-aheadMaxDb * 4, Math.min(aheadMaxDb * 4, db));
  const byPicture = pictureDb([location, there], [state.location, here], { ...inState, at });
  return { db: bound(plainDb) + pictureShare * (byPicture - bound(plainDb)), pictureShare };
}

function hasPortal(ears: readonly Ear[], one: LocationId, other: LocationId): boolean {
  for (const { isPortal, location } of ears) if (isPortal && (location === one || location === other)) return true;
  return false;
}

/** Returns by how many dB the levels of all antennas fit the picture of one location better than the picture of another one. */
function pictureDb(
  [one, there]: [LocationId, Picture],
  [other, here]: [LocationId, Picture],
  { at, ...inState }: InState & { at: { atMs: number; paceMs: number } },
): number {
  const { state, surroundings } = inState;
  const levels = new Map<AntennaKey, number>();
  for (const antenna of there.antennas.keys()) levels.set(antenna, -silentDb);
  for (const antenna of here.antennas.keys()) levels.set(antenna, -silentDb);
  for (const ear of state.ears) {
    levels.set(ear.antenna, Math.max(levels.get(ear.antenna) ?? -silentDb, loudnessDb(ear, at, inState)));
  }
  let sum = 0;
  for (const [antenna, db] of levels) {
    const away = db - surroundings.expectedDb(other, antenna);
    const near = db - surroundings.expectedDb(one, antenna);
    sum += Math.max(-aheadMaxDb, Math.min(aheadMaxDb, (away * away - near * near) / (2 * leakDb)));
  }
  return sum;
}
