import {
  driftSdDb,
  leakDb,
  leakSdDb,
  leakShare,
  shareReads,
  unknownFlickerDb,
  unknownGapMs,
  unknownLevelDbm,
  unknownLevelSdDb,
  visitSdDb,
  visitShareReadsMax,
} from './constants.js';
import { logGamma } from './log-gamma.js';
import type { AssetState, AntennaLevel, LocationId, Slot, Surroundings } from './types.js';

/** How well locations explain reads: natural logarithms of likelihoods, of which only differences mean something. */
export type Comparison = { location: LocationId; advantage: number };

/** Returns the location other than the present one that explains the reads of the open change best, if any does. */
export function compareChange(state: AssetState, surroundings: Surroundings): Comparison | undefined {
  const { slots, location, changeMs } = state;
  const remains = likelihoodOfRemaining(state, surroundings);
  let best: Comparison | undefined;
  for (const slot of slots) {
    const candidate = slot.newReads > 0 ? surroundings.antenna(slot.antenna)?.location : undefined;
    if (candidate === undefined || candidate === location) continue;
    const advantage = likelihoodAt(candidate, { slots, isNew: true, sinceMs: changeMs }, surroundings) - remains;
    if (best === undefined || advantage > best.advantage) best = { location: candidate, advantage };
  }
  return best;
}

/** Returns the location that explains all reads of the visit better than the present one, if any does. */
export function compareVisit({ slots, location }: AssetState, surroundings: Surroundings): Comparison | undefined {
  let present: number | undefined;
  let best: Comparison | undefined;
  for (const slot of slots) {
    const candidate = slot.reads > 0 ? surroundings.antenna(slot.antenna)?.location : undefined;
    if (candidate === undefined || candidate === location) continue;
    present ??= likelihoodAt(location, { slots, isNew: false, sinceMs: 0 }, surroundings);
    const advantage = likelihoodAt(candidate, { slots, isNew: false, sinceMs: 0 }, surroundings) - present;
    if (best === undefined || advantage > best.advantage) best = { location: candidate, advantage };
  }
  return best;
}

type Reads = { slots: readonly Slot[]; isNew: boolean; sinceMs: number };

/** Likelihood of the reads if the asset has come to a location and everything about its new position is unknown. */
function likelihoodAt(location: LocationId, { slots, isNew, sinceMs }: Reads, surroundings: Surroundings): number {
  let sum = 0;
  let total = 0;
  let expectedTotal = 0;
  for (const slot of slots) {
    total += isNew ? slot.newReads : slot.reads;
    expectedTotal += expectedShare(location, slot, { surroundings, sinceMs });
  }
  if (total === 0 || expectedTotal === 0) return 0;
  const temper = Math.min(1, visitShareReadsMax / total);
  for (const slot of slots) {
    const reads = isNew ? slot.newReads : slot.reads;
    if (reads === 0) continue;
    const expected = (shareReads * expectedShare(location, slot, { surroundings, sinceMs })) / expectedTotal;
    sum += logGamma(expected + reads * temper) - logGamma(expected);
    const level = isNew ? slot.newLevel : slot.level;
    if (level !== null) sum += levelAt(location, { slot, level: level / 100, reads }, surroundings);
  }
  return sum + logGamma(shareReads) - logGamma(shareReads + total * temper);
}

/** Likelihood of the reads of the open change if the asset is where it has been. */
function likelihoodOfRemaining(
  { slots, location, changeMs }: Pick<AssetState, 'slots' | 'location' | 'changeMs'>,
  surroundings: Surroundings,
): number {
  let sum = 0;
  let known = 0;
  let total = 0;
  let expectedTotal = 0;
  for (const slot of slots) {
    total += slot.newReads;
    known += slot.reads;
    expectedTotal += expectedShare(location, slot, { surroundings, sinceMs: changeMs });
  }
  if (total === 0 || expectedTotal === 0) return 0;
  const temper = Math.min(1, visitShareReadsMax / total);
  const knownTemper = known === 0 ? 0 : Math.min(1, visitShareReadsMax / known);
  let expectedSum = 0;
  for (const slot of slots) {
    if (surroundings.reportedUntilMs(slot.antenna) < changeMs) continue;
    const expected =
      (shareReads * expectedShare(location, slot, { surroundings, sinceMs: changeMs })) / expectedTotal +
      slot.reads * knownTemper;
    expectedSum += expected;
    if (slot.newReads === 0) continue;
    sum += logGamma(expected + slot.newReads * temper) - logGamma(expected);
    if (slot.newLevel !== null) {
      const level = slot.newLevel / 100;
      sum +=
        slot.reads > 0 && slot.level !== null
          ? levelAgain({ slot, level, known: slot.level / 100 }, surroundings)
          : levelAt(location, { slot, level, reads: slot.newReads }, surroundings);
    }
  }
  return sum + logGamma(expectedSum) - logGamma(expectedSum + total * temper);
}

/** Reads per time that the slot's antenna is expected to make of an asset at a location, relative to the others. */
function expectedShare(
  location: LocationId,
  slot: Slot,
  { surroundings, sinceMs }: { surroundings: Surroundings; sinceMs: number },
): number {
  if (sinceMs > 0 && surroundings.reportedUntilMs(slot.antenna) < sinceMs) return 0;
  const gapMs = surroundings.level(slot.antenna)?.gapMs ?? unknownGapMs;
  return (surroundings.antenna(slot.antenna)?.location === location ? 1 : leakShare) / Math.max(gapMs, 1);
}

type SlotLevel = { slot: Slot; level: number; reads: number };

function levelAt(location: LocationId, { slot, level, reads }: SlotLevel, surroundings: Surroundings): number {
  const learned = surroundings.level(slot.antenna);
  const isOwn = surroundings.antenna(slot.antenna)?.location === location;
  const spread = isOwn ? visitSdDb : leakSdDb;
  const doubt = doubtOf(learned);
  const flicker = learned?.flickerDb ?? unknownFlickerDb;
  const mean = (learned?.meanDbm ?? unknownLevelDbm) - (isOwn ? 0 : leakDb);
  return logNormal(level - mean, spread * spread + doubt * doubt + (flicker * flicker) / reads);
}

function doubtOf(learned: AntennaLevel | undefined): number {
  return learned === undefined ? unknownLevelSdDb : unknownLevelSdDb / Math.sqrt(1 + learned.reads / 4);
}

/** A level where the antenna's level of this visit is known. */
function levelAgain({ slot, level, known }: { slot: Slot; level: number; known: number }, surroundings: Surroundings) {
  const flicker = surroundings.level(slot.antenna)?.flickerDb ?? unknownFlickerDb;
  return logNormal(level - known, driftSdDb * driftSdDb + flicker * flicker * (1 / slot.reads + 1 / slot.newReads));
}

/** The logarithm of a normal density without its constant, which all that is compared has in common. */
function logNormal(difference: number, variance: number): number {
  return -0.5 * (Math.log(variance) + (difference * difference) / variance);
}

/** Returns how well each location that receives the asset explains the reads of the visit. */
export function likelihoods(
  { slots, location }: AssetState,
  surroundings: Surroundings,
): { location: LocationId; logLikelihood: number }[] {
  const candidates = new Set([location]);
  for (const slot of slots) {
    const candidate = slot.reads > 0 ? surroundings.antenna(slot.antenna)?.location : undefined;
    if (candidate !== undefined) candidates.add(candidate);
  }
  return [...candidates].map((candidate) => ({
    location: candidate,
    logLikelihood: likelihoodAt(candidate, { slots, isNew: false, sinceMs: 0 }, surroundings),
  }));
}
