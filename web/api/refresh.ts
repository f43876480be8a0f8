import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Refetches the queries that a change has outdated. Restarts a first request that is still running: invalidating alone
 * would let it finish, with data from before the change.
 */
export async function refreshQueries(queries: QueryClient, ...filters: QueryFilters[]): Promise<void> {
  await Promise.all(
    filters.map(async (filter) => {
      await queries.cancelQueries(filter);
      await queries.invalidateQueries(filter);
    }),
  );
}
