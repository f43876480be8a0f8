import { useQueryClient } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../api/trpc.js';

type MarkProblem = {
  /** Resolves a problem of the asset, or opens it again. */
  mark: (problemId: number, isResolved: boolean) => Promise<void>;
  /** Refetches the queries that show problems. */
  refresh: () => Promise<void>;
};

export function useMarkProblem(assetId: number): MarkProblem {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();

  async function refresh(): Promise<void> {
    void answers.invalidateQueries(trpc.home.pathFilter());
    void answers.invalidateQueries(trpc.search.pathFilter());
    await answers.invalidateQueries(trpc.assets.pathFilter());
  }

  return {
    refresh,
    async mark(problemId, isResolved) {
      await api.assetProblems.mark.mutate({ asset_id: assetId, problem_id: problemId, is_resolved: isResolved });
      await refresh();
    },
  };
}
