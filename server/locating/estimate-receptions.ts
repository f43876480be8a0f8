import {
  audibleWeight,
  leakDb,
  leakSdDb,
  oppositeVisitsMax,
  pairReadsMin,
  levelUnknownDbm,
  otherAudibleShare,
  ownAudibleShare,
  pseudoOwnDbm,
  receptionReadsMin,
  reverseLeakSdDb,
  signaturesPerLocationMax,
  spreadMinDb,
  spreadSamples,
  usualLevelWeight,
  gainSdDb,
  visitSdDb,
} from './constants.js';
import { type SignatureTable, signatureOf } from './signature-table.js';
import type { AntennaKey, LocationId, SiteReception } from './types.js';

/** The location of an antenna, and whether it reports RSSI. */
export type Home = { location: LocationId; hasRssi: boolean };

/** A mean with the number of visits that it is worth. */
type Estimate = { mean: number; visits: number };

type Site = {
  table: SignatureTable;
  homes: ReadonlyMap<AntennaKey, Home>;
  /** The antennas of each location. */
  antennasAt: ReadonlyMap<LocationId, readonly AntennaKey[]>;
  /** Locations other than its own at which an antenna has read assets. */
  heardAt: ReadonlyMap<AntennaKey, readonly LocationId[]>;
  /** The level of each antenna at its own location. */
  own: Map<AntennaKey, Estimate>;
  /** How much weaker antennas receive assets at other locations, and the variance of that. */
  leak: Distribution;
};

const visitVariance = visitSdDb * visitSdDb;

/**
 * Estimates what each antenna receives at each location, and stores it in the signatures. Where a location had few visits,
 * what is known of the others completes them: antennas of a site have similar levels, an antenna of A receives B about as
 * strongly as one of B receives A, and the levels of an antenna at all locations show its gain. That holds for antennas
 * that cover their locations alone: where several share one, or a location that theirs overlap, visits alone count.
 *
 * @param table what visits have shown; locations of antennas that no visit was assigned to are added
 * @param homes antennas and their locations, as far as they are known since the start
 */
export function estimateReceptions(table: SignatureTable, homes: ReadonlyMap<AntennaKey, Home>): void {
  const antennasAt = new Map<LocationId, AntennaKey[]>();
  for (const [antenna, { location }] of homes) {
    const antennas = antennasAt.get(location);
    if (antennas === undefined) antennasAt.set(location, [antenna]);
    else if (antennas.length < signaturesPerLocationMax) antennas.push(antenna);
    signatureOf(table, location);
  }
  const own = new Map([...estimateOwn(table, homes, false), ...estimateOwn(table, homes, true)]);
  const site: Site = {
    table,
    homes,
    antennasAt,
    heardAt: heardIn(table),
    own,
    leak: estimateLeak({ table, homes, own }),
  };
  estimateGains(site);
  for (const [location, signature] of table) {
    const antennas = antennasNear(location, site);
    if (isOneEach(antennas, site)) signature.receptions = receptionsAt(location, antennas, site);
  }
}

function heardIn(table: SignatureTable): Map<AntennaKey, LocationId[]> {
  const heardAt = new Map<AntennaKey, LocationId[]>();
  for (const [location, { entries }] of table) {
    for (const [antenna, { reads }] of entries) {
      if (reads < pairReadsMin) continue;
      const locations = heardAt.get(antenna);
      if (locations === undefined) heardAt.set(antenna, [location]);
      else locations.push(location);
    }
  }
  return heardAt;
}

/** Estimates the level of each antenna at its own location from the visits there and the levels of the others. */
function estimateOwn(
  table: SignatureTable,
  homes: ReadonlyMap<AntennaKey, Home>,
  withRssi: boolean,
): Map<AntennaKey, Estimate> {
  const antennas: [AntennaKey, Estimate][] = [];
  const samples: Sample[] = [];
  for (const [antenna, { location, hasRssi }] of homes) {
    if (hasRssi !== withRssi) continue;
    const entry = table.get(location)?.entries.get(antenna);
    const visits = entry?.reads ?? 0;
    const mean = entry?.meanDbm ?? 0;
    antennas.push([antenna, { mean, visits }]);
    if (visits >= receptionReadsMin) samples.push({ value: mean, noise: visitVariance / visits });
  }
  const mean = withRssi ? levelUnknownDbm : pseudoOwnDbm;
  const { mean: usualDbm, variance } = distributionOf(samples, { mean, weight: usualLevelWeight, sd: gainSdDb });
  const usual = { mean: usualDbm, visits: visitVariance / variance };
  return new Map(antennas.map(([antenna, estimate]) => [antenna, combined(estimate, usual)]));
}

/** Estimates the mean and the variance of leaks from all pairs of a location and an antenna of another one. */
function estimateLeak({ table, homes, own }: Pick<Site, 'table' | 'homes' | 'own'>): Distribution {
  const samples: Sample[] = [];
  for (const [location, { entries }] of table) {
    for (const [antenna, { reads, meanDbm }] of entries) {
      const level = own.get(antenna);
      if (level === undefined || homes.get(antenna)?.location === location || reads < pairReadsMin) continue;
      samples.push({ value: level.mean - meanDbm, noise: visitVariance / reads + visitVariance / level.visits });
    }
  }
  return distributionOf(samples, { mean: leakDb, weight: spreadSamples, sd: leakSdDb });
}

/** A measured value, and the variance of its error. */
type Sample = { value: number; noise: number };

type Distribution = { mean: number; variance: number };

/**
 * Estimates from which normal distribution values come.
 *
 * @param prior what is typical, and how many values its mean counts as
 */
function distributionOf(samples: readonly Sample[], prior: { mean: number; weight: number; sd: number }): Distribution {
  let { mean } = prior;
  let variance = prior.sd * prior.sd;
  for (let round = 0; round < 3; round += 1) {
    let weights = prior.weight / variance;
    let sum = weights * prior.mean;
    let squares = spreadSamples * prior.sd * prior.sd;
    let count = spreadSamples;
    for (const { value, noise } of samples) {
      const weight = 1 / (variance + noise);
      weights += weight;
      sum += weight * value;
      count += variance * weight;
      squares += variance * weight * ((value - mean) ** 2 - noise);
    }
    mean = sum / weights;
    variance = Math.max(spreadMinDb * spreadMinDb, squares / count);
  }
  return { mean, variance };
}

/** Estimates the leak from a location to an antenna elsewhere by the opposite direction. */
function leakTo(location: LocationId, antenna: AntennaKey, site: Site): Distribution {
  const { table, homes, antennasAt, own, leak } = site;
  let precision = 1 / leak.variance;
  let sum = precision * leak.mean;
  const entries = table.get(homes.get(antenna)?.location ?? 0)?.entries;
  for (const opposite of antennasAt.get(location) ?? []) {
    const entry = entries?.get(opposite);
    const level = own.get(opposite);
    if (entry === undefined || level === undefined || entry.reads < receptionReadsMin) continue;
    const weight = 1 / (visitVariance / entry.reads + visitVariance / level.visits + reverseLeakSdDb ** 2);
    precision += weight;
    sum += weight * (level.mean - entry.meanDbm);
  }
  return { mean: sum / precision, variance: 1 / precision };
}

/** Improves the levels at own locations by the levels at others: an antenna with a higher gain receives all of them better. */
function estimateGains(site: Site): void {
  const { table, homes, own } = site;
  const others = new Map<AntennaKey, Estimate>();
  for (const [location, { entries }] of table) {
    for (const [antenna, { reads, meanDbm }] of entries) {
      if (homes.get(antenna)?.location === location || reads < receptionReadsMin) continue;
      const leak = leakTo(location, antenna, site);
      const visits = visitVariance / (visitVariance / reads + leak.variance);
      const estimate = { mean: meanDbm + leak.mean, visits };
      const known = others.get(antenna);
      others.set(antenna, known === undefined ? estimate : combined(known, estimate));
    }
  }
  for (const [antenna, estimate] of others) {
    const known = own.get(antenna);
    if (known !== undefined) own.set(antenna, combined(known, estimate));
  }
}

/** Whether each of these antennas is the only one of its location. */
function isOneEach(antennas: ReadonlySet<AntennaKey>, { homes, antennasAt }: Site): boolean {
  for (const antenna of antennas) {
    const home = homes.get(antenna);
    if (home !== undefined && (antennasAt.get(home.location)?.length ?? 0) > 1) return false;
  }
  return true;
}

function receptionsAt(
  location: LocationId,
  antennas: ReadonlySet<AntennaKey>,
  site: Site,
): Map<AntennaKey, SiteReception> {
  const { table, homes, own } = site;
  const signature = signatureOf(table, location);
  const receptions = new Map<AntennaKey, SiteReception>();
  for (const antenna of antennas) {
    const home = homes.get(antenna);
    const isOwn = home?.location === location;
    const level = own.get(antenna);
    const entry = signature.entries.get(antenna);
    const seen: Estimate = { mean: entry?.meanDbm ?? 0, visits: entry?.reads ?? 0 };
    let expected: Estimate = { mean: seen.mean, visits: receptionReadsMin };
    let share: Estimate = { mean: otherAudibleShare, visits: audibleWeight };
    if (isOwn) {
      expected = level ?? expected;
      // The level contains the visits there.
      seen.visits = level === undefined ? seen.visits : 0;
      share = { mean: ownAudibleShare, visits: audibleWeight };
    } else if (home !== undefined && level !== undefined) {
      const leak = leakTo(location, antenna, site);
      const visits = visitVariance / (leak.variance + visitVariance / level.visits);
      expected = { mean: level.mean - leak.mean, visits };
      share = audibleBefore(location, home.location, site);
    }
    const estimate = combined(seen, expected);
    const reads = entry?.reads ?? 0;
    const audible = (reads + share.visits * share.mean) / (Math.max(signature.visits, reads) + share.visits);
    const variance = visitVariance * (1 + 1 / estimate.visits);
    receptions.set(antenna, { isOwn, audible, meanDbm: estimate.mean, variance });
  }
  return receptions;
}

/**
 * Returns the antennas that have read assets at a location, its own antennas, and the antennas of locations that its own
 * antennas receive.
 */
function antennasNear(location: LocationId, { table, antennasAt, heardAt }: Site): Set<AntennaKey> {
  const antennas = new Set(signatureOf(table, location).antennas);
  const own = antennasAt.get(location) ?? [];
  for (const antenna of own) antennas.add(antenna);
  for (const antenna of own) {
    for (const other of heardAt.get(antenna) ?? []) {
      for (const opposite of antennasAt.get(other) ?? []) {
        if (antennas.size >= 2 * signaturesPerLocationMax) return antennas;
        antennas.add(opposite);
      }
    }
  }
  return antennas;
}

/** Returns the expected share of visits in which an antenna of another location reads an asset: like the opposite direction. */
function audibleBefore(location: LocationId, other: LocationId, { table, antennasAt }: Site): Estimate {
  const opposite = table.get(other);
  const antennas = antennasAt.get(location) ?? [];
  if (opposite === undefined || antennas.length === 0) return { mean: otherAudibleShare, visits: audibleWeight };
  let reads = 0;
  for (const antenna of antennas) reads = Math.max(reads, opposite.entries.get(antenna)?.reads ?? 0);
  const visits = Math.max(opposite.visits, reads);
  return {
    mean: (reads + audibleWeight * otherAudibleShare) / (visits + audibleWeight),
    visits: audibleWeight + Math.min(oppositeVisitsMax, visits),
  };
}

function combined(one: Estimate, other: Estimate): Estimate {
  const visits = one.visits + other.visits;
  return { mean: (one.mean * one.visits + other.mean * other.visits) / visits, visits };
}
