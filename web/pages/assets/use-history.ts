import { useQuery } from '@tanstack/react-query';
import { type Api, type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import type { DayRange } from './history-search.js';

export type Visit = Outputs['assets']['visits']['data'][number];

/** Visits of one range, newest first; `isWhole` is false if there are more visits than are loaded. */
export type VisitHistory = { visits: readonly Visit[]; isWhole: boolean };

/** The most visits that are loaded for one range: the visits of a day of an asset that moves every half minute. */
export const visitsMax = 3000;

const pageSize = 100;

/** Loads the visits of an asset that overlap a range of days. Live moves load them again. */
export function useHistory(assetId: number, range: DayRange) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const input = {
    asset_id: assetId,
    from: new Date(range.startMs).toISOString(),
    to: new Date(range.endMs).toISOString(),
  };
  return useQuery({
    queryKey: [...trpc.assets.visits.queryKey(input), 'all'],
    queryFn: ({ signal }) => loadVisits(api, input, signal),
    placeholderData: (before) => before,
  });
}

type Range = { asset_id: number; from: string; to: string };

async function loadVisits(api: Api, range: Range, signal: AbortSignal): Promise<VisitHistory> {
  const visits: Visit[] = [];
  let before: string | null | undefined;
  while (before !== null && visits.length < visitsMax) {
    const page: Outputs['assets']['visits'] = await api.assets.visits.query(
      { ...range, limit: pageSize, ...(before === undefined ? {} : { before }) },
      { signal },
    );
    visits.push(...page.data);
    before = page.next_before;
  }
  return { visits, isWhole: before === null };
}
