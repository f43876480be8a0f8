/** The bounds of a backoff, in milliseconds. */
export type Backoff = { minMs: number; maxMs: number };

/**
 * Returns how long to wait after a failure, in milliseconds. The time doubles with each failure, up to `maxMs`. A
 * random part of up to a half is subtracted, so that clients that failed together do not return together.
 *
 * @param failures how many failures came before this one; without earlier failures the pause is at most `minMs`
 */
export function backoffMs(failures: number, { minMs, maxMs }: Backoff): number {
  const longestMs = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30));
  return longestMs * (0.5 + Math.random() / 2);
}
