/** The bounds of growing pauses, in milliseconds. */
export type Backoff = { minMs: number; maxMs: number };

/**
 * Returns how long to pause after a failure, in milliseconds: twice as long after each one, up to `maxMs`, of which a random
 * half is taken off, so that clients that failed together do not come back together.
 *
 * @param failures how many failures came before this one; after none the longest pause is `minMs`
 */
export function backoffMs(failures: number, { minMs, maxMs }: Backoff): number {
  const longestMs = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30));
  return longestMs * (0.5 + Math.random() / 2);
}
