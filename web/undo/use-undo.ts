import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { type Api, type Outputs, useTRPC, useTRPCClient } from '../api/trpc.js';
import { quantity } from '../ui/quantity.js';

/** A change that was not undone. */
export type LeftChange = Outputs['undo']['changes']['left'][number];

/** What to undo: changes that were made together, or entries of the activity log. */
export type Undoable = { batchIds: readonly string[] } | { entries: readonly LeftChange['entry'][] };

type Undone = { count: number; left: LeftChange[] };

/** The most entries that the service takes in one call. */
const entriesAtOnce = 100;

async function undoBatch(api: Api, batchId: string, add: (part: Omit<Outputs['undo']['batch'], 'next'>) => void) {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const part: Outputs['undo']['batch'] = await api.undo.batch.mutate({
      batch_id: batchId,
      ...(cursor !== undefined && { cursor }),
    });
    add(part);
    cursor = part.next;
  }
}

/** Undoes changes part by part, and remembers which were not undone, and why. */
export function useUndo(): {
  /** How many changes are undone so far; undefined if nothing is being undone. */
  progress: number | undefined;
  problem: Problem | undefined;
  left: readonly LeftChange[];
  /** @param overwrite whether to also restore fields that were changed again since */
  undo: (what: Undoable, overwrite?: boolean) => Promise<{ isWhole: boolean }>;
  dismiss: () => void;
} {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const [left, setLeft] = useState<readonly LeftChange[]>([]);

  async function undo(what: Undoable, overwrite = false): Promise<{ isWhole: boolean }> {
    const undone: Undone = { count: 0, left: [] };
    const add = (part: { taken_back: number; left: LeftChange[] }) => {
      undone.count += part.taken_back;
      for (const change of part.left) undone.left.push(change);
      setProgress(undone.count);
    };
    setProgress(0);
    setProblem(undefined);
    try {
      if ('batchIds' in what) {
        // The last first, since two of them may concern the same row.
        for (const batchId of what.batchIds.toReversed()) await undoBatch(api, batchId, add);
      } else {
        for (let at = 0; at < what.entries.length; at += entriesAtOnce) {
          const entries = what.entries.slice(at, at + entriesAtOnce);
          add(await api.undo.changes.mutate({ entries, overwrite }));
        }
      }
      setLeft(undone.left);
      if (undone.left.length === 0) notifications.show({ message: t`${quantity(undone.count, 'change')} undone` });
      return { isWhole: undone.left.length === 0 };
    } catch (error) {
      setProblem(problemOf(error));
      return { isWhole: false };
    } finally {
      setProgress(undefined);
      const changed = [
        trpc.assets,
        trpc.containers,
        trpc.locations,
        trpc.floorPlans,
        trpc.imports,
        trpc.trash,
        trpc.activity,
      ];
      for (const router of changed) void answers.invalidateQueries(router.pathFilter());
    }
  }

  return {
    progress,
    problem,
    left,
    undo,
    dismiss: () => {
      setLeft([]);
      setProblem(undefined);
    },
  };
}
