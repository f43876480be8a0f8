import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';

/** Has what is shown of assets and unknown tags asked for again, once a tag belongs to something. */
export function useKnown(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    void queries.invalidateQueries(trpc.assets.pathFilter());
    await queries.invalidateQueries(trpc.scans.pathFilter());
  };
}
