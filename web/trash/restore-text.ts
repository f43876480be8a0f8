import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';
import { failureTexts } from '../containers/failures.js';

export type RestoreResult = Outputs['trash']['restore']['results'][number];
export type RestoreFailure = Extract<RestoreResult, { status: 'failed' }>;
type UndoFailure = Extract<Outputs['undo']['changes']['left'][number], { status: 'failed' }>;

/** Returns why something could not be restored, and what to do about it. */
export function failureText(failure: RestoreFailure | UndoFailure): string {
  switch (failure.reason) {
    case 'key_taken':
      return t`${failure.by.name} has the key ${failure.value} now. Change its key first.`;
    case 'tag_taken':
      return t`Tag ${failure.value} is attached to ${failure.by.name} now. Detach it there first.`;
    case 'parent_deleted':
      return t`It was in ${failure.by.name}, which is deleted. Restore ${failure.by.name} first.`;
    case 'too_deep':
      return t`Its location would be too many levels below the top. Move the location above it first.`;
    case 'parent_below':
      return t`It was in ${failure.by.name}, which is below it now. Move ${failure.by.name} first.`;
    case 'kind_deleted':
      return t`Its former kind is deleted.`;
    case 'deleted':
      return t`It was deleted since then.`;
    case 'moved_since':
      return t`It was moved since then.`;
    case 'seen_since':
      return t`It was seen there since then.`;
    case 'location_gone':
      return t`It had no location before, or that location is deleted.`;
    case 'not_contained':
      return failureTexts[failure.why];
    case 'details_too_long':
      return t`Its custom details would be too long. Remove some first.`;
    case 'too_many_tags':
      return t`It cannot have more tags. Detach one first.`;
    case 'in_use':
      return t`Something is in it.`;
    case 'gone':
      return t`It can no longer be restored.`;
  }
}
