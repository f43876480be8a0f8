import { aheadOf } from './ahead.js';
import {
  aboveScanDb,
  aheadMaxDb,
  deafDb,
  deafAheadMaxDb,
  farShare,
  lateMs,
  leakDb,
  marginDb,
  nearDb,
  needDbS,
  othersNeed,
  scanMs,
  stayMs,
  stayNeed,
  stepMaxMs,
  visitMs,
} from './constants.js';
import { addRead, findTally, firstTally, tenths } from './tallies.js';
import { judgeLate } from './late.js';
import { lessonOf } from './lesson.js';
import { type Moment, momentOf, relativeDb } from './loudness.js';
import { freshState, movedState } from './state.js';
import type {
  AssetState,
  Tally,
  HandheldScan,
  Judgment,
  LocatingRead,
  LocationId,
  Rival,
  Surroundings,
} from './types.js';

// docs/decisions/0028-loudest-for-long-enough.md explains the rule.

/** The most rivals that are kept: the ones that are furthest ahead. */
const rivalsMax = 5;

/**
 * Decides where an asset is after one more read by a fixed reader. Neither the state nor the surroundings are changed.
 *
 * @param state the asset's state; undefined if it was never read
 * @returns the next state, which the caller stores, and the consequences of the read, from which the site learns. A
 *   read that was judged before changes nothing.
 */
export function judge(state: AssetState | undefined, read: LocatingRead, surroundings: Surroundings): Judgment {
  if (state === undefined) return placeFirst(read);
  const at = findTally(state.tallies, read);
  if (read.rule === 'newest') return judgeNewest(state, at, { read, surroundings });
  if (read.atMs <= (state.tallies[at]?.lastMs ?? 0)) return { state, movedAtMs: null };
  const isByOne = state.reason === 'handheld' || state.reason === 'newest';
  if (read.atMs < state.lastSeenMs - lateMs || (isByOne && read.atMs < state.settledMs)) return judgeLate(state, read);
  const { state: next, tally, stepMs, gapMs } = addRead(state, read, { at, surroundings });
  const comparing = { read, tally, stepMs, paceMs: paceOf(state, read), surroundings };
  const { state: compared, movedAtMs } = compare(next, comparing);
  const lesson = lessonOf(state, { atMs: read.atMs, isEnd: movedAtMs !== null }, surroundings);
  return {
    state: lesson && movedAtMs === null ? { ...compared, taughtMs: read.atMs } : compared,
    movedAtMs,
    own: compared.location === read.location ? read : undefined,
    gap: gapMs === null ? undefined : { antenna: read.antenna, gapMs },
    lesson,
  };
}

function placeFirst(read: LocatingRead): Judgment {
  const { location, antenna, atMs } = read;
  const tally = firstTally(read, 0);
  const fresh = freshState({ location, sinceMs: atMs, lastSeenMs: atMs });
  const loudest = tally.level === null ? null : { level: tally.level, atMs };
  const state: AssetState = {
    ...fresh,
    decidedBy: antenna,
    reason: 'first',
    tallies: [tally],
    loudest: read.isBle ? [null, loudest] : [loudest, null],
  };
  return { state, movedAtMs: atMs };
}

/** The rule `newest`: the latest read by its time wins. */
function judgeNewest(
  state: AssetState,
  at: number,
  { read, surroundings }: { read: LocatingRead; surroundings: Surroundings },
): Judgment {
  const { atMs, location } = read;
  if (atMs <= state.lastSeenMs) return { state, movedAtMs: null, late: { location, atMs } };
  const added = addRead(state, read, { at, surroundings }).state;
  const isMove = location !== state.location;
  const moved = movedState(added, read, { sinceMs: isMove ? atMs : state.sinceMs, reason: 'newest' });
  const next = { ...moved, previous: isMove ? state.location : state.previous, settledMs: atMs };
  return { state: next, movedAtMs: isMove ? atMs : null };
}

type Comparing = { read: LocatingRead; tally: Tally; stepMs: number; paceMs: number; surroundings: Surroundings };

/**
 * Compares other locations with the present one: a read at another location this location alone, a read at the present
 * one all that have been ahead. Only a read of its own lets a location win.
 */
function compare(state: AssetState, { read, tally, stepMs, paceMs, surroundings }: Comparing): Judgment {
  const { atMs, location } = read;
  if (state.scanDb !== null) {
    const isOfScan = atMs < state.settledMs + scanMs || (state.isCalibrating && atMs <= state.labelUntilMs);
    if (isOfScan) {
      const scanDb = tenths(loudestMeanDb(state.tallies, state, surroundings));
      return { state: { ...state, scanDb }, movedAtMs: null };
    }
    // The scan ends once an antenna of the location receives the asset about as well as any antenna does.
    const own = state.tallies.filter((each) => each.location === state.location);
    const ownDb = loudestMeanDb(own, state, surroundings);
    if (ownDb > Math.max(-leakDb, state.scanDb - aboveScanDb)) state = { ...state, scanDb: null };
  }
  const isHome = location === state.location;
  if (isHome && state.rivals.length === 0) return { state, movedAtMs: null };
  const rivals: Rival[] = [];
  const moment = momentOf(state, surroundings, { atMs, paceMs: isHome ? 0 : paceMs });
  const mostDb = aheadMaxDbOf(tally, { state, surroundings });
  for (const rival of isHome ? state.rivals : withRival(state.rivals, location, atMs)) {
    if (!isHome && rival.location !== location) {
      rivals.push(rival);
      continue;
    }
    const { db, pictureShare } = aheadOf(rival.location, moment);
    const boundDb = Math.max(-aheadMaxDb, Math.min(mostDb, db));
    const dbS = Math.round(100 * Math.max(0, rival.dbS + (stepMs / 1000) * (boundDb - marginDb))) / 100;
    const fromMs = rival.dbS === 0 ? atMs : rival.fromMs;
    if (!isHome && dbS >= needDbS && dbS >= needOf(state, atMs)) {
      const reason = read.kind === 'portal' ? 'portal' : pictureShare > 0.5 ? 'picture' : 'moved';
      const sinceMs = Math.max(fromMs, state.sinceMs + 1);
      return { state: movedState(state, read, { sinceMs, reason }), movedAtMs: sinceMs };
    }
    if (dbS > 0) rivals.push({ location: rival.location, dbS, fromMs });
  }
  if (rivals.length > rivalsMax) rivals.sort((one, other) => other.dbS - one.dbS).length = rivalsMax;
  return { state: { ...state, rivals }, movedAtMs: null };
}

/** Returns how loud the loudest of some antennas has heard the asset since its scan, on average. */
function loudestMeanDb(tallies: readonly Tally[], state: AssetState, surroundings: Surroundings): number {
  let loudest = -leakDb;
  for (const tally of tallies) {
    if (tally.lastMs < state.settledMs) continue;
    loudest = Math.max(loudest, tally.mean === null ? -deafDb : relativeDb(tally.mean, tally, { state, surroundings }));
  }
  return loudest;
}

/** Returns how far ahead a read can show its location. */
export function aheadMaxDbOf(tally: Tally, { state, surroundings }: Pick<Moment, 'state' | 'surroundings'>): number {
  if (tally.level === null) return deafAheadMaxDb;
  const quietDb = Math.max(0, -relativeDb(tally.level, tally, { state, surroundings }) - nearDb);
  return Math.max(nearDb, aheadMaxDb - farShare * quietDb);
}

function withRival(rivals: readonly Rival[], location: LocationId, fromMs: number): readonly Rival[] {
  return rivals.some((rival) => rival.location === location) ? rivals : [...rivals, { location, dbS: 0, fromMs }];
}

/** Returns the time between a read and the one before it at the same location. */
function paceOf({ tallies }: AssetState, { location, atMs }: LocatingRead): number {
  let lastMs = 0;
  for (const tally of tallies) if (tally.location === location) lastMs = Math.max(lastMs, tally.lastMs);
  return Math.max(0, Math.min(visitMs, atMs - lastMs));
}

/** Returns how far ahead a location has to be, in dB × s: more the longer the asset has stood, and the more locations receive it. */
export function needOf({ sinceMs, location, tallies }: AssetState, atMs: number): number {
  const isLately = (tally: Tally) => tally.location !== location && atMs - tally.lastMs < stepMaxMs;
  let others = 0;
  for (const [i, tally] of tallies.entries())
    if (isLately(tally) && !tallies.some((each, j) => j < i && each.location === tally.location && isLately(each)))
      others += 1;
  const stayed = Math.min(1, (atMs - sinceMs) / stayMs);
  return needDbS * (1 + othersNeed * Math.log(Math.max(1, others))) * (1 + stayNeed * stayed);
}

/**
 * Decides where an asset is by a scan with a handheld, which is authoritative from its instant. A scan that is older than
 * the read that decided the location never moves it and returns `late`. The caller passes only scans that are recent
 * enough: older ones enter the history without a decision.
 */
export function judgeScan(state: AssetState | undefined, scan: HandheldScan): Judgment {
  const { location, atMs, labelUntilMs } = scan;
  if (state !== undefined && atMs < state.settledMs) return { state, movedAtMs: null, late: { location, atMs } };
  const known = state ?? freshState({ location, sinceMs: atMs, lastSeenMs: atMs });
  const moves = state === undefined || state.location !== location;
  const next: AssetState = {
    ...known,
    location,
    sinceMs: moves ? atMs : known.sinceMs,
    lastSeenMs: Math.max(known.lastSeenMs, atMs),
    previous: moves ? (state?.location ?? null) : known.previous,
    decidedBy: 0,
    reason: 'handheld',
    settledMs: atMs,
    taughtMs: atMs,
    labelUntilMs: labelUntilMs ?? atMs + scanMs,
    isCalibrating: labelUntilMs !== undefined,
    scanDb: -leakDb,
    rivals: [],
  };
  return { state: next, movedAtMs: moves ? atMs : null };
}
