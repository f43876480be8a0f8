import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC, useTRPCClient } from '../api/trpc.js';
import type { RestoreFailure } from './restore-text.js';

/** The most items that the service restores in one call. */
const restoredAtOnce = 100;

type Deleted = { assetIds?: readonly number[]; locationIds?: readonly number[] };

/** Returns a function that restores deleted items, and resolves with the items that could not be restored. */
export function useRestore(): (deleted: Deleted) => Promise<RestoreFailure[]> {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  return useCallback(
    async ({ assetIds = [], locationIds = [] }) => {
      const failures: RestoreFailure[] = [];
      const length = Math.max(assetIds.length, locationIds.length);
      try {
        for (let at = 0; at < length; at += restoredAtOnce) {
          const { results } = await api.trash.restore.mutate({
            asset_ids: assetIds.slice(at, at + restoredAtOnce),
            location_ids: locationIds.slice(at, at + restoredAtOnce),
          });
          failures.push(...results.filter((result) => result.status === 'failed'));
        }
      } finally {
        const changed = [trpc.assets, trpc.locations, trpc.floorPlans, trpc.trash, trpc.activity];
        for (const router of changed) void answers.invalidateQueries(router.pathFilter());
      }
      return failures;
    },
    [trpc, api, answers],
  );
}
