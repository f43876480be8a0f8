import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';

/** Returns a function that refetches everything that shows plans. */
export function useRefreshPlans(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => queries.invalidateQueries(trpc.floorPlans.pathFilter());
}
