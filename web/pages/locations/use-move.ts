import { useCallback } from 'react';
import { useServer } from '../../api/use-server.js';

/** Moves a location below another, or to the top. Only the service knows whether the move would create a cycle. */
export function useMove(): (locationId: number, parentId: number | null) => Promise<void> {
  const { trpc, api, refresh } = useServer();
  return useCallback(
    async (locationId, parentId) => {
      await api.locations.update.mutate({ location_id: locationId, parent_id: parentId });
      // A move changes paths and counts of other locations, too.
      await refresh(trpc.locations);
    },
    [trpc, api, refresh],
  );
}
