import { t } from '@lingui/core/macro';
import type { Api } from '../../api/trpc.js';
import { failureTexts } from '../../containers/failures.js';
import type { ScanPlace, SubmitResult } from '../../scanning/batch.js';
import { UndoRefusedError } from '../../ui/undo-notice.js';
import { UserText } from '../../ui/user-text.js';

type Done = Extract<SubmitResult, { status: 'done' }>;

type Contained = { result: Extract<SubmitResult, { status: 'done' | 'failed' }>; place: ScanPlace; isUndone: boolean };

/** What the service answered about a scan that was put into a container or taken out of one. */
export function ContainedResult(contained: Contained) {
  return <UserText>{containedText(contained)}</UserText>;
}

export function containedText({ result, place, isUndone }: Contained): string {
  if (result.status === 'failed') return failureTexts[result.reason];
  return isUndone ? t`Undone` : doneText(result, place);
}

function doneText({ was_in: before }: Done, place: ScanPlace): string {
  if (place.is === 'out') return t`Taken out of ${before?.name ?? ''}`;
  return before && before.id !== place.id ? t`Moved from ${before.name} into ${place.name}` : t`Put into ${place.name}`;
}

/**
 * Takes an asset out again that a scan has put in, or puts it back.
 *
 * @throws UndoRefusedError if the asset was moved or deleted since
 */
export async function undoContained(api: Api, { asset_id, was_in: before }: Done, place: ScanPlace): Promise<void> {
  const { results } =
    place.is === 'out' && before
      ? await api.containers.putIn.mutate({ container_id: before.id, asset_ids: [asset_id] })
      : await api.containers.undoPutIn.mutate({
          container_id: place.id,
          items: [{ asset_id, was_in_id: before?.id ?? null }],
        });
  const [result] = results;
  if (result?.status !== 'done') {
    throw new UndoRefusedError(t`Not undone: ${result ? failureTexts[result.reason] : ''}`);
  }
}
