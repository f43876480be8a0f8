import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServer } from '../../api/use-server.js';
import { findable, loadProblems, type RowProblem, searchProblems } from './problem-search.js';

export type ProblemFilter = {
  /** A column of the file; empty for all columns. */
  column: string;
  /** Words to search for, without surrounding white space; empty for all. */
  q: string;
  limit: number;
  offset: number;
};

export type ProblemPage = {
  rows: readonly RowProblem[] | undefined;
  total: number | undefined;
  /** Whether the rows are from the previous request, while the next one is in progress. */
  isStale: boolean;
  error: unknown;
  retry: () => void;
};

/**
 * Returns a page of the problems of an import. The service has technical messages, so a text is searched for here, in
 * the texts that are shown; for a search all problems are loaded once.
 */
export function useProblems(importId: string, { column, q, limit, offset }: ProblemFilter): ProblemPage {
  const { trpc, api } = useServer();
  const isSearch = q !== '';
  const page = useQuery(
    trpc.imports.problems.queryOptions(
      { import_id: importId, limit, offset, ...(column === '' ? {} : { column }) },
      { placeholderData: keepPreviousData, enabled: !isSearch },
    ),
  );
  const all = useQuery({
    queryKey: [...trpc.imports.problems.pathKey(), 'all', importId],
    queryFn: async () => (await loadProblems(api, importId)).map(findable),
    enabled: isSearch,
    staleTime: Infinity,
  });
  const found = useMemo(() => {
    const problems = all.data && searchProblems(all.data, q);
    return column === '' ? problems : problems?.filter((problem) => problem.column === column);
  }, [all.data, q, column]);

  if (!isSearch || (!found && !all.error)) {
    return {
      rows: page.data?.data,
      total: page.data?.total_count,
      isStale: page.isPlaceholderData || isSearch,
      error: page.error,
      retry: () => void page.refetch(),
    };
  }
  return {
    rows: found?.slice(offset, offset + limit),
    total: found?.length,
    isStale: false,
    error: all.error,
    retry: () => void all.refetch(),
  };
}
