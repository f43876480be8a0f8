import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { type Api, useTRPC, useTRPCClient } from '../../api/trpc.js';

export type BulkAction = 'activate' | 'deactivate' | 'delete';

export type BulkFailure = { id: number; detail: string };

/** What is being done to many assets, or was; `done` counts those whose answer has come. */
export type BulkRun = {
  action: BulkAction;
  total: number;
  done: number;
  failures: readonly BulkFailure[];
  isOver: boolean;
};

/** Few enough that the progress is seen to move, and that a refused call leaves much undone. */
const portion = 100;

/** Changes many assets, a portion at a time. One that fails does not keep the others from being changed. */
export function useBulk(): {
  run: BulkRun | undefined;
  start: (action: BulkAction, ids: readonly number[]) => Promise<BulkRun>;
  dismiss: () => void;
} {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [run, setRun] = useState<BulkRun>();

  async function start(action: BulkAction, ids: readonly number[]): Promise<BulkRun> {
    let now: BulkRun = { action, total: ids.length, done: 0, failures: [], isOver: false };
    setRun(now);
    for (let at = 0; at < ids.length; at += portion) {
      const part = ids.slice(at, at + portion);
      const failures = await failuresOf(api, action, part);
      now = { ...now, done: now.done + part.length, failures: [...now.failures, ...failures] };
      setRun(now);
    }
    now = { ...now, isOver: true };
    setRun(now);
    void answers.invalidateQueries(trpc.assets.pathFilter());
    return now;
  }

  return { run, start, dismiss: () => setRun(undefined) };
}

async function failuresOf(api: Api, action: BulkAction, ids: number[]): Promise<BulkFailure[]> {
  try {
    const { results } =
      action === 'delete'
        ? await api.assets.deleteMany.mutate({ ids })
        : await api.assets.setActiveMany.mutate({ ids, is_active: action === 'activate' });
    return results.flatMap((result) => (result.status === 'failed' ? [{ id: result.id, detail: result.detail }] : []));
  } catch (error) {
    const { detail } = problemOf(error);
    return ids.map((id) => ({ id, detail }));
  }
}
