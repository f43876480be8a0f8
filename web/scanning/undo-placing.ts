import { t } from '@lingui/core/macro';
import { monotonicFactory } from 'ulid';
import type { Api } from '../api/trpc.js';
import { UndoRefusedError } from '../ui/undo-notice.js';
import type { ScanLocation } from './batch.js';

const makeId = monotonicFactory();

/**
 * Moves an asset from where a person has placed it back to where it was.
 *
 * @throws UndoRefusedError if the asset was moved or deleted since
 */
export async function undoPlacing(
  api: Api,
  { assetId, from, at }: { assetId: number; from: ScanLocation; at: ScanLocation },
): Promise<void> {
  const {
    results: [result],
  } = await api.scans.submit.mutate({
    submission_id: makeId(),
    location_id: from.id,
    if_at: at.id,
    reads: [{ asset_id: assetId }],
    is_by_hand: true,
  });
  if (result?.status !== 'placed') throw new UndoRefusedError(t`Not undone: the asset was deleted.`);
  const { stays_at: staysAt } = result;
  // An undo whose answer was lost is repeated.
  if (staysAt === undefined || staysAt?.id === from.id) return;
  throw new UndoRefusedError(
    staysAt ? t`Not undone: it was moved to ${staysAt.name} since.` : t`Not undone: it was moved since.`,
  );
}
