import { useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { reasonText } from '../../api/reason-texts.js';
import type { Api, Inputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';

export type BulkChanges = Omit<Inputs['bulkEdits']['edit'], 'ids'>;

/** A bulk action on assets: deletion, or changes of fields. */
export type BulkAction = 'delete' | BulkChanges;

export type BulkFailure = { id: number; detail: string };

/** A running or finished bulk action; `done` counts the assets with a response. */
export type BulkRun = {
  action: BulkAction;
  total: number;
  done: number;
  /** How many were deleted or changed. */
  changed: number;
  /** How many already had the wanted values. */
  unchanged: number;
  failures: readonly BulkFailure[];
  /** What was changed together, for the undo. */
  batchIds: readonly string[];
  isOver: boolean;
};

type Part = Pick<BulkRun, 'changed' | 'unchanged' | 'failures' | 'batchIds'>;

/** Small enough that the progress is visible, and that a rejected call affects few assets. */
const deletedAtOnce = 100;

/** The most assets that the service changes in one call, so that one undo covers them all. */
export const editedTogetherMax = 1000;

/** Changes many assets, a portion at a time. A portion that fails does not keep the others from being changed. */
export function useBulk(): {
  run: BulkRun | undefined;
  start: (action: BulkAction, ids: readonly number[]) => Promise<BulkRun>;
  dismiss: () => void;
} {
  const { trpc, api, refresh } = useServer();
  const [run, setRun] = useState<BulkRun>();

  async function start(action: BulkAction, ids: readonly number[]): Promise<BulkRun> {
    const nothing: Part = { changed: 0, unchanged: 0, failures: [], batchIds: [] };
    let now: BulkRun = { action, total: ids.length, done: 0, ...nothing, isOver: false };
    setRun(now);
    const portion = action === 'delete' ? deletedAtOnce : editedTogetherMax;
    for (let at = 0; at < ids.length; at += portion) {
      const part = ids.slice(at, at + portion);
      const outcome = await outcomeOf(api, action, part);
      now = {
        ...now,
        done: now.done + part.length,
        changed: now.changed + outcome.changed,
        unchanged: now.unchanged + outcome.unchanged,
        failures: [...now.failures, ...outcome.failures],
        batchIds: [...now.batchIds, ...outcome.batchIds],
      };
      setRun(now);
    }
    now = { ...now, isOver: true };
    setRun(now);
    void refresh(trpc.assets, trpc.activity, trpc.trash);
    return now;
  }

  return { run, start, dismiss: () => setRun(undefined) };
}

async function outcomeOf(api: Api, action: BulkAction, ids: number[]): Promise<Part> {
  try {
    return action === 'delete' ? await deleteAll(api, ids) : await editAll(api, action, ids);
  } catch (error) {
    const { detail, fields } = problemOf(error);
    const why = fields[0]?.message ?? detail;
    return { changed: 0, unchanged: 0, failures: ids.map((id) => ({ id, detail: why })), batchIds: [] };
  }
}

async function deleteAll(api: Api, ids: number[]): Promise<Part> {
  const { results, batch_id: batchId } = await api.assets.deleteMany.mutate({ ids });
  const failures = results.flatMap((result) =>
    result.status === 'failed' ? [{ id: result.id, detail: reasonText(result.reason) }] : [],
  );
  return { changed: ids.length - failures.length, unchanged: 0, failures, batchIds: batchId === null ? [] : [batchId] };
}

async function editAll(api: Api, changes: BulkChanges, ids: number[]): Promise<Part> {
  const edit = await api.bulkEdits.edit.mutate({ ids, ...changes });
  return {
    changed: edit.changed_count,
    unchanged: edit.unchanged_count,
    failures: [],
    batchIds: edit.batch_id === null ? [] : [edit.batch_id],
  };
}
