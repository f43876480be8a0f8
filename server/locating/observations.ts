import {
  flickerUnknownDb,
  gapUnknownMs,
  independentMs,
  pseudoLevelDbm,
  pseudoLevelSlopeDb,
  pseudoShareMax,
  pseudoShareMin,
} from './constants.js';
import { logChanceOfReads } from './read-counts.js';
import type { AntennaKey, AssetState, Observation, Tally, Surroundings, VisitPattern } from './types.js';

/** The reads of a visit since it began, or the reads of the open change. */
export type Part = 'visit' | 'change';

/**
 * Returns what each antenna has observed.
 *
 * @param sinceMs readers that have reported nothing since then may be offline
 */
export function observe(
  tallies: readonly Tally[],
  { part, sinceMs }: { part: Part; sinceMs: number },
  surroundings: Surroundings,
): Observation[] {
  const observations: Observation[] = [];
  for (const tally of tallies) {
    const { antenna } = tally;
    const settings = surroundings.antenna(antenna);
    if (settings === undefined) continue;
    const learned = surroundings.level(antenna);
    const { reads, level: hundredths } = part === 'visit' ? tally : newReadsOf(tally, sinceMs, surroundings);
    const levelDbm = hundredths === null ? Number.NaN : hundredths / 100;
    const flickerDb = learned?.flickerDb ?? flickerUnknownDb;
    const observation: Observation = {
      antenna,
      location: settings.location,
      reads,
      hasRead: tally.reads + tally.newReads > 0,
      hasRssi: hasRssi(tally),
      levelDbm,
      variance: reads === 0 ? 0 : (flickerDb * flickerDb) / reads,
      opportunities: 0,
      strayChance: 0,
      isReported: reads > 0 || surroundings.reportedUntilMs(antenna) >= sinceMs,
      lastMs: tally.lastMs,
    };
    const at = observations.findIndex((other) => other.antenna === antenna);
    const other = observations[at];
    if (other === undefined) observations.push(observation);
    else observations[at] = stronger(other, observation);
  }
  for (const observation of observations) complete(observation, observations, surroundings);
  return observations;
}

/**
 * Returns the reads of an open change. Messages of two readers arrive out of order, so that an antenna may have read the
 * asset since the change began, before the change was known: the visit counts these reads.
 */
function newReadsOf(
  { antenna, reads, level, newReads, newLevel, lastMs }: Tally,
  sinceMs: number,
  surroundings: Surroundings,
): { reads: number; level: number | null } {
  if (newReads > 0 || reads === 0 || lastMs < sinceMs) return { reads: newReads, level: newLevel };
  return { reads: Math.min(reads, 1 + (lastMs - sinceMs) / gapOf(antenna, surroundings)), level };
}

/** Returns the typical time between two independent reads of an antenna. */
export function gapOf(antenna: AntennaKey, model: Pick<Surroundings, 'level'>): number {
  return Math.max(independentMs, model.level(antenna)?.gapMs ?? gapUnknownMs);
}

/** An antenna that has not read anything yet counts as one with RSSI. */
function hasRssi({ reads, newReads, level, newLevel }: Tally): boolean {
  return level !== null || newLevel !== null || reads + newReads === 0;
}

/** The share of its opportunities that an antenna uses that does not receive a location: almost none. */
const stray = { used: 0.1, missed: 5 };

function stronger(one: Observation, other: Observation): Observation {
  const lastMs = Math.max(one.lastMs, other.lastMs);
  if (one.reads === 0 || other.reads === 0) return { ...(one.reads === 0 ? other : one), lastMs };
  const isOne = Number.isNaN(one.levelDbm + other.levelDbm) ? one.reads >= other.reads : one.levelDbm >= other.levelDbm;
  return { ...(isOne ? one : other), lastMs };
}

function complete(
  observation: Observation,
  observations: readonly Observation[],
  model: Pick<Surroundings, 'level'>,
): void {
  observation.opportunities = Math.max(observation.reads, opportunitiesOf(observation.antenna, observations, model));
  observation.strayChance = Math.exp(logChanceOfReads(observation, stray));
  if (observation.reads === 0 || observation.hasRssi) return;
  const { reads, opportunities } = observation;
  const share = Math.min(pseudoShareMax, Math.max(pseudoShareMin, (pseudoShareMax * reads) / opportunities));
  observation.levelDbm = pseudoLevelDbm + pseudoLevelSlopeDb * Math.log(share / (1 - share));
  observation.variance = pseudoLevelSlopeDb ** 2 / (opportunities * share * (1 - share));
}

/**
 * Returns how many reads an antenna would have made of an asset at its own location: as many as any other has made,
 * fewer if it reads less often. The first read of an antenna says nothing about what others could have read.
 */
export function opportunitiesOf(
  antenna: AntennaKey,
  observations: readonly Observation[],
  model: Pick<Surroundings, 'level'>,
): number {
  const gapMs = gapOf(antenna, model);
  let opportunities = 0;
  for (const other of observations) {
    if (other.reads <= 1) continue;
    const otherGapMs = gapOf(other.antenna, model);
    opportunities = Math.max(opportunities, (other.reads - 1) * Math.min(1, otherGapMs / gapMs));
  }
  return opportunities;
}

/** Returns what the antennas have observed during the visit so far, for learning. */
export function patternOf(state: AssetState, surroundings: Surroundings): VisitPattern {
  return {
    key: `${state.tallies[0]?.tag ?? 0} ${state.settledMs}`,
    fromMs: state.settledMs,
    label: state.reason === 'handheld' && !state.isInTransit ? state.location : null,
    observations: observe(state.tallies, { part: 'visit', sinceMs: 0 }, surroundings),
  };
}
