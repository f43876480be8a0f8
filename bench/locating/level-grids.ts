import { gridPoints, type OracleModel } from './oracle-model.js';

/**
 * The possible mean levels of each channel of each location. All grids are parts of one grid over all levels, so two
 * hypotheses that have learned the same level explain further reads equally well, and what they knew in advance decides.
 */
export type LevelGrids = {
  channelsMax: number;
  /** By location and channel: level of the first point. */
  firstDbm: Float64Array;
  /** By location, channel and point: probability when a visit begins. */
  priors: Float64Array;
  /** By location, channel and point: probability that a poll yields no read. */
  misses: Float64Array;
  /** By location, channel and point before a change of level: probabilities of the points after it. Empty without changes. */
  changes: Float64Array;
};

/** Smallest probability of a level: it keeps numbers out of the range that processors handle slowly. */
export const levelMin = 1e-9;

/**
 * Creates the grids of one asset.
 *
 * @param tagLossDb mounting loss of each of its tags
 */
export function createLevelGrids(model: OracleModel, tagLossDb: readonly number[]): LevelGrids {
  const { reach, gridDb, spreadDb, changeCorrelation } = model;
  const tags = tagLossDb.length;
  const channelsMax = Math.max(...reach.map((antennas) => antennas.length)) * tags;
  const channels = reach.length * channelsMax;
  const grids: LevelGrids = {
    channelsMax,
    firstDbm: new Float64Array(channels),
    priors: new Float64Array(channels * gridPoints),
    misses: new Float64Array(channels * gridPoints),
    changes: new Float64Array(model.changePerMs > 0 ? channels * gridPoints * gridPoints : 0),
  };
  const changeSpreadDb = spreadDb * Math.sqrt(1 - changeCorrelation ** 2);

  function fill(at: number, meanDbm: number): void {
    const firstDbm = (Math.round(meanDbm / gridDb) - (gridPoints - 1) / 2) * gridDb;
    grids.firstDbm[at] = firstDbm;
    grids.priors.set(normalWeights(firstDbm, meanDbm, spreadDb), at * gridPoints);
    for (let point = 0; point < gridPoints; point += 1) {
      const pointDbm = firstDbm + point * gridDb;
      grids.misses[at * gridPoints + point] = model.missAt(pointDbm);
      if (grids.changes.length === 0) continue;
      const afterDbm = meanDbm + changeCorrelation * (pointDbm - meanDbm);
      grids.changes.set(normalWeights(firstDbm, afterDbm, changeSpreadDb), (at * gridPoints + point) * gridPoints);
    }
  }

  function normalWeights(firstDbm: number, meanDbm: number, deviationDb: number): Float64Array {
    const weights = Float64Array.from({ length: gridPoints }, (_, point) =>
      Math.exp(-0.5 * ((firstDbm + point * gridDb - meanDbm) / deviationDb) ** 2),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.map((weight) => Math.max(levelMin, weight / sum));
  }

  for (const [location, antennas] of reach.entries()) {
    for (const [slot, antenna] of antennas.entries()) {
      for (const [tagIndex, lossDb] of tagLossDb.entries()) {
        fill(location * channelsMax + slot * tags + tagIndex, (model.patternDbm[location]?.[antenna] ?? 0) - lossDb);
      }
    }
  }
  return grids;
}
