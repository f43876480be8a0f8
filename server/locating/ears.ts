import { fallMs, newGaps, quietMs, riseMs, stayMs, stepMaxMs, visitMs } from './constants.js';
import { loudestDbm } from './loudness.js';
import type { AssetState, Ear, LocatingRead, Loudest, Surroundings } from './types.js';

/** So many antennas and tags are kept for an asset. */
const earsMax = 20;

/** Gaps are kept to this. */
export const gapStepMs = 10;

/** The shortest and the longest gap between two reads that count. */
const gapMinMs = 50;
export const gapMaxMs = 120_000;

export function findEar(ears: readonly Ear[], { antenna, tag }: Pick<LocatingRead, 'antenna' | 'tag'>): number {
  for (let i = 0; i < ears.length; i += 1) if (ears[i]?.antenna === antenna && ears[i]?.tag === tag) return i;
  return -1;
}

/** Returns since when the levels of an asset are of its present visit: its arrival, or a person's scan. */
export function visitFromMs({ sinceMs, reason, settledMs }: AssetState): number {
  return reason === 'handheld' ? settledMs : sinceMs;
}

/** What a read adds: the state with it, its ear, for how long it counts, and the gap before it if there is one. */
type HeardRead = { state: AssetState; ear: Ear; stepMs: number; gapMs: number | null };

/** Adds a read to the levels of an asset. */
export function hear(
  state: AssetState,
  read: LocatingRead,
  { at, surroundings }: { at: number; surroundings: Surroundings },
): HeardRead {
  const known = state.ears[at];
  const lastSeenMs = Math.max(state.lastSeenMs, read.atMs);
  const ear = known
    ? nextEar(known, read, visitFromMs(state))
    : firstEar(read, inSteps(newGaps * surroundings.usualGapMs(read.antenna)));
  const loudest = withLoudest(state.loudest, ear);
  // A scan is kept as a level below the loudest one, so that it stays the same level when that changes.
  const before = loudestDbm(state.loudest, surroundings);
  const louderDb = before === null ? 0 : (loudestDbm(loudest, surroundings) ?? before) - before;
  const wordDb = state.wordDb === null ? null : tenths(state.wordDb - louderDb);
  const next: AssetState = { ...state, lastSeenMs, wordDb, loudest, ears: withEar(state.ears, at, ear) };
  if (!known) return { state: next, ear, stepMs: quietMs, gapMs: null };
  const passedMs = read.atMs - known.lastMs;
  return { state: next, ear, stepMs: Math.min(stepMaxMs, passedMs), gapMs: withinGaps(passedMs) };
}

function withinGaps(gapMs: number): number {
  return Math.min(gapMaxMs, Math.max(gapMinMs, gapMs));
}

/** Returns the ear of an antenna that has not heard the tag before. */
export function firstEar({ antenna, tag, location, kind, isBle, rssiDbm, atMs }: LocatingRead, gapMs: number): Ear {
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

function nextEar(ear: Ear, { location, kind, rssiDbm, atMs }: LocatingRead, visitMsFrom: number): Ear {
  const passedMs = atMs - ear.lastMs;
  const gapMs = withinGaps(passedMs);
  let { level, mean } = ear;
  const db = rssiDbm === null ? null : hundredths(rssiDbm);
  if (db !== null && level !== null && mean !== null) {
    const ownMs = Math.min(visitMs, Math.max(1000, atMs - Math.max(visitMsFrom, ear.fromMs)));
    level =
      Math.round(level + (1 - Math.exp(-Math.max(10, passedMs) / (db > level ? riseMs : fallMs))) * (db - level)) + 0;
    mean = Math.round(mean + (1 - Math.exp(-Math.min(passedMs, 10_000) / ownMs)) * (db - mean)) + 0;
  } else if (db !== null) level = mean = db;
  const isOfBefore = ear.fromMs < visitMsFrom;
  return {
    antenna: ear.antenna,
    tag: ear.tag,
    location,
    isPortal: kind === 'portal',
    isBle: ear.isBle,
    level,
    mean: isOfBefore ? level : mean,
    fromMs: isOfBefore ? atMs : ear.fromMs,
    lastMs: atMs,
    gapMs: inSteps(ear.gapMs === 0 ? gapMs : ear.gapMs * (gapMs / ear.gapMs) ** (gapMs < ear.gapMs ? 0.5 : 0.2)),
  };
}

const inSteps = (ms: number) => gapStepMs * Math.round(ms / gapStepMs);

/** Zero is added here and below because rounding can give a negative zero, which does not survive being encoded. */
export const tenths = (db: number) => Math.round(10 * db) / 10 + 0;

function hundredths(dbm: number): number {
  return Math.round(dbm * 100) + 0;
}

function withEar(ears: readonly Ear[], at: number, ear: Ear): Ear[] {
  const next = ears.slice();
  if (at >= 0) next[at] = ear;
  else {
    if (next.length >= earsMax) {
      let oldest = 0;
      for (let i = 1; i < next.length; i += 1) if ((next[i]?.lastMs ?? 0) < (next[oldest]?.lastMs ?? 0)) oldest = i;
      next.splice(oldest, 1);
    }
    next.push(ear);
  }
  return next;
}

/** The loudest level fades toward what antennas hear now. */
function withLoudest(loudest: AssetState['loudest'], { level, isBle, lastMs }: Ear): AssetState['loudest'] {
  if (level === null) return loudest;
  const known = loudest[isBle ? 1 : 0];
  const faded = known
    ? known.level + (level - known.level) * (1 - Math.exp(-Math.max(0, lastMs - known.atMs) / stayMs))
    : level;
  const next: Loudest = { level: Math.max(level, Math.round(faded)) + 0, atMs: Math.max(lastMs, known?.atMs ?? 0) };
  return isBle ? [loudest[0], next] : [next, loudest[1]];
}
