import { useCallback, useState } from 'react';

const storageKey = 'whereabouts-open-locations';
const keptMax = 500;

function kept(): ReadonlySet<number> {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => Number.isInteger(id)) : []);
  } catch {
    return new Set();
  }
}

/** Which locations of the tree are open; whoever comes back to the page finds it as it was. */
export function useOpenIds() {
  const [openIds, setOpenIds] = useState(kept);
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
  return { openIds, setOpen };
}
