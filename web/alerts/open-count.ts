import { numberText } from '../ui/quantity.js';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';

/** While the live connection is lost, the count is read this often. */
const refetchMs = 60_000;

/**
 * Returns the number of open alerts of the organization, kept up to date by the live connection. Undefined until the
 * count is known.
 */
export function useOpenCount(): { count: number; text: string } | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.alerts.openCount.queryOptions(undefined, { staleTime: refetchMs, refetchInterval: refetchMs }),
  );
  return data && { count: data.count, text: `${numberText(data.count)}${data.is_more ? '+' : ''}` };
}
