import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { failureText } from '../../trash/restore-text.js';
import { useRestore } from '../../trash/use-restore.js';
import { quantity } from '../../ui/quantity.js';

/** An asset that an undo did not change; a deleted asset has no page. */
export type Refused = { id: number; name: string; why: string; hasPage: boolean };

/** What to undo: edits by their ids, and deletions of assets. */
export type Undoable = { editIds?: readonly string[]; deletedIds?: readonly number[] };

/** The most deleted assets that are shown. Equals the number that the service reports for an edit. */
const shownMax = 50;

/** The assets that an undo did not change: the first ones, and their total number. */
export type UndoRefusal = { assets: readonly Refused[]; count: number };

/** Undoes bulk changes and deletions, and remembers which assets were not changed, and why. */
export function useUndo(): {
  isBusy: boolean;
  problem: Problem | null;
  refusal: UndoRefusal | null;
  /** Resolves with the number of assets that were not changed; undefined if the undo failed. */
  undo: (what: Undoable) => Promise<number | undefined>;
  dismiss: () => void;
} {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const restore = useRestore();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [refusal, setRefusal] = useState<UndoRefusal | null>(null);

  async function undo({ editIds = [], deletedIds = [] }: Undoable): Promise<number | undefined> {
    setBusy(true);
    setProblem(null);
    setRefusal(null);
    try {
      let restored = 0;
      let count = 0;
      const assets: Refused[] = [];
      // The last edit first, since two edits may concern the same asset.
      for (const editId of editIds.toReversed()) {
        const undone = await api.bulkEdits.undo.mutate({ edit_id: editId });
        restored += undone.restored_count;
        count += undone.refused_count;
        assets.push(...undone.refused.map(refusedOf));
      }
      if (deletedIds.length > 0) {
        const failures = await restore({ assetIds: deletedIds });
        restored += deletedIds.length - failures.length;
        count += failures.length;
        assets.push(
          ...failures.slice(0, shownMax).map((failure) => ({
            id: failure.id,
            name: failure.name ?? t`Asset ${failure.id}`,
            hasPage: false,
            why: `: ${failureText(failure)}`,
          })),
        );
      }
      notifications.show({ message: t`${quantity(restored, 'asset')} restored` });
      if (count > 0) setRefusal({ assets, count });
      return count;
    } catch (error) {
      setProblem(problemOf(error));
      return undefined;
    } finally {
      setBusy(false);
      void answers.invalidateQueries(trpc.assets.pathFilter());
      void answers.invalidateQueries(trpc.bulkEdits.pathFilter());
    }
  }

  return {
    isBusy,
    problem,
    refusal,
    undo,
    dismiss: () => {
      setRefusal(null);
      setProblem(null);
    },
  };
}

function refusedOf({ id, name, external_key: key, reason }: Outputs['bulkEdits']['undo']['refused'][number]): Refused {
  const isDeleted = reason === 'deleted';
  const why = isDeleted ? t`: deleted since then` : t`: changed since then`;
  return { id, name: `${name} (${key})`, why, hasPage: !isDeleted };
}
