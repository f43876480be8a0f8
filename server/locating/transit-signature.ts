import {
  ownAudibleShare,
  signaturesPerLocationMax,
  transitAudibleShare,
  transitPairsUnknown,
  transitReadsUnknown,
} from './constants.js';
import { addVisit, emptySignature, type LocationSignature } from './signature-table.js';
import type { AntennaKey, Observation, TransitSignature } from './types.js';

/** Reads of visits in transit, while they are added up. Changes in place. */
export type TransitSum = {
  signature: LocationSignature;
  /** By antenna, and by another one: how many visits both have read. */
  together: Map<AntennaKey, Map<AntennaKey, number>>;
};

/** Returns a sum without visits, for at most this many antennas. */
export function createTransitSum(antennasMax: number): TransitSum {
  return { signature: emptySignature(antennasMax), together: new Map() };
}

/** Adds a visit, with the probability that it was in transit as weight. */
export function addTransitVisit(
  { signature, together }: TransitSum,
  observations: readonly Observation[],
  weight: number,
): void {
  addVisit(signature, observations, weight);
  for (const { antenna, reads } of observations) {
    if (reads === 0 || !signature.entries.has(antenna)) continue;
    let others = together.get(antenna);
    if (others === undefined) together.set(antenna, (others = new Map<AntennaKey, number>()));
    for (const other of observations) {
      if (other.reads === 0 || other.antenna === antenna) continue;
      const known = others.get(other.antenna);
      if (known === undefined && others.size >= signaturesPerLocationMax) continue;
      others.set(other.antenna, (known ?? 0) + weight);
    }
  }
}

/**
 * Returns what visits in transit have shown.
 *
 * @param share their share of all visits
 */
export function transitOf({ signature: { entries }, together }: TransitSum, share: number): TransitSignature {
  let sum = 0;
  let squares = 0;
  for (const { reads } of entries.values()) {
    sum += reads;
    squares += reads * reads;
  }
  return { share, entries, together, readsPerAntenna: sum === 0 ? 0 : squares / sum };
}

/**
 * Returns the probability that an antenna reads an asset in transit. The antenna that has read it most shows in which part of
 * the site it is: of all visits in transit, any antenna of a large site reads hardly one.
 *
 * @param mostRead the antenna that has read the asset most; undefined if that does not matter
 */
export function audibleInTransit(
  antenna: AntennaKey,
  mostRead: AntennaKey | undefined,
  known: TransitSignature | undefined,
): number {
  const reads = known?.entries.get(antenna)?.reads ?? 0;
  if (mostRead === undefined || mostRead === antenna) {
    const frequency = (reads + transitReadsUnknown) / ((known?.readsPerAntenna ?? 0) + transitReadsUnknown);
    return Math.min(ownAudibleShare, frequency * transitAudibleShare);
  }
  const together = known?.together.get(mostRead)?.get(antenna) ?? 0;
  const visits = known?.entries.get(mostRead)?.reads ?? 0;
  const share = (together + transitPairsUnknown * transitAudibleShare) / (visits + transitPairsUnknown);
  return Math.min(ownAudibleShare, share);
}
