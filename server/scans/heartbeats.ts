/** How often the heartbeat of a reader is stored. */
const noteEveryMs = 1000;
/** Expired entries are removed when the map has this many. */
const entriesMax = 1000;

/**
 * The heartbeats that this process has stored recently, so that a batch need not ask the database whether a second has
 * passed.
 */
export type Heartbeats = {
  isDue(readerId: number, atMs: number): boolean;
  /** Remembers heartbeats that have been committed. */
  noted(heartbeats: readonly { readerId: number; atMs: number }[]): void;
};

export function createHeartbeats(): Heartbeats {
  const notedMs = new Map<number, number>();

  function forgetBefore(limitMs: number): void {
    for (const [readerId, atMs] of notedMs) if (atMs <= limitMs) notedMs.delete(readerId);
  }

  return {
    isDue: (readerId, atMs) => Math.abs(atMs - (notedMs.get(readerId) ?? Number.NEGATIVE_INFINITY)) > noteEveryMs,
    noted(heartbeats) {
      for (const { readerId, atMs } of heartbeats) notedMs.set(readerId, atMs);
      if (notedMs.size > entriesMax) forgetBefore(Math.max(...heartbeats.map(({ atMs }) => atMs)) - noteEveryMs);
    },
  };
}
