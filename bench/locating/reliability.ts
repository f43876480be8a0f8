/** Positions that were shown with a confidence within one range. */
export type ReliabilityBin = {
  /** How many positions were looked at; a weight where sources of different size are added. */
  count: number;
  /** Sums of their confidences and of those that were right. */
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

/** Adds bins of several runs. With `isEven`, each counts as much as another one, however many positions it has. */
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
 * Returns the expected calibration error: by how much the confidence of a range differs from the share that was right, on
 * average over all positions; NaN without positions.
 */
export function calibrationError(bins: readonly ReliabilityBin[]): number {
  const positions = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { confidence, right }) => sum + Math.abs(confidence - right), 0) / positions;
}
