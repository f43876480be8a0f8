/** A map that keeps the entries used last and drops the one unused for longest when it is full. */
export type Recent<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /** Drops the entry if it still holds this value. */
  drop(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
};

export function createRecent<Value>(entriesMax: number): Recent<Value> {
  // A Map iterates in the order of insertion; an entry that is used moves to the end.
  const entries = new Map<string, Value>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= entriesMax) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
    drop(key, value) {
      if (entries.get(key) === value) entries.delete(key);
    },
    delete(key) {
      entries.delete(key);
    },
    clear() {
      entries.clear();
    },
  };
}

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
  const rows = createRecent<{ startedAt: number; row: Promise<Row> }>(entriesMax);
  return {
    get(key, read) {
      const startedAt = elapsedMs();
      const known = rows.get(key);
      if (known && startedAt - known.startedAt < ageMsMax) return known.row;
      const entry = { startedAt, row: read() };
      rows.set(key, entry);
      entry.row.catch(() => rows.drop(key, entry));
      return entry.row;
    },
    forget: (key) => rows.delete(key),
    forgetAll: () => rows.clear(),
  };
}
