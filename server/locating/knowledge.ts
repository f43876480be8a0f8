import { readerOf } from './antenna-key.js';
import { messageGapMaxMs } from './constants.js';
import { type Clock, type ClockSample, createClock, observeClock } from './clock.js';
import { createLearning } from './learning.js';
import type { Learner } from './learning-budget.js';
import { createLevels, type LevelRow } from './levels.js';
import type { SignatureRow } from './learning.js';
import type { AntennaKey, AntennaSettings, Judgment, LabelSample, LocationId, Surroundings } from './types.js';

/** What was learned, as stored. */
export type LearnedRows = { levels: readonly LevelRow[]; signatures: readonly SignatureRow[] };

/**
 * Creates an empty container for what is learned about readers, antennas and locations. It is the only part of this module
 * that changes in place; it does no input and output of its own.
 */
export function createKnowledge() {
  const clocks = new Map<number, Clock>();
  const reportedUntil = new Map<number, number>();
  const heartbeats = new Map<number, number>();
  /** The usual time between two messages of a reader. */
  const messageGaps = new Map<number, number>();
  const levels = createLevels();
  const learning = createLearning(levels.get);

  return {
    /** Learns from a judgment: the level of its antenna, and the observations of its visit. */
    learn(judgment: Judgment, learner: Learner): void {
      if (judgment.level !== undefined) levels.learn(judgment.level);
      if (judgment.pattern !== undefined) learning.learnPattern(judgment.pattern, learner);
    },

    /** Learns from a read of a location's own tag. */
    learnLabel(sample: LabelSample, learner: Learner): void {
      learning.learnLabel(sample, learner);
    },

    /** Returns the clock of a reader; a new one if nothing is known. */
    clockOf(reader: number): Clock {
      return clocks.get(reader) ?? createClock();
    },

    /** Sets the clock of a reader. */
    setClock(reader: number, clock: Clock): void {
      clocks.set(reader, clock);
    },

    /** Learns the clock offset from one more message. Returns whether the offset has changed. */
    observeClock(reader: number, sample: ClockSample): boolean {
      const before = clocks.get(reader) ?? createClock();
      const after = observeClock(before, sample);
      clocks.set(reader, after);
      return after.offsetMs !== before.offsetMs;
    },

    /** Notes that a reader has reported everything up to an effective time. */
    reported(reader: number, untilMs: number): void {
      const beforeMs = reportedUntil.get(reader) ?? 0;
      if (untilMs <= beforeMs) return;
      reportedUntil.set(reader, untilMs);
      const gapMs = Math.min(untilMs - beforeMs, messageGapMaxMs);
      const known = messageGaps.get(reader) ?? 0;
      messageGaps.set(reader, known + (gapMs - known) * (gapMs > known ? 0.5 : 0.02));
    },

    /**
     * Notes a message of a reader that has read nothing, by the time of its receipt. After an outage it can come before
     * the reads that the reader has stored, so a heartbeat says nothing about the time before it.
     */
    heartbeat(reader: number, atMs: number): void {
      const beforeMs = heartbeats.get(reader) ?? Number.NEGATIVE_INFINITY;
      if (atMs <= beforeMs) return;
      heartbeats.set(reader, atMs);
      if (beforeMs > (reportedUntil.get(reader) ?? 0)) reportedUntil.set(reader, beforeMs);
    },

    /** Returns what decisions depend on, with the settings of antennas from a function. */
    surroundings(antennaSettings: (key: AntennaKey) => AntennaSettings | undefined): Surroundings {
      return {
        antenna: antennaSettings,
        level: levels.get,
        signature: learning.signature,
        site: learning.site,
        locationsOf: learning.locationsOf,
        messageGapMs: (antenna) => messageGaps.get(readerOf(antenna)) ?? 0,
        reportedUntilMs: (antenna) => reportedUntil.get(readerOf(antenna)) ?? 0,
      };
    },

    /** Returns what was learned since the last call, to be stored. */
    takeChanges(): LearnedRows {
      return { levels: levels.takeChanges(), signatures: learning.takeChanges() };
    },

    /** Returns what could not be stored with the next changes again, as it is then. */
    keepChanges(rows: LearnedRows): void {
      levels.keepChanges(rows.levels);
      learning.keepChanges(rows.signatures);
    },

    /** Restores stored rows, except where more was learned since. */
    restore(rows: LearnedRows): void {
      levels.restore(rows.levels);
      learning.restore(rows.signatures);
    },

    /** Forgets a reader that was deleted, or that is not in use: what was stored of it can be restored later. */
    forgetReader(reader: number): void {
      clocks.delete(reader);
      reportedUntil.delete(reader);
      heartbeats.delete(reader);
      messageGaps.delete(reader);
      levels.forgetReader(reader);
      learning.forgetReader(reader);
    },

    /**
     * Forgets what was learned of a location.
     *
     * @param beforeMs effective time: visits that began earlier are ignored from now on, if they may have been there
     */
    forgetLocation(location: LocationId, beforeMs: number): void {
      learning.forgetLocation(location, beforeMs);
    },
  };
}

export type Knowledge = ReturnType<typeof createKnowledge>;
