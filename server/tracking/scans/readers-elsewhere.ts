/** A reader that this process has received nothing from for this long reports to another process. */
const elsewhereMs = 60_000;

/**
 * Creates the record of which readers report to another process.
 *
 * @param elapsedMs a clock that never goes back
 */
export function createReadersElsewhere(elapsedMs: () => number) {
  /** When this process last received something from each reader, within `elsewhereMs`; the longest ago first. */
  const receivedMs = new Map<number, number>();
  /** Readers that report to another process, and whose stored levels are known. */
  const loaded = new Set<number>();

  const isElsewhere = (id: number) => elapsedMs() - (receivedMs.get(id) ?? Number.NEGATIVE_INFINITY) > elsewhereMs;

  return {
    isElsewhere,

    /** Records that this process received something from readers. */
    received(readerIds: readonly number[]): void {
      const nowMs = elapsedMs();
      for (const id of readerIds) {
        receivedMs.delete(id);
        receivedMs.set(id, nowMs);
        loaded.delete(id);
      }
      for (const [id, atMs] of receivedMs) {
        if (nowMs - atMs <= elsewhereMs) break;
        receivedMs.delete(id);
      }
    },

    /** Records that the stored levels of a reader were loaded, unless this process has received something from it since. */
    markLoaded(id: number): void {
      if (isElsewhere(id)) loaded.add(id);
    },

    isLoaded: (id: number) => loaded.has(id),

    forget(id: number): void {
      receivedMs.delete(id);
      loaded.delete(id);
    },
  };
}
