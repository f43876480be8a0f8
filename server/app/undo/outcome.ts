import type { Author } from '../../people/activity/author.js';
import type { ResourceKind } from '../../kernel/fields.js';
import type { Services } from '../../services.js';
import type { Database } from '../../kernel/database/client.js';
import type { ContainmentFailure } from '../../tracking/containers/change.js';
import type { Obstacle, RestoreFailure } from '../trash/restore.js';
import type { LoggedColumn } from './change-queries.js';
import type { Entry } from './entries.js';

/**
 * Why a change was not taken back. `changed_since`: the fields have other values by now, and are restored if they are to be
 * overwritten. Failures: `in_use` is a created location with assets or sublocations, `deleted` a row that was deleted since,
 * `moved_since` an asset that is elsewhere by now, `seen_since` one that was seen where it was placed, `location_gone` one that had
 * no location that still exists, `not_contained` one that its former container cannot hold, and the last two one that would have more
 * than it can.
 */
export type Obstruction =
  | { status: 'changed_since'; fields: (LoggedColumn | 'container' | 'tag')[] }
  | RestoreFailure
  | { status: 'failed'; reason: 'parent_below'; by: Obstacle }
  | { status: 'failed'; reason: 'not_contained'; why: ContainmentFailure }
  | { status: 'failed'; reason: 'kind_deleted' | 'deleted' | 'in_use' | 'moved_since' | 'seen_since' | 'location_gone' }
  | { status: 'failed'; reason: 'details_too_long' | 'too_many_tags' };

/** How many changes were taken back, and by the ids of their entries why others were not. `isPartial`: there is more to do. */
export type Outcome = { taken: number; left: Map<string, Obstruction>; isPartial?: boolean };

export type UndoScope = { services: Services; db: Database; orgId: number; author: Author; userId: number };

/** Entries, newest first; `batchId` is their batch if all of it is undone. */
export type Given = { kind: ResourceKind; entries: readonly Entry[]; overwrite: boolean; batchId?: string };

/** Returns the reasons of those entries that were not taken back, by their ids. */
export function leftOf(
  entries: readonly Entry[],
  why: (entry: Entry) => Obstruction | undefined,
): Map<string, Obstruction> {
  return new Map(
    entries.flatMap((entry) => {
      const reason = why(entry);
      return reason ? [[entry.id, reason]] : [];
    }),
  );
}
