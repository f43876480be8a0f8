import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import type { Progress } from '../start/steps.js';
import { hasOpenSteps } from './open-steps.js';

export const loadFirstSteps = () => import('./first-steps-card.js');

/**
 * Returns the first steps of an administrator, if there is something to offer, once the card for them is loaded. `isKnown` is false until
 * this is known.
 */
export function useFirstSteps(): { steps: Progress | undefined; isKnown: boolean } {
  const trpc = useTRPC();
  const { can } = useSession();
  const found = useQuery(trpc.organizations.firstSteps.queryOptions(undefined, { enabled: can('admin') }));
  const isOffered = found.data !== undefined && (hasOpenSteps(found.data) || found.data.has_sample);
  const card = useQuery({
    queryKey: ['first-steps-card'],
    queryFn: async () => {
      await loadFirstSteps();
      return true;
    },
    enabled: isOffered,
    staleTime: Infinity,
  });
  return {
    steps: isOffered ? found.data : undefined,
    isKnown: [found, card].every(({ isLoading, failureCount }) => !isLoading || failureCount > 0),
  };
}
