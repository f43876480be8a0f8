import {
  calmDb,
  deafDb,
  fadeDb,
  fallMs,
  newGaps,
  offlineGaps,
  quietMs,
  rateDb,
  riseMs,
  silentDb,
  stayMs,
  stepMaxMs,
  visitMs,
} from './constants.js';
import type { AssetState, Ear, LocatingRead, LocationId, Loudest, Surroundings } from './types.js';

/** So many antennas and tags are kept for an asset. */
const earsMax = 20;

/** Gaps are kept to this. */
export const gapStepMs = 10;

/** The shortest and the longest gap between two reads that count. */
const gapMinMs = 50;
const gapMaxMs = 120_000;

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
  const wordDb = state.wordDb === null ? null : wordAgainst(state.wordDb, state.loudest, loudest);
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

/** Zero is added because rounding can give a negative zero, which does not survive being encoded. */
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

/** Returns the level of a scan against another loudest level, so that it stays the same level. */
function wordAgainst(wordDb: number, before: AssetState['loudest'], after: AssetState['loudest']): number {
  let db = wordDb;
  for (const i of [0, 1] as const) db += ((before[i]?.level ?? 0) - (before[i] ? (after[i]?.level ?? 0) : 0)) / 100;
  return Math.round(10 * db) / 10 + 0;
}

/**
 * Returns how loud an antenna hears the asset by a level, in dB relative to the loudest level; less if it reads rarely,
 * except that pictures are of levels alone where there are any.
 */
export function relativeDb(ear: Ear, level: number | null, { state, surroundings, isOfPicture }: InState): number {
  const rarely = Math.log(Math.max(1, ear.gapMs / surroundings.usualGapMs(ear.antenna)));
  if (level === null) return -deafDb - 2 * rateDb * rarely;
  return (level - (state.loudest[ear.isBle ? 1 : 0]?.level ?? level)) / 100 - (isOfPicture ? 0 : rateDb * rarely);
}

/** `isLive`: levels of the last seconds count, also of a tag that has not moved. */
export type InState = { state: AssetState; surroundings: Surroundings; isLive?: boolean; isOfPicture?: boolean };

/**
 * Returns how many dB an antenna loses for reads that are overdue at an instant.
 *
 * @param paceMs the gap between the reads of a rival: where a tag is read rarely, it is not overdue at its location either
 */
export function fadeOf(
  ear: Ear,
  { atMs, paceMs }: { atMs: number; paceMs: number },
  { surroundings }: InState,
): number {
  const everyMs = Math.max(surroundings.usualGapMs(ear.antenna), Math.min(paceMs, ear.gapMs || paceMs));
  const reader = surroundings.reader(ear.antenna);
  let silentMs = atMs - ear.lastMs;
  if (reader && atMs - reader.untilMs > Math.max(2000, offlineGaps * reader.gapMs)) {
    const reportedMs = Math.max(ear.lastMs, reader.untilMs);
    silentMs = (reportedMs + atMs) / 2 - ear.lastMs;
  }
  return Math.min(silentDb, fadeDb * Math.max(0, silentMs / everyMs - 1));
}

/** Returns how loud an antenna hears the asset: by its mean if the tag stands. */
export function levelDb(ear: Ear, inState: InState): number {
  const { level, mean } = ear;
  const isStill = !inState.isLive && ear.lastMs - ear.fromMs > visitMs;
  const isCalm = isStill && level !== null && mean !== null && Math.abs(level - mean) < 100 * calmDb;
  return relativeDb(ear, isCalm ? mean : level, inState);
}

/** Returns the same, less for each read that is overdue at an instant. */
export function loudnessDb(ear: Ear, at: { atMs: number; paceMs: number }, inState: InState): number {
  return levelDb(ear, inState) - fadeOf(ear, at, inState);
}

/** Returns how loud the loudest antenna of a location hears the asset; minus infinity if none has. */
export function loudestDbAt(location: LocationId, at: { atMs: number; paceMs: number }, inState: InState): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const ear of inState.state.ears)
    if (ear.location === location) best = Math.max(best, loudnessDb(ear, at, inState));
  return best;
}
