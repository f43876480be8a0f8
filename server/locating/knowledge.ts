import { antennasPerReaderMax, levelReadsMax, signatureReadsMax, signaturesPerLocationMax } from './constants.js';
import { type Clock, createClock, observeClock } from './clock.js';
import type {
  AntennaKey,
  AntennaLevel,
  AntennaSettings,
  Judgment,
  LabelSample,
  LevelSample,
  LocationId,
  SignatureEntry,
  Surroundings,
} from './types.js';

/** A learned level as it is stored. */
export type LevelRow = AntennaLevel & { antenna: AntennaKey };

/** A learned signature as it is stored. */
export type SignatureRow = SignatureEntry & { location: LocationId; antenna: AntennaKey };

type ReaderKnowledge = { clock: Clock; reportedUntilMs: number; antennas: number };

/**
 * Creates an empty container for what is learned about readers, antennas and locations. It is the only part of this module
 * that changes in place; it does no input and output of its own.
 */
export function createKnowledge() {
  const readers = new Map<number, ReaderKnowledge>();
  const levels = new Map<AntennaKey, AntennaLevel>();
  const signatures = new Map<LocationId, Map<AntennaKey, SignatureEntry>>();
  let changedLevels = new Set<AntennaKey>();
  let changedSignatures = new Map<LocationId, Set<AntennaKey>>();

  function readerOf(id: number): ReaderKnowledge {
    let reader = readers.get(id);
    if (reader === undefined) {
      reader = { clock: createClock(), reportedUntilMs: 0, antennas: 0 };
      readers.set(id, reader);
    }
    return reader;
  }

  function learnLevel({ antenna, rssiDbm, visitDbm, gapMs }: LevelSample): void {
    const known = levels.get(antenna);
    if (known === undefined && !mayAdd(antenna)) return;
    const reads = Math.min((known?.reads ?? 0) + 1, levelReadsMax);
    const weight = 1 / reads;
    const level = known ?? { meanDbm: rssiDbm ?? 0, flickerDb: 2.5, gapMs: gapMs ?? 2000, reads: 0 };
    const deviation = rssiDbm === null || visitDbm === null ? level.flickerDb : Math.abs(rssiDbm - visitDbm);
    const gap = gapMs ?? level.gapMs;
    levels.set(antenna, {
      meanDbm: rssiDbm === null ? level.meanDbm : level.meanDbm + (rssiDbm - level.meanDbm) * weight,
      flickerDb: Math.sqrt(
        Math.max(0.5, level.flickerDb ** 2 + (deviation ** 2 - level.flickerDb ** 2) / Math.min(reads + 20, 200)),
      ),
      // Weighted by its length: a moment chosen at random falls into a gap of this length.
      gapMs: level.gapMs + (gap - level.gapMs) * (gap / (gap + 20 * Math.max(1, level.gapMs))),
      reads,
    });
    changedLevels.add(antenna);
  }

  /** Port numbers come from messages, so that a reader could name any number of them. */
  function mayAdd(antenna: AntennaKey): boolean {
    const reader = readerOf(Math.floor(antenna / 65536));
    if (reader.antennas >= antennasPerReaderMax) return false;
    reader.antennas += 1;
    return true;
  }

  function learnLabel({ location, antenna, rssiDbm }: LabelSample): void {
    if (location === 0 || rssiDbm === null) return;
    let entries = signatures.get(location);
    if (entries === undefined) {
      entries = new Map();
      signatures.set(location, entries);
    }
    const known = entries.get(antenna);
    if (known === undefined && entries.size >= signaturesPerLocationMax) return;
    const before = known ?? { reads: 0, meanDbm: rssiDbm, variance: 0 };
    const reads = Math.min(before.reads + 1, signatureReadsMax);
    const difference = rssiDbm - before.meanDbm;
    const meanDbm = before.meanDbm + difference / reads;
    const variance = before.variance + (difference * (rssiDbm - meanDbm) - before.variance) / reads;
    entries.set(antenna, { reads, meanDbm, variance });
    const changed = changedSignatures.get(location) ?? new Set();
    changedSignatures.set(location, changed.add(antenna));
  }

  return {
    /** Learns from a judgment: the level of its antenna, and its labels. */
    learn(judgment: Judgment): void {
      if (judgment.level !== undefined) learnLevel(judgment.level);
      if (judgment.label !== undefined) learnLabel(judgment.label);
      if (judgment.labels !== undefined) for (const label of judgment.labels) learnLabel(label);
    },

    learnLabel,

    /** Returns the clock of a reader; a new one if nothing is known. */
    clockOf(reader: number): Clock {
      return readers.get(reader)?.clock ?? createClock();
    },

    /** Sets the clock of a reader to a stored offset. */
    restoreClock(reader: number, offsetMs: number): void {
      readerOf(reader).clock = createClock(offsetMs);
    },

    /** Learns the clock offset from one more message. Returns whether the offset has changed. */
    observeClock(reader: number, sample: { stampMs: number; receivedMs: number }): boolean {
      const known = readerOf(reader);
      const { offsetMs } = known.clock;
      known.clock = observeClock(known.clock, sample);
      return known.clock.offsetMs !== offsetMs;
    },

    /** Notes that a reader has reported everything up to an effective time. */
    reported(reader: number, untilMs: number): void {
      const known = readerOf(reader);
      if (untilMs > known.reportedUntilMs) known.reportedUntilMs = untilMs;
    },

    /** Returns what decisions depend on, with the settings of antennas as a function returns them. */
    surroundings(antennaSettings: (key: AntennaKey) => AntennaSettings | undefined): Surroundings {
      return {
        antenna: antennaSettings,
        level: (key) => levels.get(key),
        signature: (location, antenna) => signatures.get(location)?.get(antenna),
        reportedUntilMs: (antenna) => readers.get(Math.floor(antenna / 65536))?.reportedUntilMs ?? 0,
      };
    },

    /** Returns what was learned since the last call, to be stored. */
    takeChanges(): { levels: LevelRow[]; signatures: SignatureRow[] } {
      const rows = {
        levels: [...changedLevels].flatMap((antenna) => {
          const level = levels.get(antenna);
          return level === undefined ? [] : [{ antenna, ...level }];
        }),
        signatures: [...changedSignatures].flatMap(([location, antennas]) =>
          [...antennas].flatMap((antenna) => {
            const entry = signatures.get(location)?.get(antenna);
            return entry === undefined ? [] : [{ location, antenna, ...entry }];
          }),
        ),
      };
      changedLevels = new Set();
      changedSignatures = new Map();
      return rows;
    },

    /** Replaces what is known by stored rows, except where something was learned since the last `takeChanges`. */
    restore(rows: { levels: readonly LevelRow[]; signatures: readonly SignatureRow[] }): void {
      for (const { antenna, ...level } of rows.levels) {
        if (changedLevels.has(antenna) || (!levels.has(antenna) && !mayAdd(antenna))) continue;
        levels.set(antenna, level);
      }
      for (const { location, antenna, ...entry } of rows.signatures) {
        if (changedSignatures.get(location)?.has(antenna)) continue;
        const entries = signatures.get(location) ?? new Map<AntennaKey, SignatureEntry>();
        signatures.set(location, entries.set(antenna, entry));
      }
    },

    /** Forgets a reader that was deleted. */
    forgetReader(reader: number): void {
      readers.delete(reader);
      const isOfReader = (antenna: AntennaKey) => Math.floor(antenna / 65536) === reader;
      for (const antenna of levels.keys()) if (isOfReader(antenna)) levels.delete(antenna);
      for (const entries of signatures.values()) {
        for (const antenna of entries.keys()) if (isOfReader(antenna)) entries.delete(antenna);
      }
    },

    /** Forgets a location that was deleted. */
    forgetLocation(location: LocationId): void {
      signatures.delete(location);
    },
  };
}

export type Knowledge = ReturnType<typeof createKnowledge>;
