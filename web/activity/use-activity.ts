import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../api/trpc.js';
import type { Entry } from './entry.js';

export type ActivityFilter = {
  kind?: Entry['kind'];
  object_id?: string;
  actor?: string;
  entry_point?: Entry['entry_point'];
  from?: string;
  to?: string;
  /** Whether changes that were made together are one entry. */
  grouped?: boolean;
};

/** Reads the matching changes, newest first, page by page; reads again when `version` changes. */
export function useActivity(filter: ActivityFilter, { limit, version = '' }: { limit: number; version?: string }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  return useInfiniteQuery({
    queryKey: [...trpc.activity.list.queryKey(filter), 'pages', limit, version],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.activity.list.query({ ...filter, limit, ...(cursor !== undefined && { cursor }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}
