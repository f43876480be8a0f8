import { readerOf } from './antenna-key.js';
import { signaturesPerLocationMax } from './constants.js';
import { createPattern, type Pattern } from './pattern.js';
import type { AntennaKey, LabelSample, LocationId, Observation } from './types.js';

type Count = { reads: number; sumDbm: number };

/** Creates the counts of what antennas have read of the locations' own tags. They change in place. */
export function createOwnTags() {
  const counts = new Map<LocationId, Map<AntennaKey, Count>>();

  return {
    /**
     * Counts a read. Returns whether its antenna has read the tag twice as often as when this was last so: the tag
     * never moves, so further reads add less and less.
     */
    count({ location, antenna, rssiDbm }: LabelSample): boolean {
      if (location === 0 || rssiDbm === null) return false;
      const antennas = counts.get(location) ?? new Map<AntennaKey, Count>();
      const known = antennas.get(antenna) ?? { reads: 0, sumDbm: 0 };
      // Port numbers come from messages, so a reader could send any number of them.
      if (known.reads === 0 && antennas.size >= signaturesPerLocationMax) return false;
      known.reads += 1;
      known.sumDbm += rssiDbm;
      antennas.set(antenna, known);
      counts.set(location, antennas);
      return Number.isInteger(Math.log2(known.reads));
    },

    /** Returns what the antennas have read of a location's own tag; undefined if none has read it. */
    patternOf(location: LocationId): Pattern | undefined {
      const antennas = counts.get(location);
      return antennas && createPattern(`tag ${location}`, [...antennas].map(observationOf), location);
    },

    /** Forgets the antennas of a reader. Returns whether any of them had read the location's own tag. */
    forgetReader(location: LocationId, reader: number): boolean {
      const antennas = counts.get(location);
      if (antennas === undefined) return false;
      const before = antennas.size;
      for (const antenna of antennas.keys()) if (readerOf(antenna) === reader) antennas.delete(antenna);
      if (antennas.size === 0) counts.delete(location);
      return antennas.size < before;
    },

    forgetLocation(location: LocationId): void {
      counts.delete(location);
    },
  };
}

function observationOf([antenna, { reads, sumDbm }]: [AntennaKey, Count]): Observation {
  return {
    antenna,
    location: 0,
    reads,
    hasRead: true,
    hasRssi: true,
    levelDbm: sumDbm / reads,
    variance: 0,
    opportunities: reads,
    strayChance: 0,
    isReported: true,
    lastMs: 0,
  };
}
