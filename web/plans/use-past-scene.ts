import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '../api/trpc.js';
import { instantText } from '../time/instant.js';
import { useReplayedMoves } from '../time/use-replayed-moves.js';
import { askedInstant, type TimeTravel } from '../time/use-time-travel.js';
import type { MoveSource } from './plan-canvas.js';
import type { Plan, PlanCounts } from './plan-drawing.js';
import type { PlanScene } from './use-plan.js';

/**
 * Returns the state of a plan at the instant of `travel`, with moves while a replay runs; undefined for the present.
 */
export function usePastScene(plan: Plan, travel: TimeTravel): PlanScene | undefined {
  const trpc = useTRPC();
  const { at } = travel;
  const askedAt = askedInstant(travel) ?? 0;
  const found = useQuery(
    trpc.visits.counts.queryOptions(
      { location_id: plan.location_id, at: instantText(askedAt) },
      { enabled: at !== null, staleTime: Infinity, placeholderData: keepPreviousData },
    ),
  );
  const replayed = useReplayedMoves(travel, plan.location_id);
  const moves = useMemo<MoveSource>(
    () => (show) =>
      replayed((passed) =>
        show(
          passed.map(({ asset, from, to }) => ({
            assetName: asset.name,
            fromLocationId: from?.id ?? null,
            toLocationId: to?.id ?? null,
          })),
        ),
      ),
    [replayed],
  );
  const { data } = found;
  const counts = useMemo(() => data && countsOf(plan, data.data), [plan, data]);
  if (at === null) return undefined;
  return { counts, total: counts?.get(plan.location_id), readers: [], moves, error: found.error };
}

/** A location without assets is not among the counts of an instant. */
function countsOf(plan: Plan, rows: readonly { location_id: number; assets_below: number }[]): PlanCounts {
  return new Map([
    [plan.location_id, 0] as const,
    ...plan.shapes.flatMap(({ location_id: id }) => (id ? [[id, 0] as const] : [])),
    ...rows.map((row) => [row.location_id, row.assets_below] as const),
  ]);
}
