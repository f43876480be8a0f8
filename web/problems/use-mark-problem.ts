import { useServer } from '../api/use-server.js';

type MarkProblem = {
  /** Resolves a problem of the asset, or opens it again. */
  mark: (problemId: number, isResolved: boolean) => Promise<void>;
  /** Refetches the queries that show problems. */
  refresh: () => Promise<void>;
};

export function useMarkProblem(assetId: number): MarkProblem {
  const { trpc, api, refresh: refreshThese } = useServer();
  const refresh = () => refreshThese(trpc.assets, trpc.home, trpc.search);

  return {
    refresh,
    async mark(problemId, isResolved) {
      await api.assetProblems.mark.mutate({ asset_id: assetId, problem_id: problemId, is_resolved: isResolved });
      await refresh();
    },
  };
}
