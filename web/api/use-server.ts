import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Reference } from './query-references.js';
import { useTRPC, useTRPCClient } from './trpc.js';

/**
 * Returns what components reach the service by: `trpc` for queries, `api` for everything else, `answers` for the answers that are
 * kept, and `refresh`, which refetches the queries of nouns or procedures that a change has outdated.
 */
export function useServer() {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const refresh = useCallback(
    async (...outdated: readonly Reference[]): Promise<void> => {
      await Promise.all(
        outdated.map(async (reference) => {
          const filter = { queryKey: reference.pathKey() };
          // Invalidating alone would let a first request that is still running finish, with data from before the change.
          await answers.cancelQueries(filter);
          await answers.invalidateQueries(filter);
        }),
      );
    },
    [answers],
  );
  return { trpc, api, answers, refresh };
}
