/** Neighboring bounds differ by this share, which is also the maximum error of a percentile. */
const growth = 1.02;
const smallestMs = 0.01;
const bucketCount = 1000;

/** Durations counted in buckets, in memory that does not grow with their number. */
export type Histogram = {
  add(ms: number): void;
  readonly maxMs: () => number;
  /** Returns the bound below which this share of all durations is; 0 if there are none. */
  percentile(share: number): number;
};

/** Creates a histogram exact to two percent, from 0.01 ms to an hour. */
export function createHistogram(): Histogram {
  const buckets = new Float64Array(bucketCount);
  const scale = 1 / Math.log(growth);
  let count = 0;
  let maxMs = 0;
  return {
    add(ms) {
      const bucket = ms <= smallestMs ? 0 : Math.ceil(Math.log(ms / smallestMs) * scale);
      const index = Math.min(bucket, bucketCount - 1);
      buckets[index] = (buckets[index] ?? 0) + 1;
      count += 1;
      if (ms > maxMs) maxMs = ms;
    },
    maxMs: () => maxMs,
    percentile(share) {
      const wanted = Math.max(1, Math.ceil(count * share));
      let seen = 0;
      for (let index = 0; index < bucketCount; index += 1) {
        seen += buckets[index] ?? 0;
        if (count > 0 && seen >= wanted) return Math.min(maxMs, smallestMs * growth ** index);
      }
      return 0;
    },
  };
}
