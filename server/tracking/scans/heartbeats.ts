/** How often the heartbeat of a reader is stored. */
const storeEveryMs = 1000;
/** Expired entries are removed when the map has this many. */
const entriesMax = 1000;

/**
 * The heartbeats that this process has stored recently, so that a batch need not ask the database whether a second has
 * passed.
 */
export type Heartbeats = {
  isDue(readerId: number, atMs: number): boolean;
  /** Remembers heartbeats that have been committed. */
  stored(heartbeats: readonly { readerId: number; atMs: number }[]): void;
};

export function createHeartbeats(): Heartbeats {
  const storedMs = new Map<number, number>();

  function forgetBefore(limitMs: number): void {
    for (const [readerId, atMs] of storedMs) if (atMs <= limitMs) storedMs.delete(readerId);
  }

  return {
    isDue: (readerId, atMs) => Math.abs(atMs - (storedMs.get(readerId) ?? Number.NEGATIVE_INFINITY)) > storeEveryMs,
    stored(heartbeats) {
      for (const { readerId, atMs } of heartbeats) storedMs.set(readerId, atMs);
      if (storedMs.size > entriesMax) forgetBefore(Math.max(...heartbeats.map(({ atMs }) => atMs)) - storeEveryMs);
    },
  };
}
