import { useEffect, useRef, useState } from 'react';
import { useLivePositions } from '../../live/provider.js';

/** As long as the table shows a row as fresh. */
const freshMs = 1700;

/** The rows of assets that came to another location just now. The rows themselves are changed by the live connection. */
export function useFreshRows(rows: readonly { id: number }[] | undefined): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);
  useLivePositions((_, moved) => {
    const shown = new Set(rows?.map(({ id }) => id));
    const ids = moved.flatMap(({ asset_id: id }) => (shown.has(id) ? [String(id)] : []));
    if (ids.length === 0) return;
    setFresh((before) => new Set([...before, ...ids]));
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setFresh((before) => new Set([...before].filter((id) => !ids.includes(id))));
    }, freshMs);
    timers.current.add(timer);
  });
  return fresh;
}
