import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';

/** Refetches assets and unknown tags after a tag was attached. */
export function useKnown(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    void queries.invalidateQueries(trpc.assets.pathFilter());
    await queries.invalidateQueries(trpc.scans.pathFilter());
  };
}
