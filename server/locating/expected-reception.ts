import {
  audibleWeight,
  leakDb,
  leakSdDb,
  levelUnknownDbm,
  levelUnknownSdDb,
  otherAudibleShare,
  ownAudibleShare,
  pseudoOwnDbm,
  transit,
  transitDb,
  transitLevelReads,
  transitLevelsUnknown,
  transitRiseMaxDb,
  transitSdDb,
  transitSdMinDb,
  visitSdDb,
} from './constants.js';
import { audibleInTransit } from './transit-signature.js';
import type { AntennaKey, LocationId, Observation, Reception, SignatureEntry, Surroundings } from './types.js';

/** The known reception of antennas at locations. */
export type SignalModel = Pick<Surroundings, 'level' | 'signature' | 'site' | 'locationsOf'>;

/** Returns what an antenna is expected to receive at a location: by all visits to the site, or by its own ones alone. */
export function receptionOf(observation: Observation, location: LocationId, model: SignalModel): Reception {
  if (location === transit) return receptionInTransit(observation, undefined, model);
  const site = model.site?.(location);
  const estimated = site?.receptions?.get(observation.antenna);
  if (estimated !== undefined) return estimated;
  const entry = model.signature(location, observation.antenna);
  const isOwn = observation.location === location;
  const audible = audibleShare(isOwn, entry, site?.visits ?? 0);
  return isOwn
    ? { audible, ...ownLevel(observation, entry, model) }
    : { audible, ...otherLevel(observation, entry, model) };
}

/**
 * Returns what an antenna is expected to receive of an asset in transit: as weakly as one of another location, until it was
 * learned how often and how strongly it does.
 *
 * @param mostRead the antenna that has read the asset most; undefined if that does not matter
 */
export function receptionInTransit(
  observation: Observation,
  mostRead: AntennaKey | undefined,
  model: SignalModel,
): Reception {
  const own = receptionOf(observation, observation.location, model);
  const level = model.level(observation.antenna);
  const ownDbm = level !== undefined && level.reads >= transitLevelReads ? level.meanDbm : own.meanDbm;
  const expectedDbm = ownDbm - transitDb;
  const known = model.site?.(observation.location)?.transit;
  const entry = known?.entries.get(observation.antenna);
  const reads = entry?.reads ?? 0;
  const weight = reads / (reads + transitLevelsUnknown);
  const riseDb = weight * ((entry?.meanDbm ?? expectedDbm) - expectedDbm);
  const learnedVariance = Math.max(transitSdMinDb * transitSdMinDb, entry?.variance ?? 0);
  return {
    audible: audibleInTransit(observation.antenna, mostRead, known),
    meanDbm: expectedDbm + Math.min(transitRiseMaxDb, riseDb),
    variance: (1 - weight) * transitSdDb * transitSdDb + weight * learnedVariance + own.variance - visitVariance,
  };
}

/** Returns the share of visits during which an antenna of another location reads the asset, by these visits alone. */
export function audibleShareElsewhere(antenna: AntennaKey, location: LocationId, model: SignalModel): number {
  return audibleShare(false, model.signature(location, antenna), model.site?.(location)?.visits ?? 0);
}

function audibleShare(isOwn: boolean, entry: SignatureEntry | undefined, visits: number): number {
  const expected = isOwn ? ownAudibleShare : otherAudibleShare;
  const reads = entry?.reads ?? 0;
  return (reads + audibleWeight * expected) / (Math.max(visits, reads) + audibleWeight);
}

type ExpectedLevel = { meanDbm: number; variance: number };

const visitVariance = visitSdDb * visitSdDb;

/** How many visits the usual level of an antenna counts as. */
const ownWeight = visitVariance / levelUnknownSdDb ** 2;

function ownLevel(
  { antenna, hasRssi }: Observation,
  own: SignatureEntry | undefined,
  model: SignalModel,
): ExpectedLevel {
  const visits = own?.reads ?? 0;
  const level = model.level(antenna);
  const unknownDbm = hasRssi ? levelUnknownDbm : pseudoOwnDbm;
  const usualDbm = level === undefined || level.reads === 0 ? unknownDbm : level.meanDbm;
  return {
    meanDbm: ((own?.meanDbm ?? 0) * visits + usualDbm * ownWeight) / (visits + ownWeight),
    variance: visitVariance * (1 + 1 / (visits + ownWeight)),
  };
}

function otherLevel(observation: Observation, entry: SignatureEntry | undefined, model: SignalModel): ExpectedLevel {
  const own = ownLevel(observation, model.signature(observation.location, observation.antenna), model);
  // The typical values count like some more visits.
  const weight = visitVariance / (leakSdDb ** 2 + own.variance - visitVariance);
  const visits = entry?.reads ?? 0;
  return {
    meanDbm: ((entry?.meanDbm ?? 0) * visits + (own.meanDbm - leakDb) * weight) / (visits + weight),
    variance: visitVariance * (1 + 1 / (visits + weight)),
  };
}
