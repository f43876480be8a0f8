import { useCallback, useState } from 'react';

const storageKey = 'whereabouts-open-locations';
const keptMax = 500;

/** Returns undefined if this tab has not opened or closed anything yet. */
function kept(): ReadonlySet<number> | undefined {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    return Array.isArray(ids) ? new Set(ids.filter((id) => Number.isInteger(id))) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns which locations of the tree are open. A person who comes back to the page finds it unchanged. `isFresh` is
 * true if this tab has no such state yet.
 */
export function useOpenIds() {
  const [before] = useState(kept);
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(before ?? new Set());
  const setOpen = useCallback((id: number, isOpen: boolean) => {
    setOpenIds((before) => {
      if (before.has(id) === isOpen) return before;
      const after = new Set(before);
      if (isOpen) after.add(id);
      else after.delete(id);
      sessionStorage.setItem(storageKey, JSON.stringify([...after].slice(-keptMax)));
      return after;
    });
  }, []);
  return { openIds, setOpen, isFresh: before === undefined };
}
