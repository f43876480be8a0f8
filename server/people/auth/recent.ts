import { LRUCache } from 'lru-cache';

/** Caches rows that may be slightly old. */
export type FreshRows<Row> = {
  /** Returns the row as it was at most `ageMsMax` before this call began; concurrent callers share one read. */
  get(key: string, read: () => Promise<Row>): Promise<Row>;
  /** Makes the next caller read again, even while a read is in progress. */
  forget(key: string): void;
  forgetAll(): void;
};

/**
 * Creates a cache of rows. Age counts from before a read starts, so a slow read never counts as fresh. A failed read is
 * not kept; all callers that shared it get its error.
 *
 * @param elapsedMs a monotonic clock
 */
export function createFreshRows<Row>(options: {
  ageMsMax: number;
  entriesMax: number;
  elapsedMs: () => number;
}): FreshRows<Row> {
  const { ageMsMax, entriesMax, elapsedMs } = options;
  const rows = new LRUCache<string, { startedAt: number; row: Promise<Row> }>({ max: entriesMax });
  return {
    get(key, read) {
      const startedAt = elapsedMs();
      const known = rows.get(key);
      if (known && startedAt - known.startedAt < ageMsMax) return known.row;
      const entry = { startedAt, row: read() };
      rows.set(key, entry);
      entry.row.catch(() => {
        if (rows.peek(key) === entry) rows.delete(key);
      });
      return entry.row;
    },
    forget: (key) => void rows.delete(key),
    forgetAll: () => rows.clear(),
  };
}
