/** How often it is noted that a reader sends something. */
const noteEveryMs = 1000;
/** Entries that are older say nothing; they are looked for when there are so many. */
const entriesMax = 1000;

/** What this process has noted of readers lately, so that a batch need not ask the database whether a second has passed. */
export type Heartbeats = {
  isDue(readerId: number, atMs: number): boolean;
  /** Remembers what has been committed. */
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
