import { type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LivePosition } from '../../live/hub.js';
import { useLivePositions } from '../../live/provider.js';

const everyMs = 1000;
/** Slow queries are reloaded less often, so that they take at most a tenth of the time. */
const restFactor = 10;

type IsConcerned = (positions: readonly LivePosition[], moved: readonly LivePosition[]) => boolean;

const hasMoved: IsConcerned = (_positions, moved) => moved.length > 0;

/**
 * Requests queries again when assets have moved, or when `isConcerned` returns true for changed positions: at once,
 * then at most once a second, and less often the longer the answer takes. The old answer is shown until the new one is
 * there.
 */
export function useLiveRefresh(filter: QueryFilters, isConcerned: IsConcerned = hasMoved): void {
  const queries = useQueryClient();
  const [refresher] = useState(createRefresher);
  useEffect(() => refresher.stop, [refresher]);
  const refresh = () => refresher.refresh(() => queries.invalidateQueries(filter));
  useLivePositions((positions, moved) => {
    if (isConcerned(positions, moved)) refresh();
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
