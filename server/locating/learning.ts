import { readerOf } from './antenna-key.js';
import { patternShareMin } from './constants.js';
import { addPattern, createGroup, forgetPatterns, learnStep, type LearningGroup, stepOf } from './learn-patterns.js';
import { createLearningBudgets, type Learner } from './learning-budget.js';
import { createOwnTags } from './own-tags.js';
import { createPattern, type Pattern } from './pattern.js';
import { addEntry, type SignatureTable, signatureOf, withoutAntennas } from './signature-table.js';
import type {
  AntennaKey,
  AntennaLevel,
  LabelSample,
  LocationId,
  SignatureEntry,
  SiteSignature,
  VisitPattern,
} from './types.js';

/** A learned signature as stored. */
export type SignatureRow = SignatureEntry & { location: LocationId; antenna: AntennaKey; labels: number };

/** Entries with fewer reads are not stored. */
const readsMin = 0.05;
/** Changes below these are not stored. */
const changeMinDb = 0.2;
const changeMinShare = 0.1;

/** The most locations for which the time of forgetting is kept: the locations forgotten last. */
const forgottenMax = 100_000;

/**
 * Creates the learning of signatures: how strongly antennas receive assets at each location. It learns from the
 * patterns of all visits, wherever they were decided to be, and from labels.
 */
export function createLearning(levelOf: (antenna: AntennaKey) => AntennaLevel | undefined) {
  const signatures: SignatureTable = new Map();
  const locationsOf = new Map<AntennaKey, LocationId[]>();
  const groups = new Map<number, LearningGroup>();
  const changed = new Map<LocationId, Set<AntennaKey>>();
  const ownTags = createOwnTags();
  const budgets = createLearningBudgets();

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
    const [large, small] = one.patterns.size >= other.patterns.size ? [one, other] : [other, one];
    for (const pattern of [...small.patterns.values(), ...small.labels.values()]) addPattern(large, pattern);
    for (const [location, signature] of small.stored) large.stored.set(location, signature);
    for (const [antenna, home] of small.homes) large.homes.set(antenna, home);
    for (const reader of small.readers) {
      large.readers.add(reader);
      groups.set(reader, large);
    }
    large.pass = undefined;
    return large;
  }

  function add(pattern: Pattern | undefined, learner: Learner): void {
    if (pattern === undefined) return;
    const readers = new Set(pattern.observations.map(({ antenna }) => readerOf(antenna)));
    const group = groupOf(readers);
    addPattern(group, pattern);
    const learned = learnStep(group, budgets.take(stepOf(group), learner), levelOf);
    if (learned !== undefined) publish(learned);
  }

  function publish(learned: SignatureTable): void {
    for (const [location, { visits, labels, entries, antennasMax, receptions, transit }] of learned) {
      const before = signatures.get(location)?.entries;
      const kept = new Map([...entries].filter(([, { reads }]) => reads >= readsMin));
      signatures.set(location, {
        visits,
        labels,
        entries: kept,
        antennas: [...kept.keys()],
        antennasMax,
        ...(receptions ? { receptions } : {}),
        ...(transit ? { transit } : {}),
      });
      for (const antenna of before?.keys() ?? []) if (!kept.has(antenna)) removeLocation(antenna, location);
      for (const antenna of kept.keys()) noteLocation(antenna, location);
      for (const [antenna, entry] of kept) if (hasChanged(before?.get(antenna), entry)) noteChange(location, antenna);
    }
  }

  function noteLocation(antenna: AntennaKey, location: LocationId): void {
    const locations = locationsOf.get(antenna);
    if (locations === undefined) locationsOf.set(antenna, [location]);
    else if (!locations.includes(location)) locations.push(location);
  }

  function removeLocation(antenna: AntennaKey, location: LocationId): void {
    const left = (locationsOf.get(antenna) ?? []).filter((other) => other !== location);
    if (left.length === 0) locationsOf.delete(antenna);
    else locationsOf.set(antenna, left);
  }

  function noteChange(location: LocationId, antenna: AntennaKey): void {
    const antennas = changed.get(location);
    if (antennas === undefined) changed.set(location, new Set([antenna]));
    else antennas.add(antenna);
  }

  /** Removes the antennas of a reader from what is known of a location, and the location if nothing is left of it. */
  function forgetAntennas(location: LocationId, group: LearningGroup, reader: number): void {
    const isGone = (antenna: AntennaKey) => readerOf(antenna) === reader;
    for (const antenna of signatures.get(location)?.antennas ?? []) {
      if (isGone(antenna)) removeLocation(antenna, location);
    }
    for (const table of [signatures, group.stored]) {
      const signature = table.get(location);
      const left = signature && withoutAntennas(signature, isGone);
      if (left) table.set(location, left);
      else table.delete(location);
    }
    const antennas = changed.get(location);
    for (const antenna of antennas ?? []) if (isGone(antenna)) antennas?.delete(antenna);
    if (antennas?.size === 0) changed.delete(location);
    // The label contained the reads of all antennas.
    const label = ownTags.forgetReader(location, reader) ? ownTags.patternOf(location) : undefined;
    if (label !== undefined) addPattern(group, label);
  }

  return {
    signature: (location: LocationId, antenna: AntennaKey): SignatureEntry | undefined =>
      signatures.get(location)?.entries.get(antenna),

    site: (location: LocationId): SiteSignature | undefined => signatures.get(location),

    locationsOf: (antenna: AntennaKey): readonly LocationId[] => locationsOf.get(antenna) ?? [],

    learnPattern({ key, fromMs, label, observations }: VisitPattern, learner: Learner): void {
      const heard = observations.filter(
        ({ reads, opportunities, location }) =>
          reads > 0 && (location === label || reads >= patternShareMin * opportunities),
      );
      const pattern = createPattern(key, heard, label);
      if (pattern?.candidates.some((location) => fromMs < (forgottenMs.get(location) ?? 0))) return;
      add(pattern, learner);
    },

    learnLabel(sample: LabelSample, learner: Learner): void {
      if (ownTags.count(sample)) add(ownTags.patternOf(sample.location), learner);
    },

    takeChanges(): SignatureRow[] {
      const rows: SignatureRow[] = [];
      for (const [location, antennas] of changed) {
        for (const antenna of antennas) {
          const signature = signatures.get(location);
          const entry = signature?.entries.get(antenna);
          if (entry !== undefined) rows.push({ location, antenna, ...entry, labels: signature?.labels ?? 0 });
        }
      }
      changed.clear();
      return rows;
    },

    /** Returns rows that could not be stored with the next changes again. */
    keepChanges(rows: readonly SignatureRow[]): void {
      for (const { location, antenna } of rows) noteChange(location, antenna);
    },

    /** Restores stored rows for locations about which nothing was learned here. */
    restore(rows: readonly SignatureRow[]): void {
      const fresh = new Map<LocationId, SignatureRow[]>();
      for (const row of rows) {
        const ofLocation = fresh.get(row.location);
        if (ofLocation !== undefined) ofLocation.push(row);
        else if (!signatures.get(row.location)?.entries.size) fresh.set(row.location, [row]);
      }
      for (const [location, ofLocation] of fresh) {
        const signature = signatureOf(signatures, location);
        for (const { antenna, reads, meanDbm, variance, labels } of ofLocation) {
          addEntry(signature, antenna, { reads, meanDbm, variance });
          noteLocation(antenna, location);
          signature.visits = Math.max(signature.visits, reads);
          signature.labels = Math.max(signature.labels, labels);
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
      const homes = [...group.homes.values()].map(({ location }) => location);
      const locations = new Set([...group.locations, ...group.stored.keys(), ...homes]);
      for (const kept of [group.patterns, group.labels]) {
        for (const [key, { observations }] of kept) {
          if (observations.some(({ antenna }) => readerOf(antenna) === reader)) kept.delete(key);
        }
      }
      for (const antenna of group.homes.keys()) if (readerOf(antenna) === reader) group.homes.delete(antenna);
      group.pass = undefined;
      for (const location of locations) forgetAntennas(location, group, reader);
    },

    forgetLocation(location: LocationId, beforeMs: number): void {
      forgottenMs.delete(location);
      forgottenMs.set(location, beforeMs);
      for (const oldest of forgottenMs.keys()) {
        if (forgottenMs.size <= forgottenMax) break;
        forgottenMs.delete(oldest);
      }
      ownTags.forgetLocation(location);
      for (const group of new Set(groups.values())) {
        if (!group.locations.has(location) && !group.stored.has(location)) continue;
        forgetPatterns(group, signatures, location);
      }
      for (const antenna of signatures.get(location)?.antennas ?? []) removeLocation(antenna, location);
      signatures.delete(location);
      changed.delete(location);
    },
  };
}

function hasChanged(before: SignatureEntry | undefined, { reads, meanDbm }: SignatureEntry): boolean {
  if (before === undefined) return true;
  return Math.abs(before.meanDbm - meanDbm) >= changeMinDb || Math.abs(before.reads - reads) >= changeMinShare * reads;
}
