import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../api/trpc.js';
import { useServer } from '../api/use-server.js';

export type AlertFilter = {
  status?: 'open' | 'acknowledged' | 'ended';
  rule_id?: number;
  asset_id?: number;
  location_id?: number;
  /** Instants as the API writes them. */
  from?: string;
  to?: string;
};

/** The live connection reloads the alerts when alerts change. This interval is for when the connection is lost. */
const refetchMs = 60_000;

/** Reads the alerts that match, newest first, page by page. */
export function useAlerts(filter: AlertFilter, limit: number) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  return useInfiniteQuery({
    queryKey: [...trpc.alerts.list.queryKey(filter), 'pages', limit],
    queryFn: ({ pageParam: before, signal }) =>
      api.alerts.list.query({ ...filter, limit, ...(before !== undefined && { before_id: before }) }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before_id: next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
}

/** The most alerts that the service acknowledges in one call. */
const idsPerCallMax = 200;

/** Acknowledges alerts. Alerts that somebody else has acknowledged meanwhile keep the name of that person. */
export function useAcknowledge() {
  const { trpc, api, refresh } = useServer();
  return useMutation({
    mutationFn: async (ids: readonly number[]) => {
      for (let first = 0; first < ids.length; first += idsPerCallMax) {
        await api.alerts.acknowledge.mutate({ ids: ids.slice(first, first + idsPerCallMax) });
      }
    },
    onSettled: () => refresh(trpc.alerts),
  });
}
