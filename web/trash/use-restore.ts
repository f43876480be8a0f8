import { useCallback } from 'react';
import type { Api } from '../api/trpc.js';
import { useServer } from '../api/use-server.js';
import type { RestoreFailure } from './restore-text.js';

/** The most items that the service restores in one call. */
const restoredAtOnce = 100;

type Deleted = { assetIds?: readonly number[]; locationIds?: readonly number[] };

async function send(api: Api, { assetIds, locationIds }: Required<Deleted>): Promise<RestoreFailure[]> {
  const failures: RestoreFailure[] = [];
  const length = Math.max(assetIds.length, locationIds.length);
  for (let at = 0; at < length; at += restoredAtOnce) {
    const { results } = await api.trash.restore.mutate({
      asset_ids: assetIds.slice(at, at + restoredAtOnce),
      location_ids: locationIds.slice(at, at + restoredAtOnce),
    });
    failures.push(...results.filter((result) => result.status === 'failed'));
  }
  return failures;
}

async function restoreAll(api: Api, deleted: Required<Deleted>): Promise<RestoreFailure[]> {
  let failures = await send(api, deleted);
  const chosen = new Set(deleted.locationIds);
  for (;;) {
    const failed = new Set(failures.filter(({ kind }) => kind === 'location').map(({ id }) => id));
    const isNext = (failure: RestoreFailure) =>
      failure.reason === 'parent_deleted' && chosen.has(failure.by.id) && !failed.has(failure.by.id);
    const next = failures.filter(isNext).map(({ id }) => id);
    if (next.length === 0) return failures;
    const again = await send(api, { assetIds: [], locationIds: next });
    failures = [...failures.filter((failure) => !isNext(failure)), ...again];
    // Somebody deletes the parents again meanwhile.
    if (again.length === next.length) return failures;
  }
}

/**
 * Returns a function that restores deleted items, and resolves with the items that could not be restored. A location whose parent is
 * restored by the same call is tried again after it.
 */
export function useRestore(): (deleted: Deleted) => Promise<RestoreFailure[]> {
  const { trpc, api, answers } = useServer();
  return useCallback(
    async ({ assetIds = [], locationIds = [] }) => {
      let failures: RestoreFailure[] = [];
      try {
        failures = await restoreAll(api, { assetIds, locationIds });
      } finally {
        const changed = [trpc.assets, trpc.locations, trpc.floorPlans, trpc.trash, trpc.activity];
        for (const router of changed) void answers.invalidateQueries(router.pathFilter());
      }
      return failures;
    },
    [trpc, api, answers],
  );
}
