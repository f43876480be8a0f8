import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';

/** Refetches everything about locations: a move changes paths and counts of others. */
export function useRefreshLocations(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries(trpc.locations.pathFilter()), [trpc, queries]);
}

/** Moves a location below another, or to the top. Only the service knows whether the move would create a cycle. */
export function useMove(): (locationId: number, parentId: number | null) => Promise<void> {
  const api = useTRPCClient();
  const refresh = useRefreshLocations();
  return useCallback(
    async (locationId, parentId) => {
      await api.locations.update.mutate({ location_id: locationId, parent_id: parentId });
      await refresh();
    },
    [api, refresh],
  );
}
