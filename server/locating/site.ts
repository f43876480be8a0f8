import { readerOf } from './antenna-key.js';
import { type Clock, type ClockSample, createClock, observeClock } from './clock.js';
import { quietMs } from './constants.js';
import { gapMaxMs } from './tallies.js';
import { judge, judgeScan } from './judge.js';
import { createPictures, type PictureRow } from './pictures.js';
import type { AntennaKey, AssetState, Judgment, LocatingRead, LocationId, Surroundings } from './types.js';

/** The usual gap of an antenna follows shorter gaps fast and longer ones slowly, so that it is the gap of a tag nearby. */
const shorterGap = 0.1;
const longerGap = 0.001;
const longerGapMax = 4;

/** How many reads the usual level of a kind of tag is a mean of. */
const levelReadsMax = 1000;

/** How much of the interval between messages each message changes. */
const messageShare = 0.1;

/** Antennas and own tags that are kept in memory: port numbers come from messages, so a reader can send any number of them. */
const antennasMax = 10_000;

type Reader = { untilMs: number; gapMs: number; heartbeatMs: number };

/**
 * Creates what an organization's readers, antennas and locations have taught. It is the only part of this module that
 * changes in place; it does no input and output of its own.
 */
export function createSite() {
  const clocks = new Map<number, Clock>();
  const readers = new Map<number, Reader>();
  const gaps = new Map<AntennaKey, number>();
  const ownTags = new Map<LocationId, AssetState>();
  const pictures = createPictures();
  const levels = { uhf: { reads: 0, dbm: 0 }, ble: { reads: 0, dbm: 0 } };

  const surroundings: Surroundings = {
    usualGapMs: (antenna) => Math.max(quietMs, gaps.get(antenna) ?? 0),
    reader: (antenna) => readers.get(readerOf(antenna)),
    bleDb: () => (levels.uhf.reads > 0 && levels.ble.reads > 0 ? levels.ble.dbm - levels.uhf.dbm : 0),
    picture: pictures.get,
    fit: pictures.fit,
  };

  function learn({ gap, own, lesson }: Pick<Judgment, 'gap' | 'own' | 'lesson'>): void {
    if (gap) learnGap(gap.antenna, gap.gapMs);
    if (own) learnLevel(own);
    if (lesson) pictures.learn(lesson, surroundings.usualGapMs);
  }

  function learnGap(antenna: AntennaKey, gapMs: number): void {
    const usualMs = gaps.get(antenna) ?? gapMs;
    const longerMs = longerGap * (Math.min(gapMs, longerGapMax * usualMs) - usualMs);
    setGap(antenna, usualMs + (gapMs < usualMs ? shorterGap * (gapMs - usualMs) : longerMs));
  }

  function learnLevel({ isBle, rssiDbm }: NonNullable<Judgment['own']>): void {
    if (rssiDbm === null) return;
    const level = isBle ? levels.ble : levels.uhf;
    level.reads = Math.min(levelReadsMax, level.reads + 1);
    level.dbm += (rssiDbm - level.dbm) / level.reads;
  }

  function setGap(antenna: AntennaKey, gapMs: number): void {
    if (gaps.size >= antennasMax && !gaps.has(antenna)) gaps.clear();
    gaps.set(antenna, gapMs);
  }

  function readerAt(reader: number): Reader {
    let known = readers.get(reader);
    if (!known) readers.set(reader, (known = { untilMs: 0, gapMs: 1000, heartbeatMs: 0 }));
    return known;
  }

  function reported(reader: number, untilMs: number): void {
    const known = readerAt(reader);
    if (untilMs <= known.untilMs) return;
    if (known.untilMs > 0) known.gapMs += messageShare * (Math.min(untilMs - known.untilMs, gapMaxMs) - known.gapMs);
    known.untilMs = untilMs;
  }

  return {
    surroundings,

    /** Learns from a judgment: how often its antenna reads a tag, and the picture of the location. */
    learn,

    /** Learns from a read of a location's own tag, as from an asset that is being calibrated there all the time. */
    learnOwnTag(location: LocationId, read: LocatingRead): void {
      if (ownTags.size >= antennasMax && !ownTags.has(location)) ownTags.clear();
      const labelUntilMs = Number.MAX_SAFE_INTEGER;
      const known =
        ownTags.get(location) ?? judgeScan(undefined, { location, atMs: read.atMs - 1, labelUntilMs }).state;
      const judgment = judge(known, read, surroundings);
      ownTags.set(location, judgment.state);
      learn(judgment);
    },

    /** Returns the clock of a reader; a new one if nothing is known. */
    clockOf: (reader: number): Clock => clocks.get(reader) ?? createClock(),

    setClock(reader: number, clock: Clock): void {
      clocks.set(reader, clock);
    },

    /** Learns the clock offset from one more message. */
    observeClock(reader: number, sample: ClockSample): void {
      clocks.set(reader, observeClock(clocks.get(reader) ?? createClock(), sample));
    },

    /** Notes that a reader has reported everything up to an effective time. */
    reported,

    /**
     * Notes a message of a reader that has read nothing, by the time of its receipt. After an outage it can come before
     * the reads that the reader has stored, so a heartbeat says nothing about the time before it.
     */
    heartbeat(reader: number, atMs: number): void {
      const known = readerAt(reader);
      if (atMs <= known.heartbeatMs) return;
      if (known.heartbeatMs > 0) reported(reader, known.heartbeatMs);
      known.heartbeatMs = atMs;
    },

    /** Returns the pictures that have changed since the last call, with the usual gaps of their antennas, to be stored. */
    takeChanges: (): PictureRow[] => pictures.takeChanges((antenna) => gaps.get(antenna) ?? 0),

    /** Returns what could not be stored with the next changes again, as it is then. */
    keepChanges: pictures.keepChanges,

    /** Restores a stored picture, unless this process has learned more since; always after a reset. */
    restore(row: PictureRow): void {
      for (const { antenna, gapMs } of row.antennas) if (gapMs > 0 && !gaps.has(antenna)) setGap(antenna, gapMs);
      pictures.restore(row);
    },
  };
}

export type Site = ReturnType<typeof createSite>;
