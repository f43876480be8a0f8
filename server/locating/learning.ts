import { readerOf } from './antenna-key.js';
import { patternShareMin, patternsPerRead, patternsSavedMax } from './constants.js';
import { addPattern, createGroup, forgetPatterns, learnStep, type LearningGroup, stepOf } from './learn-patterns.js';
import { createPattern, type Pattern } from './pattern.js';
import { addEntry, type SignatureTable, signatureOf } from './signature-table.js';
import type {
  AntennaKey,
  AntennaLevel,
  LabelSample,
  LocationId,
  Observation,
  SignatureEntry,
  SiteSignature,
  VisitPattern,
} from './types.js';

/** A learned signature as stored. */
export type SignatureRow = SignatureEntry & { location: LocationId; antenna: AntennaKey };

/** Entries with fewer reads are not stored. */
const readsMin = 0.05;
/** Changes below these are not stored. */
const changeMinDb = 0.2;
const changeMinShare = 0.1;

/**
 * Creates the learning of signatures: how strongly antennas receive assets at each location. It learns from the
 * patterns of all visits, wherever they were decided to be, and from labels.
 */
export function createLearning(levelOf: (antenna: AntennaKey) => AntennaLevel | undefined) {
  const signatures: SignatureTable = new Map();
  const locationsOf = new Map<AntennaKey, LocationId[]>();
  const groups = new Map<number, LearningGroup>();
  const changed = new Map<LocationId, Set<AntennaKey>>();
  /** By location: what antennas read of the location's own tag. */
  const ownTags = new Map<LocationId, Map<AntennaKey, { reads: number; sumDbm: number }>>();

  /** Patterns that may be judged again. */
  let credit = patternsSavedMax;

  /** By location: visits that began before this instant are not learned from. */
  const forgottenMs = new Map<LocationId, number>();

  /** Returns the group of readers; groups that a pattern connects become one. */
  function groupOf(readers: ReadonlySet<number>): LearningGroup {
    let group: LearningGroup | undefined;
    for (const reader of readers) {
      const other = groups.get(reader);
      if (other === undefined || other === group) continue;
      group = group === undefined ? other : joined(group, other);
    }
    group ??= createGroup(readers);
    for (const reader of readers) {
      group.readers.add(reader);
      groups.set(reader, group);
    }
    return group;
  }

  function joined(one: LearningGroup, other: LearningGroup): LearningGroup {
    const [large, small] = one.patterns.length >= other.patterns.length ? [one, other] : [other, one];
    for (const pattern of small.patterns) addPattern(large, pattern);
    for (const pattern of small.labels.values()) addPattern(large, pattern);
    for (const [location, signature] of small.stored) large.stored.set(location, signature);
    for (const [antenna, home] of small.homes) large.homes.set(antenna, home);
    for (const reader of small.readers) {
      large.readers.add(reader);
      groups.set(reader, large);
    }
    large.pass = undefined;
    return large;
  }

  function add(pattern: Pattern | undefined): void {
    if (pattern === undefined) return;
    const readers = new Set(pattern.observations.map(({ antenna }) => readerOf(antenna)));
    const group = groupOf(readers);
    addPattern(group, pattern);
    const step = Math.min(stepOf(group), credit);
    credit -= step;
    const learned = learnStep(group, step, levelOf);
    if (learned !== undefined) publish(learned);
  }

  function publish(learned: SignatureTable): void {
    for (const [location, { visits, entries, antennasMax, receptions, transit }] of learned) {
      const before = signatures.get(location)?.entries;
      const kept = new Map([...entries].filter(([, { reads }]) => reads >= readsMin));
      signatures.set(location, {
        visits,
        entries: kept,
        antennas: [...kept.keys()],
        antennasMax,
        ...(receptions ? { receptions } : {}),
        ...(transit ? { transit } : {}),
      });
      for (const antenna of kept.keys()) noteLocation(antenna, location);
      for (const [antenna, entry] of kept) if (hasChanged(before?.get(antenna), entry)) noteChange(location, antenna);
    }
  }

  function noteLocation(antenna: AntennaKey, location: LocationId): void {
    const locations = locationsOf.get(antenna);
    if (locations === undefined) locationsOf.set(antenna, [location]);
    else if (!locations.includes(location)) locations.push(location);
  }

  function noteChange(location: LocationId, antenna: AntennaKey): void {
    const antennas = changed.get(location);
    if (antennas === undefined) changed.set(location, new Set([antenna]));
    else antennas.add(antenna);
  }

  return {
    signature: (location: LocationId, antenna: AntennaKey): SignatureEntry | undefined =>
      signatures.get(location)?.entries.get(antenna),

    site: (location: LocationId): SiteSignature | undefined => signatures.get(location),

    locationsOf: (antenna: AntennaKey): readonly LocationId[] =>
      (locationsOf.get(antenna) ?? []).filter((location) => signatures.get(location)?.entries.has(antenna)),

    /** Counts a read, which allows a bounded amount of learning. */
    countRead(): void {
      credit = Math.min(patternsSavedMax, credit + patternsPerRead);
    },

    learnPattern({ key, fromMs, label, observations }: VisitPattern): void {
      const heard = observations.filter(
        ({ reads, opportunities, location }) =>
          reads > 0 && (location === label || reads >= patternShareMin * opportunities),
      );
      const pattern = createPattern(key, heard, label);
      if (pattern?.candidates.some((location) => fromMs < (forgottenMs.get(location) ?? 0))) return;
      add(pattern);
    },

    learnLabel({ location, antenna, rssiDbm }: LabelSample): void {
      if (location === 0 || rssiDbm === null) return;
      const antennas = ownTags.get(location) ?? new Map<AntennaKey, { reads: number; sumDbm: number }>();
      ownTags.set(location, antennas);
      const known = antennas.get(antenna) ?? { reads: 0, sumDbm: 0 };
      known.reads += 1;
      known.sumDbm += rssiDbm;
      antennas.set(antenna, known);
      // The tag never moves, so further reads add less and less.
      if (!Number.isInteger(Math.log2(known.reads))) return;
      const observations = [...antennas].map(([key, { reads, sumDbm }]): Observation => {
        const levelDbm = sumDbm / reads;
        return {
          antenna: key,
          location: 0,
          reads,
          hasRead: true,
          hasRssi: true,
          levelDbm,
          variance: 0,
          opportunities: reads,
          strayChance: 0,
          isReported: true,
          lastMs: 0,
        };
      });
      add(createPattern(`tag ${location}`, observations, location));
    },

    takeChanges(): SignatureRow[] {
      const rows: SignatureRow[] = [];
      for (const [location, antennas] of changed) {
        for (const antenna of antennas) {
          const entry = signatures.get(location)?.entries.get(antenna);
          if (entry !== undefined) rows.push({ location, antenna, ...entry });
        }
      }
      changed.clear();
      return rows;
    },

    /** Restores stored rows for locations of which nothing was learned here. */
    restore(rows: readonly SignatureRow[]): void {
      const fresh = new Map<LocationId, SignatureRow[]>();
      for (const row of rows) {
        const ofLocation = fresh.get(row.location);
        if (ofLocation !== undefined) ofLocation.push(row);
        else if (!signatures.has(row.location)) fresh.set(row.location, [row]);
      }
      for (const [location, ofLocation] of fresh) {
        const signature = signatureOf(signatures, location);
        for (const { antenna, reads, meanDbm, variance } of ofLocation) {
          addEntry(signature, antenna, { reads, meanDbm, variance });
          noteLocation(antenna, location);
          signature.visits = Math.max(signature.visits, reads);
        }
        const group = groupOf(new Set(ofLocation.map(({ antenna }) => readerOf(antenna))));
        group.stored.set(location, signature);
        group.locations.add(location);
      }
    },

    forgetReader(reader: number): void {
      const group = groups.get(reader);
      groups.delete(reader);
      if (group === undefined) return;
      group.readers.delete(reader);
      const isLeft = ({ observations }: Pattern) => observations.every(({ antenna }) => readerOf(antenna) !== reader);
      const patterns = group.patterns.filter(isLeft);
      const labels = [...group.labels.values()].filter(isLeft);
      group.patterns.length = 0;
      group.positions.clear();
      group.labels.clear();
      group.homes.clear();
      group.next = 0;
      group.pass = undefined;
      for (const pattern of patterns) addPattern(group, pattern);
      for (const pattern of labels) addPattern(group, pattern);
      for (const table of [signatures, group.stored]) {
        for (const signature of table.values()) {
          for (const antenna of signature.entries.keys()) {
            if (readerOf(antenna) === reader) signature.entries.delete(antenna);
          }
          signature.antennas = [...signature.entries.keys()];
        }
      }
    },

    forgetLocation(location: LocationId, beforeMs: number): void {
      forgottenMs.set(location, beforeMs);
      ownTags.delete(location);
      for (const group of new Set(groups.values())) {
        if (!group.locations.has(location) && !group.stored.has(location)) continue;
        forgetPatterns(group, signatures, location);
      }
      signatures.delete(location);
      changed.delete(location);
    },
  };
}

function hasChanged(before: SignatureEntry | undefined, { reads, meanDbm }: SignatureEntry): boolean {
  if (before === undefined) return true;
  return Math.abs(before.meanDbm - meanDbm) >= changeMinDb || Math.abs(before.reads - reads) >= changeMinShare * reads;
}
