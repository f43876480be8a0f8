import {
  candidatesMax,
  firstGuessDb,
  levelUnknownDbm,
  patternsMax,
  patternsMin,
  patternsPerLocation,
  patternsPerStep,
  patternsPerStepMin,
  signaturesPerLocationMax,
  storedVisitsMax,
  sweeps,
  transit,
  transitAdvantage,
  transitAdvantageLearning,
  transitShareUnknown,
  transitShareVisits,
} from './constants.js';
import type { Pattern } from './pattern.js';
import { hasLevels, likelihood } from './likelihood.js';
import type { SignalModel } from './expected-reception.js';
import { addVisit, copySignature, type SignatureTable, signatureOf } from './signature-table.js';
import { addTransitVisit, createTransitSum, transitOf, type TransitSum } from './transit-signature.js';
import { estimateReceptions, type Home } from './estimate-receptions.js';
import type { AntennaKey, AntennaLevel, LocationId, Observation } from './types.js';

/** Readers whose fields overlap: their patterns are learned together. Changes in place. */
export type LearningGroup = {
  readers: Set<number>;
  /** The most recent patterns by their keys, oldest first. Labeled ones are kept apart. */
  patterns: Map<string, Pattern>;
  labels: Map<string, Pattern>;
  /** How many patterns have been added since the start. */
  added: number;
  locations: Set<LocationId>;
  /** The location of each antenna that has read something. */
  homes: Map<AntennaKey, Home>;
  /** What was stored before the start. */
  stored: SignatureTable;
  pass: Pass | undefined;
};

/** One relearning of all patterns, done in steps: it finds where each visit was from what all the others show. */
type Pass = {
  sweep: number;
  at: number;
  queue: readonly Pattern[];
  /** The results of the previous sweep and of the present one. */
  known: SignatureTable;
  model: SignalModel;
  sum: SignatureTable;
  /** Visits without a label that were judged in this sweep, and how many of them were in transit. */
  judged: number;
  inTransit: number;
  /** The visits in transit of this sweep. */
  transit: TransitSum;
};

/** Less probable locations of a visit learn nothing from it. */
const visitShareMin = 0.001;

export function createGroup(readers: Iterable<number>): LearningGroup {
  return {
    readers: new Set(readers),
    patterns: new Map(),
    labels: new Map(),
    added: 0,
    locations: new Set(),
    homes: new Map(),
    stored: new Map(),
    pass: undefined,
  };
}

/** Adds a pattern to its group. */
export function addPattern(group: LearningGroup, pattern: Pattern): void {
  for (const location of pattern.candidates) group.locations.add(location);
  for (const { antenna, location, hasRssi } of pattern.observations) {
    // Port numbers come from messages, so a reader could send any number of them.
    const isFull = group.homes.size >= signaturesPerLocationMax * group.locations.size;
    if (location !== 0 && (!isFull || group.homes.has(antenna))) group.homes.set(antenna, { location, hasRssi });
  }
  group.added += 1;
  const kept = pattern.isLabel ? group.labels : group.patterns;
  const most = pattern.isLabel ? patternsPerLocation * group.locations.size : keptOf(group.locations);
  kept.delete(pattern.key);
  kept.set(pattern.key, pattern);
  for (const key of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(key);
  }
}

/**
 * Forgets all visits that may have been to a location. What was learned of the other locations stays, as if it had been
 * stored, and so do their labels.
 */
export function forgetPatterns(group: LearningGroup, learned: SignatureTable, location: LocationId): void {
  for (const other of group.locations) {
    const signature = learned.get(other);
    if (signature !== undefined) group.stored.set(other, copySignature(signature, storedVisitsMax));
  }
  group.stored.delete(location);
  group.locations.delete(location);
  for (const [key, { candidates }] of group.labels) if (candidates[0] === location) group.labels.delete(key);
  group.patterns.clear();
  group.added = 0;
  group.pass = undefined;
}

/**
 * Runs the next step of learning where the visits of a group were: judges the given number of patterns again.
 *
 * Each pass begins with a guess by the strongest antenna alone and iterates over all patterns several times. It never
 * begins with the result of an earlier pass, so wrong decisions do not confirm themselves.
 *
 * @returns the signatures if a pass was completed
 */
export function learnStep(
  group: LearningGroup,
  patternCount: number,
  levelOf: (antenna: AntennaKey) => AntennaLevel | undefined,
): SignatureTable | undefined {
  let completed: SignatureTable | undefined;
  for (let left = patternCount; left > 0; ) {
    const pass = (group.pass ??= beginPass(group, levelOf));
    const until = Math.min(pass.queue.length, pass.at + left);
    left -= Math.max(1, until - pass.at);
    for (; pass.at < until; pass.at += 1) {
      const pattern = pass.queue[pass.at];
      if (pattern !== undefined) judgePattern(pattern, pass);
    }
    if (pass.at < pass.queue.length) break;
    pass.known = pass.sum;
    estimateReceptions(pass.known, group.homes);
    if (pass.sweep > 0) noteTransit(pass);
    pass.model = modelOf(pass.known, levelOf);
    pass.sum = startSum(group);
    pass.at = 0;
    pass.sweep += 1;
    if (pass.sweep <= sweeps) continue;
    completed = pass.known;
    group.pass = undefined;
    break;
  }
  return completed;
}

/**
 * Returns how many patterns to judge again for a new one. Learning slows down once the buffer is full, because each
 * further visit changes less and less.
 */
export function stepOf({ added, locations }: LearningGroup): number {
  const share = Math.min(1, keptOf(locations) / Math.max(1, added));
  return Math.round(Math.max(patternsPerStepMin, patternsPerStep * share));
}

function keptOf(locations: ReadonlySet<LocationId>): number {
  return Math.min(patternsMax, Math.max(patternsMin, patternsPerLocation * locations.size));
}

function beginPass(group: LearningGroup, levelOf: (antenna: AntennaKey) => AntennaLevel | undefined): Pass {
  return {
    sweep: 0,
    at: 0,
    queue: [...group.labels.values(), ...group.patterns.values()],
    known: group.stored,
    model: modelOf(group.stored, levelOf),
    sum: startSum(group),
    judged: 0,
    inTransit: 0,
    transit: createTransitSum(group.homes.size),
  };
}

function startSum(group: LearningGroup): SignatureTable {
  return new Map(
    [...group.stored].map(([location, signature]) => [location, copySignature(signature, storedVisitsMax)]),
  );
}

function modelOf(table: SignatureTable, levelOf: (antenna: AntennaKey) => AntennaLevel | undefined): SignalModel {
  const locations = new Map<AntennaKey, LocationId[]>();
  for (const [location, { entries }] of table) {
    for (const [antenna, { reads }] of entries) {
      if (reads < 1) continue;
      const known = locations.get(antenna);
      if (known === undefined) locations.set(antenna, [location]);
      else known.push(location);
    }
  }
  return {
    level: levelOf,
    signature: (location, antenna) => table.get(location)?.entries.get(antenna),
    site: (location) => table.get(location),
    locationsOf: (antenna) => locations.get(antenna) ?? [],
  };
}

/** Notes the share of visits in transit, and what is received of them, for all locations, as the last sweep found it. */
function noteTransit(pass: Pass): void {
  const share = (pass.inTransit + transitShareUnknown * transitShareVisits) / (pass.judged + transitShareVisits);
  const transitSignature = transitOf(pass.transit, share);
  for (const signature of pass.known.values()) signature.transit = transitSignature;
  pass.judged = 0;
  pass.inTransit = 0;
  pass.transit = createTransitSum(pass.transit.signature.antennasMax);
}

function judgePattern(pattern: Pattern, pass: Pass): void {
  const { sum, model } = pass;
  const isFirst = pass.sweep === 0;
  const { observations, weight, isLabel } = pattern;
  const candidates = isLabel || isFirst ? pattern.candidates : candidatesOf(pattern, model);
  const shares: number[] = [];
  let greatest = Number.NEGATIVE_INFINITY;
  for (const location of candidates) {
    const value = isFirst ? firstGuess(location, observations) : likelihood(location, observations, model);
    shares.push(value);
    greatest = Math.max(greatest, value);
  }
  let total = 0;
  if (!isLabel && !isFirst && hasLevels(observations)) {
    const value = likelihood(transit, observations, model) + transitAdvantageLearning - transitAdvantage;
    greatest = Math.max(greatest, value);
    total = Math.exp(value - greatest);
  }
  const inTransit = total;
  for (const value of shares) total += Math.exp(value - greatest);
  if (!isLabel && !isFirst) {
    const share = inTransit / total;
    pass.judged += 1;
    pass.inTransit += share;
    if (share * weight >= visitShareMin) addTransitVisit(pass.transit, observations, share * weight);
  }
  for (let i = 0; i < shares.length; i += 1) {
    const share = (Math.exp((shares[i] ?? 0) - greatest) / total) * weight;
    if (share < visitShareMin) continue;
    const signature = signatureOf(sum, candidates[i] ?? 0);
    addVisit(signature, observations, share);
    if (isLabel) signature.labels += 1;
  }
}

/** Returns the locations of the antennas that read the asset, and others at which they are known to read assets. */
function candidatesOf({ observations, candidates }: Pattern, model: SignalModel): readonly LocationId[] {
  let all: LocationId[] | undefined;
  for (const { antenna } of observations) {
    for (const location of model.locationsOf?.(antenna) ?? []) {
      if ((all ?? candidates).length >= candidatesMax) return all ?? candidates;
      if ((all ?? candidates).includes(location)) continue;
      all ??= [...candidates];
      all.push(location);
    }
  }
  return all ?? candidates;
}

/** The stronger an antenna receives the asset, compared with its own level, the more likely the asset is there. */
function firstGuess(location: LocationId, observations: readonly Observation[]): number {
  let best = -50;
  for (const { location: own, levelDbm, reads } of observations) {
    if (own !== location || reads === 0) continue;
    best = Math.max(best, (levelDbm - levelUnknownDbm) / firstGuessDb);
  }
  return best;
}
