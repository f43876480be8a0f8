import { type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLivePositions } from '../../live/provider.js';

const everyMs = 1000;
/** What takes long to answer is asked for seldom: a tenth of the time at most is spent on it. */
const restFactor = 10;

/**
 * Asks anew for what counts or lists assets, when some have moved: at once, then at most once a second, and less often the
 * longer the answer takes. What is shown stays until the answer is there.
 */
export function useLiveRefresh(filter: QueryFilters): void {
  const queries = useQueryClient();
  const [refresher] = useState(createRefresher);
  useEffect(() => refresher.stop, [refresher]);
  const refresh = () => refresher.refresh(() => queries.invalidateQueries(filter));
  useLivePositions((_positions, moved) => {
    if (moved.length > 0) refresh();
  }, refresh);
}

function createRefresher() {
  let isDue = false;
  let isBusy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(ask: () => Promise<unknown>): Promise<void> {
    isBusy = true;
    isDue = false;
    const startedAt = performance.now();
    await ask().catch(() => {});
    const restMs = Math.max(everyMs, (performance.now() - startedAt) * restFactor);
    timer = setTimeout(() => {
      isBusy = false;
      if (isDue) void run(ask);
    }, restMs);
  }

  return {
    refresh(ask: () => Promise<unknown>) {
      isDue = true;
      if (!isBusy) void run(ask);
    },
    stop() {
      clearTimeout(timer);
      isBusy = false;
    },
  };
}
