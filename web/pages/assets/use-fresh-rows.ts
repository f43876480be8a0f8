import { useEffect, useState } from 'react';
import { useLivePositions } from '../../live/provider.js';
import type { FreshRows } from '../../ui/data-table.js';

/** How long the table highlights a row as fresh. */
const freshMs = 1700;

/**
 * Returns the rows of assets that came to another location just now. The rows themselves are changed by the live
 * connection.
 */
export function useFreshRows(rows: readonly { id: number }[] | undefined): FreshRows {
  const [fresh] = useState(createFreshRows);
  useEffect(() => () => fresh.stop(), [fresh]);
  useLivePositions((_, moved) => {
    const shown = new Set(rows?.map(({ id }) => id));
    fresh.add(moved.flatMap(({ asset_id: id }) => (shown.has(id) ? [String(id)] : [])));
  });
  return fresh;
}

function createFreshRows(): FreshRows & { add: (ids: readonly string[]) => void; stop: () => void } {
  const listeners = new Set<() => void>();
  /** The fresh rows, each with the timer that ends its highlight. */
  const fresh = new Map<string, ReturnType<typeof setTimeout>>();
  const notify = () => listeners.forEach((listener) => listener());

  function end(id: string): void {
    fresh.delete(id);
    notify();
  }

  return {
    has: (id) => fresh.has(id),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(ids) {
      for (const id of ids) {
        clearTimeout(fresh.get(id));
        fresh.set(id, setTimeout(end, freshMs, id));
      }
      if (ids.length > 0) notify();
    },
    stop() {
      for (const timer of fresh.values()) clearTimeout(timer);
      fresh.clear();
    },
  };
}
