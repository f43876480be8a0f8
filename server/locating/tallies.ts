import {
  denseMs,
  denseTalliesMax,
  levelMs,
  smoothMs,
  tallyReadsMax,
  tallyReadsWithoutRssiMax,
  talliesMax,
} from './constants.js';
import type { AntennaKey, LocatingRead, Tally } from './types.js';

type Read = Pick<LocatingRead, 'rssiDbm' | 'atMs'>;

/** Returns the index of the tally of an antenna and tag, or -1. */
export function findTally(tallies: readonly Tally[], antenna: AntennaKey, tag: number): number {
  for (let i = 0; i < tallies.length; i += 1) {
    const tally = tallies[i];
    if (tally !== undefined && tally.antenna === antenna && tally.tag === tag) return i;
  }
  return -1;
}

/**
 * Returns the tallies with one of them added or replaced. Drops the least recent one if there are too many. Returns the
 * same tallies if the new one would have to replace a more recent one.
 */
export function putTally(tallies: readonly Tally[], at: number, tally: Tally): readonly Tally[] {
  const next = tallies.slice();
  if (at >= 0) {
    next[at] = tally;
    return next;
  }
  const isDense = tallies.some(({ gapMs }) => gapMs > 0 && gapMs < denseMs);
  if (next.length >= (isDense ? denseTalliesMax : talliesMax)) {
    const oldest = leastRecent(next);
    if ((next[oldest]?.lastMs ?? 0) > tally.lastMs) return tallies;
    next.splice(oldest, 1);
  }
  next.push(tally);
  return next;
}

function leastRecent(tallies: readonly Tally[]): number {
  let found = 0;
  for (let i = 1; i < tallies.length; i += 1) {
    if ((tallies[i]?.lastMs ?? 0) < (tallies[found]?.lastMs ?? 0)) found = i;
  }
  return found;
}

/** Creates a tally that has counted nothing yet, last read at an instant. */
export function emptyTally({ antenna, tag, atMs }: Pick<LocatingRead, 'antenna' | 'tag' | 'atMs'>): Tally {
  return {
    antenna,
    tag,
    reads: 0,
    level: null,
    smoothed: null,
    newReads: 0,
    newLevel: null,
    newFirstMs: 0,
    lastMs: atMs,
    gapMs: 0,
    lateReads: 0,
    lateFirstMs: 0,
  };
}

/** Returns the tally with one more read in the open change. */
export function addNewRead(tally: Tally, { rssiDbm, atMs }: Read): Tally {
  const count = Math.min(tally.newReads + 1, tallyReadsMax);
  return {
    ...withRead(tally, { rssiDbm, atMs }),
    newReads: count,
    newLevel: meanLevel(tally.newLevel, rssiDbm, Math.min(count, levelReadsOf(tally))),
    newFirstMs: tally.newReads === 0 ? atMs : Math.min(tally.newFirstMs, atMs),
  };
}

/** Returns the tallies halved if one of them has reached its maximum, so that old reads fade. */
export function fadeTallies(tallies: readonly Tally[]): readonly Tally[] {
  let most = 0;
  for (const { reads } of tallies) most = Math.max(most, reads);
  const hasRssi = tallies.some(({ level }) => level !== null);
  if (most <= (hasRssi ? tallyReadsMax : tallyReadsWithoutRssiMax)) return tallies;
  return tallies.map((tally) => {
    const reads = tally.reads >> 1;
    return { ...tally, reads, level: reads === 0 ? null : tally.level };
  });
}

/** Returns the tally with one more read of an asset that has not moved. */
export function addRead(tally: Tally, read: Read): Tally {
  const reads = tally.reads + 1;
  const level = meanLevel(tally.level, read.rssiDbm, Math.min(reads, levelReadsOf(tally)));
  return { ...withRead(tally, read), reads, level };
}

function withRead(tally: Tally, { rssiDbm, atMs }: Read): Tally {
  const smoothed = smoothedLevel(tally, rssiDbm);
  return { ...tally, smoothed, lastMs: atMs, gapMs: nextGapMs(tally, atMs), lateReads: 0, lateFirstMs: 0 };
}

/** How many reads a level is the mean of, at most: a tag that is read densely may be moved around meanwhile. */
function levelReadsOf({ gapMs }: Tally): number {
  return gapMs > 0 && gapMs < denseMs ? Math.min(tallyReadsMax, levelMs / gapMs) : tallyReadsMax;
}

/** Returns the level of the last seconds of a densely read tag. */
function smoothedLevel(tally: Tally, rssiDbm: number | null): number | null {
  const { smoothed, reads, newReads, gapMs } = tally;
  if (gapMs >= 2 * denseMs) return null;
  const count = gapMs > 0 ? Math.min(smoothMs / gapMs, reads + newReads) : 1;
  return meanLevel(smoothed, rssiDbm, Math.max(1, count));
}

/** A running mean in hundredths of dBm over at most `count` reads. */
function meanLevel(level: number | null, rssiDbm: number | null, count: number): number | null {
  if (rssiDbm === null) return level;
  const hundredths = Math.round(rssiDbm * 100);
  // Zero is added because rounding can give a negative zero, which does not survive being encoded.
  return (level === null ? hundredths : Math.round(level + (hundredths - level) / count)) + 0;
}

/**
 * A longer gap is adopted faster than a shorter one, since a tag that stands still is read less often than a new one.
 */
function nextGapMs(tally: Tally, atMs: number): number {
  if (tally.reads + tally.newReads === 0) return tally.gapMs;
  const gap = atMs - tally.lastMs;
  if (tally.gapMs === 0) return gap;
  return Math.round(tally.gapMs + (gap - tally.gapMs) / (gap > tally.gapMs ? 2 : 8));
}

/** Returns the tallies after a move, with only the reads of the change. */
export function startVisit(tallies: readonly Tally[]): Tally[] {
  return tallies.map((tally) => settled(tally, tally.newReads, tally.newLevel));
}

/** Returns the tally with these reads at the current location, and none of an open change. */
function settled(tally: Tally, reads: number, level: number | null): Tally {
  return { ...tally, reads, level, newReads: 0, newLevel: null, newFirstMs: 0 };
}

/** Returns the tally without its reads of the open change. */
export function withoutChange(tally: Tally): Tally {
  return tally.newReads === 0 ? tally : settled(tally, tally.reads, tally.level);
}

/** Returns the tallies after a dropped change: its reads count like those before it. */
export function mergeChange(tallies: readonly Tally[]): Tally[] {
  return tallies.map((tally) =>
    tally.newReads === 0 ? tally : settled(tally, tally.reads + tally.newReads, jointLevel(tally)),
  );
}

function jointLevel(tally: Tally): number | null {
  const { reads, level, newReads, newLevel } = tally;
  if (level === null || newLevel === null) return level ?? newLevel;
  const share = Math.min(1, newReads / Math.min(levelReadsOf(tally), reads + newReads));
  return Math.round(level + (newLevel - level) * share) + 0;
}
