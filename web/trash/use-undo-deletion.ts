import { t } from '@lingui/core/macro';
import { useCallback } from 'react';
import { showUndoNotice, UndoRefusedError } from '../ui/undo-notice.js';
import { failureText } from './restore-text.js';
import { useRestore } from './use-restore.js';

/** `note` says what else the deletion has changed. */
type Deleted = { kind: 'asset' | 'location'; id: number; name: string; note?: string | undefined };

/** Returns a function that reports a deletion in a notice with an Undo. */
export function useUndoDeletion(): (deleted: Deleted) => void {
  const restore = useRestore();
  return useCallback(
    ({ kind, id, name, note }) =>
      showUndoNotice(note ? t`${name} deleted. ${note}` : t`${name} deleted`, async () => {
        const [failure] = await restore(kind === 'asset' ? { assetIds: [id] } : { locationIds: [id] });
        if (failure) throw new UndoRefusedError(failureText(failure));
        return t`${name} restored`;
      }),
    [restore],
  );
}
