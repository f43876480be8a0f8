import { LRUCache } from 'lru-cache';

/** Rows that may be a little old. */
export type FreshRows<Row> = {
  /** The row as it stood at most `ageMsMax` before this call began; all who ask meanwhile share one read. */
  get(key: string, read: () => Promise<Row>): Promise<Row>;
  /** The next caller reads anew, even while a read is under way. */
  forget(key: string): void;
  forgetAll(): void;
};

/**
 * Age counts from before a read starts, so a slow read is never taken for a fresh one. A read that fails is forgotten;
 * everyone who shared it gets its error.
 *
 * @param elapsedMs a clock that never runs backwards
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
