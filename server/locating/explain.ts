import { aheadOf } from './ahead.js';
import { marginDb } from './constants.js';
import { countedDb, type Loudness, momentOf } from './loudness.js';
import { aheadMaxDbOf, needOf } from './judge.js';
import type { AssetState, Tally, LocationId, Surroundings } from './types.js';

/** What is known of a location that was heard lately: its loudest antenna, and what would move the asset there. */
export type Standing = {
  location: LocationId;
  tally: Tally;
  /** By how many dB the location is ahead of the present one; 0 for the present one. */
  aheadDb: number;
  /** By how many dB it would have to be ahead, and for how long, to move the asset there; null for the present location. */
  need: { db: number; ms: number } | null;
  /** Whether the pictures of both locations decide more than the loudness alone. */
  isByPicture: boolean;
};

type Explanation = {
  /** The probability that the asset is at its location. */
  confidence: number;
  /** The present location first, then those that are furthest ahead. */
  standings: Standing[];
};

/** The needed time is given for this difference, or for the largest that the antenna can show. */
const explainedDb = 10;

/** A location that was heard within this time is explained. */
const latelyMs = 600_000;

/** By how many dB the present location has to be ahead of all others for a confidence of one half, and for each further step. */
const evenDb = -8;
const stepDb = 3.5;

/** Explains why an asset is where it was decided to be. `nowMs` is the present time of the server. */
export function explain(state: AssetState, surroundings: Surroundings, nowMs: number): Explanation {
  const atMs = Math.min(nowMs, state.lastSeenMs);
  const moment = momentOf(state, surroundings, { atMs });
  const loudest = new Map<LocationId, Loudness>();
  for (const each of moment.loudnesses) {
    const { location, lastMs } = each.tally;
    const known = loudest.get(location);
    if (atMs - lastMs <= latelyMs && (!known || countedDb(each) > countedDb(known))) loudest.set(location, each);
  }
  const needed = needOf(state, atMs);
  const standings = [...loudest].map(([location, { tally }]): Standing => {
    if (location === state.location) return { location, tally, aheadDb: 0, need: null, isByPicture: false };
    const { db, pictureShare } = aheadOf(location, moment);
    const rival = state.rivals.find((each) => each.location === location);
    const needDb = Math.min(explainedDb, aheadMaxDbOf(tally, moment));
    const needMs = Math.round((1000 * Math.max(0, needed - (rival?.dbS ?? 0))) / (needDb - marginDb));
    return { location, tally, aheadDb: db, need: { db: needDb, ms: needMs }, isByPicture: pictureShare > 0.5 };
  });
  standings.sort((one, other) => rankOf(other, state) - rankOf(one, state));
  return { confidence: confidenceOf(state, standings), standings };
}

function rankOf({ location, aheadDb }: Standing, state: AssetState): number {
  return location === state.location ? 1000 : aheadDb;
}

/** A person's scan counts more than any antenna. */
function confidenceOf(state: AssetState, standings: readonly Standing[]): number {
  if (state.scanDb !== null) return 0.99;
  let ahead = -24;
  for (const { location, aheadDb } of standings) if (location !== state.location) ahead = Math.max(ahead, aheadDb);
  return Math.round(100 / (1 + Math.exp((ahead + evenDb) / stepDb))) / 100;
}
