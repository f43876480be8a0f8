import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC, useTRPCClient } from '../api/trpc.js';
import type { RestoreFailure } from './restore-text.js';

/** The most items that the service restores in one call. */
const restoredAtOnce = 100;

type Deleted = { assetIds?: readonly number[]; locationIds?: readonly number[] };

/**
 * Returns a function that restores deleted items, and resolves with the items that could not be restored. A location whose parent is
 * restored by the same call is tried again after it.
 */
export function useRestore(): (deleted: Deleted) => Promise<RestoreFailure[]> {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  return useCallback(
    async ({ assetIds = [], locationIds = [] }) => {
      async function send(assets: readonly number[], locations: readonly number[]): Promise<RestoreFailure[]> {
        const failures: RestoreFailure[] = [];
        const length = Math.max(assets.length, locations.length);
        for (let at = 0; at < length; at += restoredAtOnce) {
          const { results } = await api.trash.restore.mutate({
            asset_ids: assets.slice(at, at + restoredAtOnce),
            location_ids: locations.slice(at, at + restoredAtOnce),
          });
          failures.push(...results.filter((result) => result.status === 'failed'));
        }
        return failures;
      }

      async function restoreAll(): Promise<RestoreFailure[]> {
        let failures = await send(assetIds, locationIds);
        const chosen = new Set(locationIds);
        for (;;) {
          const failed = new Set(failures.filter(({ kind }) => kind === 'location').map(({ id }) => id));
          const isNext = (failure: RestoreFailure) =>
            failure.reason === 'parent_deleted' && chosen.has(failure.by.id) && !failed.has(failure.by.id);
          const next = failures.filter(isNext).map(({ id }) => id);
          if (next.length === 0) return failures;
          const again = await send([], next);
          failures = [...failures.filter((failure) => !isNext(failure)), ...again];
          // Somebody deletes the parents again meanwhile.
          if (again.length === next.length) return failures;
        }
      }

      try {
        return await restoreAll();
      } finally {
        const changed = [trpc.assets, trpc.locations, trpc.floorPlans, trpc.trash, trpc.activity];
        for (const router of changed) void answers.invalidateQueries(router.pathFilter());
      }
    },
    [trpc, api, answers],
  );
}
