import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '../api/trpc.js';
import { useLiveMoves } from '../live/provider.js';
import { useLiveRefresh } from '../pages/locations/use-live-refresh.js';
import type { MoveSource } from './plan-canvas.js';
import type { Plan, PlanCounts, PlanReader } from './plan-drawing.js';

/** Interval of reloads, since no change of a position shows that a reader has become silent. */
const refreshMs = 20_000;

/** The state that a plan shows in addition to its shapes, now or at an instant. */
export type PlanScene = {
  counts: PlanCounts | undefined;
  /** Assets that belong to the locations and are known to be elsewhere; undefined in the past. */
  away?: PlanCounts | undefined;
  /** Assets in the whole location. */
  total: number | undefined;
  readers: readonly PlanReader[];
  moves: MoveSource;
  error: unknown;
};

const noReaders: readonly PlanReader[] = [];

/** Returns the present state of a plan, kept up to date; for one kind of assets if requested. */
export function useLiveScene(plan: Plan, kindId: number | null = null): PlanScene {
  const trpc = useTRPC();
  const input = { location_id: plan.location_id, ...(kindId === null ? {} : { kind_id: kindId }) };
  const state = useQuery({ ...trpc.floorPlans.state.queryOptions(input), refetchInterval: refreshMs });
  useLiveRefresh(trpc.floorPlans.state.queryFilter(input));
  const { data } = state;
  const counts = useMemo(() => data && new Map(data.counts.map((row) => [row.location_id, row.assets_below])), [data]);
  const away = useMemo(() => data && new Map(data.counts.map((row) => [row.location_id, row.assets_away])), [data]);
  const liveMoves = useLiveMoves();
  const moves = useMemo<MoveSource>(
    () => (show) =>
      liveMoves((moved) =>
        show(
          moved
            .filter((move) => kindId === null || move.kind_id === kindId)
            .map((move) => ({
              assetName: move.asset_name,
              color: move.kind_color,
              fromLocationId: move.from_location_id,
              toLocationId: move.location_id,
            })),
        ),
      ),
    [liveMoves, kindId],
  );
  return {
    counts,
    away,
    total: counts?.get(plan.location_id),
    readers: data?.readers ?? noReaders,
    moves,
    error: state.error,
  };
}
