import { aheadMaxDb, calmDb, silentDb, spreadDb, trustVisits, wordDb as aboveWordDb } from './constants.js';
import { fadeOf, type InState, levelDb, loudestDbAt } from './ears.js';
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

/**
 * Returns how much better what all antennas hear fits the picture of one location than the picture of another one: 1 dB
 * where it is e times as likely there.
 */
function pictureDb(
  [one, there]: [LocationId, Picture],
  [other, here]: [LocationId, Picture],
  { at, ...inState }: InState & { at: { atMs: number; paceMs: number } },
): number {
  const { state, surroundings } = inState;
  const heard = new Map<AntennaKey, { db: number; fade: number }>();
  let topDb = Number.NEGATIVE_INFINITY;
  for (const ear of state.ears) {
    const fade = fadeOf(ear, at, inState);
    const db = levelDb(ear, { ...inState, isOfPicture: true }) - fade;
    if (db > (heard.get(ear.antenna)?.db ?? Number.NEGATIVE_INFINITY)) heard.set(ear.antenna, { db, fade });
    topDb = Math.max(topDb, db);
  }
  let sum = 0;
  for (const antenna of new Set([...there.antennas.keys(), ...here.antennas.keys(), ...heard.keys()])) {
    const near = surroundings.expected(one, antenna);
    const away = surroundings.expected(other, antenna);
    const { db, fade } = heard.get(antenna) ?? { db: 0, fade: silentDb };
    const silence = fade / silentDb;
    const byLevel = ((db - topDb - away.db) ** 2 - (db - topDb - near.db) ** 2) / (2 * spreadDb ** 2);
    const ifHeard = Math.log(near.share / away.share) + byLevel;
    const ifSilent = Math.log((1 - near.share) / (1 - away.share));
    sum += Math.max(-aheadMaxDb, Math.min(aheadMaxDb, (1 - silence) * ifHeard + silence * ifSilent));
  }
  return sum;
}
