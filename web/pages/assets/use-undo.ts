import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { quantity } from '../../ui/quantity.js';

export type Refused = Outputs['bulkEdits']['undo']['refused'][number];

/** What an undo left as it is: the first assets and how many there are. */
export type UndoRefusal = { assets: readonly Refused[]; count: number };

/** Undoes bulk changes, and remembers which assets were left as they are because they were changed since. */
export function useUndo(): {
  isBusy: boolean;
  problem: Problem | null;
  refusal: UndoRefusal | null;
  /** Resolves with how many assets were left as they are; undefined where the undo failed. */
  undo: (editIds: readonly string[]) => Promise<number | undefined>;
  dismiss: () => void;
} {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [refusal, setRefusal] = useState<UndoRefusal | null>(null);

  async function undo(editIds: readonly string[]): Promise<number | undefined> {
    setBusy(true);
    setProblem(null);
    setRefusal(null);
    try {
      let restored = 0;
      let count = 0;
      const assets: Refused[] = [];
      // The last edit first, as two of them may be of one asset.
      for (const editId of editIds.toReversed()) {
        const undone = await api.bulkEdits.undo.mutate({ edit_id: editId });
        restored += undone.restored_count;
        count += undone.refused_count;
        assets.push(...undone.refused);
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
