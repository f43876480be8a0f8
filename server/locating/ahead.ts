import { aboveScanDb, aheadMaxDb, calmDb, silentDb, trustVisits } from './constants.js';
import { loudestAt, type Moment } from './loudness.js';
import type { Hearing, LocationId, Tally } from './types.js';

/** How far a location is ahead of the present one, in dB, and how much of this is by the pictures of both, from 0 to 1. */
type Ahead = { db: number; pictureShare: number };

/** Compares a location with the present one: by loudness, and by the pictures of both as far as they are learned. */
export function aheadOf(location: LocationId, moment: Moment): Ahead {
  const { state, surroundings } = moment;
  const there = loudestAt(location, moment);
  const here = loudestAt(state.location, moment);
  const byMeansDb = there.calmDb - here.calmDb;
  const livelyDb = there.liveDb - here.liveDb;
  // Two levels that change against each other are a move sooner than one that changes alone.
  const isLive = Math.abs(livelyDb - byMeansDb) >= Math.SQRT2 * calmDb;
  if (state.scanDb !== null)
    return { db: (isLive ? there.liveDb : there.calmDb) - (state.scanDb + aboveScanDb), pictureShare: 0 };
  const plainDb = isLive ? livelyDb : byMeansDb;
  const visits = Math.min(
    surroundings.picture(location)?.visits ?? 0,
    surroundings.picture(state.location)?.visits ?? 0,
  );
  if (visits === 0 || hasPortal(state.tallies, location, state.location)) return { db: plainDb, pictureShare: 0 };
  const pictureShare = visits / (visits + trustVisits);
  const hearings = hearingsOf(moment, isLive);
  const byPicture = surroundings.fit(location, hearings) - surroundings.fit(state.location, hearings);
  const byLoudness = Math.max(-aheadMaxDb * 4, Math.min(aheadMaxDb * 4, plainDb));
  return { db: byLoudness + pictureShare * (byPicture - byLoudness), pictureShare };
}

function hasPortal(tallies: readonly Tally[], one: LocationId, other: LocationId): boolean {
  for (const { isPortal, location } of tallies) if (isPortal && (location === one || location === other)) return true;
  return false;
}

/** Returns how loud each antenna hears the asset, in dB below the loudest one, by the tag that it hears best. */
function hearingsOf(moment: Moment, isLive: boolean): Hearing[] {
  const hearings: Hearing[] = [];
  let top = Number.NEGATIVE_INFINITY;
  for (const { tally, calmDb: calm, liveDb: live, overdueDb, rareDb } of moment.loudnesses) {
    const { antenna, location } = tally;
    const db = (isLive ? live : calm) - overdueDb - (tally.level === null ? rareDb : 0);
    let at = 0;
    while (at < hearings.length && hearings[at]?.antenna !== antenna) at += 1;
    if (db > (hearings[at]?.db ?? Number.NEGATIVE_INFINITY))
      hearings[at] = { antenna, location, db, silence: overdueDb / silentDb };
    top = Math.max(top, db);
  }
  for (const hearing of hearings) hearing.db -= top;
  return hearings;
}
