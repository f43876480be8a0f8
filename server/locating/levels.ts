import { readerOf } from './antenna-key.js';
import {
  antennasPerReaderMax,
  flickerUnknownDb,
  gapUnknownMs,
  levelReadsMax,
  levelUnknownDbm,
  pseudoOwnDbm,
} from './constants.js';
import type { AntennaKey, AntennaLevel, LevelSample } from './types.js';

/** A learned level as stored. */
export type LevelRow = AntennaLevel & { antenna: AntennaKey };

/** Reads that the spread is the mean of, and the smallest spread. */
const flickerReads = 200;
const flickerMinDb = 0.7;
const flickerMaxDb = 6;

/** The speed at which the gap adapts, and the share of time that falls into shorter gaps. */
const gapStep = 0.1;
const gapShare = 0.2;
/** How many gaps the first estimate is made from. A single one can be short by chance, as between the reads of two visits. */
const firstGapsMax = 12;
/** A long gap counts as at most this many usual ones. */
const gapWeightMax = 4;

/** Creates the levels of antennas: what each reads of assets at its own location. Levels change in place. */
export function createLevels() {
  const levels = new Map<AntennaKey, AntennaLevel>();
  const antennasOf = new Map<number, number>();
  /** The gaps of antennas that have had few so far. */
  const firstGaps = new Map<AntennaKey, number[]>();
  let changed = new Set<AntennaKey>();

  function set(antenna: AntennaKey, level: AntennaLevel): void {
    if (!levels.has(antenna)) {
      // Port numbers come from messages, so a reader could send any number of them.
      const reader = readerOf(antenna);
      const antennas = antennasOf.get(reader) ?? 0;
      if (antennas >= antennasPerReaderMax) return;
      antennasOf.set(reader, antennas + 1);
    }
    levels.set(antenna, level);
  }

  /** Learns from one more gap, and returns the typical one: the first gaps together decide, later ones change it slowly. */
  function learnGapMs(antenna: AntennaKey, knownMs: number, gapMs: number): number {
    const gaps = firstGaps.get(antenna);
    if (gaps === undefined) return nextGapMs(knownMs, gapMs);
    gaps.push(gapMs);
    if (gaps.length >= firstGapsMax) firstGaps.delete(antenna);
    return typicalGapMs(gaps);
  }

  return {
    get: (antenna: AntennaKey): AntennaLevel | undefined => levels.get(antenna),

    learn({ antenna, isOwn, rssiDbm, visitDbm, gapMs }: LevelSample): void {
      let level = levels.get(antenna);
      if (level === undefined) {
        level = {
          meanDbm: rssiDbm === null ? pseudoOwnDbm : levelUnknownDbm,
          flickerDb: flickerUnknownDb,
          gapMs: gapMs ?? gapUnknownMs,
          reads: 0,
        };
        set(antenna, level);
        if (levels.has(antenna)) firstGaps.set(antenna, []);
      }
      if (isOwn) level.reads = Math.min(level.reads + 1, levelReadsMax);
      if (isOwn && rssiDbm !== null) level.meanDbm += (rssiDbm - level.meanDbm) / level.reads;
      if (rssiDbm !== null && visitDbm !== null) {
        const variance = level.flickerDb * level.flickerDb;
        const difference = rssiDbm - visitDbm;
        const next = Math.sqrt(variance + (difference * difference - variance) / flickerReads);
        level.flickerDb = Math.min(flickerMaxDb, Math.max(flickerMinDb, next));
      }
      if (gapMs !== null) level.gapMs = learnGapMs(antenna, level.gapMs, gapMs);
      changed.add(antenna);
    },

    takeChanges(): LevelRow[] {
      const rows: LevelRow[] = [];
      for (const antenna of changed) {
        const level = levels.get(antenna);
        if (level !== undefined) rows.push({ antenna, ...level });
      }
      changed = new Set();
      return rows;
    },

    /** Returns levels that could not be stored with the next changes again. */
    keepChanges(rows: readonly LevelRow[]): void {
      for (const { antenna } of rows) changed.add(antenna);
    },

    /** Restores stored rows, unless as much or more was learned here. */
    restore(rows: readonly LevelRow[]): void {
      for (const { antenna, meanDbm, flickerDb, gapMs, reads } of rows) {
        if ((levels.get(antenna)?.reads ?? 0) >= reads) continue;
        set(antenna, { meanDbm, flickerDb, gapMs, reads });
        firstGaps.delete(antenna);
      }
    },

    forgetReader(reader: number): void {
      antennasOf.delete(reader);
      for (const antenna of levels.keys()) {
        if (readerOf(antenna) !== reader) continue;
        levels.delete(antenna);
        firstGaps.delete(antenna);
      }
    },
  };
}

/** Returns the shortest gap that a fifth of all time falls into or below. */
function typicalGapMs(gaps: readonly number[]): number {
  const sorted = gaps.toSorted((one, other) => one - other);
  let left = gapShare * sorted.reduce((sum, gap) => sum + gap, 0);
  for (const gap of sorted) {
    left -= gap;
    if (left <= 0) return Math.max(1, gap);
  }
  return gapUnknownMs;
}

/**
 * Adapts the gap to the one that a fifth of all time falls below. Tags at other locations are read with gaps between
 * reads, so a mean would be too long. A gap counts by its length, because tags that have just arrived are read more
 * often.
 */
function nextGapMs(known: number, gapMs: number): number {
  const usual = Math.max(1, known);
  const weight = Math.min(gapWeightMax, gapMs / usual) * gapStep;
  return usual * Math.exp(gapMs > usual ? weight * gapShare : -weight * (1 - gapShare));
}
