import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Refetches the queries that a change has outdated. A first request that is still under way is started anew: invalidating alone
 * lets it finish, with what was true before the change.
 */
export async function refreshQueries(queries: QueryClient, ...filters: QueryFilters[]): Promise<void> {
  await Promise.all(
    filters.map(async (filter) => {
      await queries.cancelQueries(filter);
      await queries.invalidateQueries(filter);
    }),
  );
}
