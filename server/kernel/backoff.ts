/** The bounds of a backoff, in milliseconds. */
export type Backoff = { minMs: number; maxMs: number };

/**
 * Returns how long to wait after a failure, in milliseconds: twice as long after each one, up to `maxMs`, minus a
 * random part of up to a half, so that clients that failed together do not return together.
 *
 * @param failures how many failures came before this one; after none the longest pause is `minMs`
 */
export function backoffMs(failures: number, { minMs, maxMs }: Backoff): number {
  const longestMs = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30));
  return longestMs * (0.5 + Math.random() / 2);
}
