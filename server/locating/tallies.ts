import { fallMs, newGaps, quietMs, riseMs, stayMs, stepMaxMs, visitMs } from './constants.js';
import { loudestDbm } from './loudness.js';
import type { AssetState, Tally, LocatingRead, Loudest, Surroundings } from './types.js';

/** The most tallies that are kept for an asset. */
const talliesMax = 20;

/** Gaps are kept to this. */
export const gapStepMs = 10;

/** The shortest and the longest gap between two reads that count. */
const gapMinMs = 50;
export const gapMaxMs = 120_000;

export function findTally(tallies: readonly Tally[], { antenna, tag }: Pick<LocatingRead, 'antenna' | 'tag'>): number {
  for (let i = 0; i < tallies.length; i += 1) if (tallies[i]?.antenna === antenna && tallies[i]?.tag === tag) return i;
  return -1;
}

/** Returns since when the levels of an asset are of its present visit: its arrival, or a person's scan. */
export function visitFromMs({ sinceMs, reason, settledMs }: AssetState): number {
  return reason === 'handheld' ? settledMs : sinceMs;
}

/** What a read adds: the state with it, its tally, for how long it counts, and the gap before it if there is one. */
type AddedRead = { state: AssetState; tally: Tally; stepMs: number; gapMs: number | null };

/** Adds a read to the levels of an asset. */
export function addRead(
  state: AssetState,
  read: LocatingRead,
  { at, surroundings }: { at: number; surroundings: Surroundings },
): AddedRead {
  const known = state.tallies[at];
  const lastSeenMs = Math.max(state.lastSeenMs, read.atMs);
  const tally = known
    ? nextTally(known, read, visitFromMs(state))
    : firstTally(read, inSteps(newGaps * surroundings.usualGapMs(read.antenna)));
  const loudest = withLoudest(state.loudest, tally);
  // A scan is kept as a level below the loudest one, so that it stays the same level when that changes.
  const before = loudestDbm(state.loudest, surroundings);
  const louderDb = before === null ? 0 : (loudestDbm(loudest, surroundings) ?? before) - before;
  const scanDb = state.scanDb === null ? null : tenths(state.scanDb - louderDb);
  const next: AssetState = { ...state, lastSeenMs, scanDb, loudest, tallies: withTally(state.tallies, at, tally) };
  if (!known) return { state: next, tally, stepMs: quietMs, gapMs: null };
  const passedMs = read.atMs - known.lastMs;
  return { state: next, tally, stepMs: Math.min(stepMaxMs, passedMs), gapMs: withinGaps(passedMs) };
}

function withinGaps(gapMs: number): number {
  return Math.min(gapMaxMs, Math.max(gapMinMs, gapMs));
}

/** Returns the tally of an antenna that has not received the tag before. */
export function firstTally({ antenna, tag, location, kind, isBle, rssiDbm, atMs }: LocatingRead, gapMs: number): Tally {
  const level = rssiDbm === null ? null : hundredths(rssiDbm);
  return {
    antenna,
    tag,
    location,
    isPortal: kind === 'portal',
    isBle,
    level,
    mean: level,
    fromMs: atMs,
    lastMs: atMs,
    gapMs,
  };
}

function nextTally(tally: Tally, { location, kind, rssiDbm, atMs }: LocatingRead, visitMsFrom: number): Tally {
  const passedMs = atMs - tally.lastMs;
  const gapMs = withinGaps(passedMs);
  let { level, mean } = tally;
  const db = rssiDbm === null ? null : hundredths(rssiDbm);
  if (db !== null && level !== null && mean !== null) {
    const ownMs = Math.min(visitMs, Math.max(1000, atMs - Math.max(visitMsFrom, tally.fromMs)));
    level =
      Math.round(level + (1 - Math.exp(-Math.max(10, passedMs) / (db > level ? riseMs : fallMs))) * (db - level)) + 0;
    mean = Math.round(mean + (1 - Math.exp(-Math.min(passedMs, 10_000) / ownMs)) * (db - mean)) + 0;
  } else if (db !== null) level = mean = db;
  const isOfBefore = tally.fromMs < visitMsFrom;
  return {
    antenna: tally.antenna,
    tag: tally.tag,
    location,
    isPortal: kind === 'portal',
    isBle: tally.isBle,
    level,
    mean: isOfBefore ? level : mean,
    fromMs: isOfBefore ? atMs : tally.fromMs,
    lastMs: atMs,
    gapMs: inSteps(
      tally.gapMs === 0 ? gapMs : tally.gapMs * (gapMs / tally.gapMs) ** (gapMs < tally.gapMs ? 0.5 : 0.2),
    ),
  };
}

const inSteps = (ms: number) => gapStepMs * Math.round(ms / gapStepMs);

/** Zero is added here and below because rounding can give a negative zero, which does not survive being encoded. */
export const tenths = (db: number) => Math.round(10 * db) / 10 + 0;

function hundredths(dbm: number): number {
  return Math.round(dbm * 100) + 0;
}

function withTally(tallies: readonly Tally[], at: number, tally: Tally): Tally[] {
  const next = tallies.slice();
  if (at >= 0) next[at] = tally;
  else {
    if (next.length >= talliesMax) {
      let oldest = 0;
      for (let i = 1; i < next.length; i += 1) if ((next[i]?.lastMs ?? 0) < (next[oldest]?.lastMs ?? 0)) oldest = i;
      next.splice(oldest, 1);
    }
    next.push(tally);
  }
  return next;
}

/** The loudest level fades toward what antennas hear now. */
function withLoudest(loudest: AssetState['loudest'], { level, isBle, lastMs }: Tally): AssetState['loudest'] {
  if (level === null) return loudest;
  const known = loudest[isBle ? 1 : 0];
  const faded = known
    ? known.level + (level - known.level) * (1 - Math.exp(-Math.max(0, lastMs - known.atMs) / stayMs))
    : level;
  const next: Loudest = { level: Math.max(level, Math.round(faded)) + 0, atMs: Math.max(lastMs, known?.atMs ?? 0) };
  return isBle ? [loudest[0], next] : [next, loudest[1]];
}
