import { signaturesPerLocationMax } from './constants.js';
import type { AntennaKey, LocationId, Observation, SignatureEntry, SiteReception, SiteSignature } from './types.js';

/** What is known of one location. */
export type LocationSignature = SiteSignature & {
  entries: Map<AntennaKey, SignatureEntry>;
  antennas: AntennaKey[];
  receptions?: ReadonlyMap<AntennaKey, SiteReception>;
  antennasMax: number;
};

/** Signatures by location. Changes in place. */
export type SignatureTable = Map<LocationId, LocationSignature>;

/** Returns a signature without visits. */
export function emptySignature(antennasMax = signaturesPerLocationMax): LocationSignature {
  return { visits: 0, labels: 0, entries: new Map(), antennas: [], antennasMax };
}

/** Returns the signature of a location, a new one without visits if there is none. */
export function signatureOf(table: SignatureTable, location: LocationId): LocationSignature {
  let signature = table.get(location);
  if (signature === undefined) {
    signature = emptySignature();
    table.set(location, signature);
  }
  return signature;
}

/** Adds a visit to a location, with the probability that it was there as weight. */
export function addVisit(signature: LocationSignature, observations: readonly Observation[], weight: number): void {
  signature.visits += weight;
  for (const { antenna, levelDbm, reads } of observations) {
    if (reads > 0) addEntry(signature, antenna, { reads: weight, meanDbm: levelDbm, variance: 0 });
  }
}

/** Combines what other visits have shown of an antenna with what is known. */
export function addEntry(
  signature: LocationSignature,
  antenna: AntennaKey,
  { reads, meanDbm, variance }: SignatureEntry,
): void {
  const known = signature.entries.get(antenna);
  if (known === undefined) {
    if (signature.entries.size >= signature.antennasMax) return;
    signature.entries.set(antenna, { reads, meanDbm, variance });
    signature.antennas.push(antenna);
    return;
  }
  const total = known.reads + reads;
  if (total <= 0) return;
  const difference = meanDbm - known.meanDbm;
  known.variance =
    (known.variance * known.reads + variance * reads) / total +
    (difference * difference * known.reads * reads) / total ** 2;
  known.meanDbm += (difference * reads) / total;
  known.reads = total;
}

/** Returns a copy that counts as at most `visitsMax` visits. */
export function copySignature(signature: LocationSignature, visitsMax: number): LocationSignature {
  const factor = Math.min(1, visitsMax / Math.max(signature.visits, 1e-9));
  return {
    visits: signature.visits * factor,
    labels: signature.labels,
    entries: new Map(
      [...signature.entries].map(([antenna, entry]) => [antenna, { ...entry, reads: entry.reads * factor }]),
    ),
    antennas: [...signature.antennas],
    antennasMax: signature.antennasMax,
  };
}

/** Returns a copy without the given antennas; undefined if nothing is left of it. */
export function withoutAntennas(
  signature: LocationSignature,
  isGone: (antenna: AntennaKey) => boolean,
): LocationSignature | undefined {
  const entries = new Map([...signature.entries].filter(([antenna]) => !isGone(antenna)));
  const receptions = new Map([...(signature.receptions ?? [])].filter(([antenna]) => !isGone(antenna)));
  if (entries.size === 0 && receptions.size === 0) return undefined;
  return { ...signature, entries, antennas: [...entries.keys()], ...(receptions.size > 0 && { receptions }) };
}
