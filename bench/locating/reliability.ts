/** Positions that were shown with a confidence within one range. */
export type ReliabilityBin = {
  /** How many positions were sampled; a weight if sources of different size are added. */
  count: number;
  /** The sum of their confidences, and the number of right positions. */
  confidence: number;
  right: number;
};

/** Upper bounds of the ranges of confidence. */
export const reliabilityBounds = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1];

/** Creates bins without positions. */
export function emptyReliability(): ReliabilityBin[] {
  return reliabilityBounds.map(() => ({ count: 0, confidence: 0, right: 0 }));
}

/** Adds a position that was shown with a confidence between 0 and 1. */
export function addPosition(bins: readonly ReliabilityBin[], confidence: number, isRight: boolean): void {
  const bin = bins[reliabilityBounds.findIndex((bound) => confidence <= bound)] ?? bins.at(-1);
  if (!bin) return;
  bin.count += 1;
  bin.confidence += confidence;
  bin.right += isRight ? 1 : 0;
}

/** Adds bins of several runs. With `isEven`, all runs have the same weight, however many positions they have. */
export function sumReliability(all: readonly (readonly ReliabilityBin[])[], isEven = false): ReliabilityBin[] {
  const total = emptyReliability();
  for (const bins of all) {
    const positions = bins.reduce((sum, { count }) => sum + count, 0);
    const weight = isEven && positions > 0 ? 1 / positions : 1;
    for (const [i, bin] of bins.entries()) {
      const sum = total[i];
      if (!sum) continue;
      sum.count += weight * bin.count;
      sum.confidence += weight * bin.confidence;
      sum.right += weight * bin.right;
    }
  }
  return total;
}

/**
 * Returns the expected calibration error: the difference between the confidence of a range and its share of right
 * positions, on average over all positions; NaN without positions.
 */
export function calibrationError(bins: readonly ReliabilityBin[]): number {
  const positions = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { confidence, right }) => sum + Math.abs(confidence - right), 0) / positions;
}
