import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useCallback, useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { useServer } from '../../api/use-server.js';
import { useUndoDeletion } from '../../trash/use-undo-deletion.js';
import { numberText } from '../../ui/quantity.js';
import { BlockedDeletion } from './blocked-deletion.js';

type Named = { id: number; name: string };

/**
 * Returns a function that deletes a location and then offers an undo, and the dialog that shows what prevents it.
 *
 * @param onDeleted leaves the page of the location
 */
export function useDeletion(onDeleted?: () => Promise<void>): {
  remove: (location: Named) => Promise<void>;
  dialog: ReactNode;
} {
  const { trpc, api, refresh } = useServer();
  const undoDeletion = useUndoDeletion();
  const [blocked, setBlocked] = useState<Named | null>(null);

  const remove = useCallback(
    async ({ id, name }: Named) => {
      try {
        const own = await api.assets.table.query({ belongs_to_id: id, sort: undefined, limit: 1 });
        await api.locations.delete.mutate({ location_id: id });
        // Leaves the page first, so that the deleted location is not requested again.
        await onDeleted?.();
        await refresh(trpc.locations);
        undoDeletion({ kind: 'location', id, name, note: ownText(own.total_count) });
      } catch (error) {
        const { type, detail } = problemOf(error);
        if (type === 'conflict') setBlocked({ id, name });
        else notifications.show({ color: 'red', message: detail });
        await refresh(trpc.locations);
      }
    },
    [trpc, api, refresh, undoDeletion, onDeleted],
  );

  return { remove, dialog: blocked && <BlockedDeletion location={blocked} onClose={() => setBlocked(null)} /> };
}

function ownText(count: number): string | undefined {
  if (count === 0) return undefined;
  return t`Assets that belong to it: ${numberText(count)}. They show it as deleted, and do not count as away, until it is restored.`;
}
