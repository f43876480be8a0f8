import { ulid } from 'ulid';
import type { Queries } from '../../kernel/database/client.js';
import { acceptSubmission } from '../../tracking/scans/submit.js';
import { entriesOf, type EntryKey, type Entry } from './entries.js';
import type { Obstruction, Outcome, UndoScope } from './outcome.js';

type PlacementState = {
  entry_id: string;
  asset_id: number;
  is_deleted: boolean;
  /** Null if the asset had no location before. */
  from_id: number | null;
  is_from_live: boolean;
  to_id: number;
  /** Whether the asset was placed again since. */
  is_placed_again: boolean;
  /** Whether it is where it was placed, and was read or scanned there since. */
  is_seen_there: boolean;
};

async function findPlacements(db: Queries, orgId: number, keys: readonly EntryKey[]): Promise<PlacementState[]> {
  return db.$queryRaw<PlacementState[]>`
    SELECT l.id::text AS entry_id, a.id AS asset_id, a.deleted_at IS NOT NULL AS is_deleted,
           (l.before ->> 'location_id')::int AS from_id, f.id IS NOT NULL AS is_from_live, (l.after ->> 'location_id')::int AS to_id,
           EXISTS (SELECT FROM asset_placements w
                    WHERE w.org_id = ${orgId} AND w.asset_id = a.id AND w.placed_at > l.occurred_at) AS is_placed_again,
           coalesce(p.location_id = (l.after ->> 'location_id')::int
                    AND (p.reader_id IS NOT NULL
                         OR EXISTS (SELECT FROM scan_events e
                                     WHERE e.org_id = ${orgId} AND e.asset_id = a.id AND e.event_observed_at > p.located_since
                                       AND e.reader_id IS NULL)), false) AS is_seen_there
      FROM ${entriesOf(orgId, keys)}
      JOIN assets a ON a.org_id = ${orgId} AND a.id = l.object_id::int
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = a.id
      LEFT JOIN locations f ON f.org_id = ${orgId} AND f.id = (l.before ->> 'location_id')::int AND f.deleted_at IS NULL
     ORDER BY a.id`;
}

function obstructionOf({
  is_deleted: isDeleted,
  from_id: from,
  is_from_live: isLive,
  is_placed_again: isAgain,
  is_seen_there: isSeen,
}: PlacementState) {
  const failed = (reason: 'deleted' | 'moved_since' | 'seen_since' | 'location_gone'): Obstruction => ({
    status: 'failed',
    reason,
  });
  if (isDeleted) return failed('deleted');
  if (isAgain) return failed('moved_since');
  if (isSeen) return failed('seen_since');
  return from === null || !isLive ? failed('location_gone') : undefined;
}

/**
 * Places assets where they were before the entries, if these are their last placements, and they are still there but were not read or
 * scanned there since.
 */
export async function placeBack(
  { services, orgId, author, userId }: UndoScope,
  entries: readonly Entry[],
): Promise<Outcome> {
  const left = new Map<string, Obstruction>();
  const groups = new Map<string, PlacementState[]>();
  for (const state of await findPlacements(services.db, orgId, entries)) {
    const why = obstructionOf(state);
    if (why) left.set(state.entry_id, why);
    else {
      const key = `${state.from_id} ${state.to_id}`;
      groups.set(key, [...(groups.get(key) ?? []), state]);
    }
  }
  let taken = 0;
  for (const [first, ...more] of groups.values()) {
    if (!first || first.from_id === null) continue;
    const group = [first, ...more];
    const input = {
      submission_id: ulid(),
      location_id: first.from_id,
      if_at: first.to_id,
      reads: group.map(({ asset_id }) => ({ asset_id })),
      is_by_hand: true,
    };
    const { results } = await acceptSubmission(
      services,
      { orgId, userId },
      { input, ...(author.batchId !== undefined && { batchId: author.batchId }) },
    );
    for (const [index, { entry_id: id }] of group.entries()) {
      const result = results[index];
      if (result?.status === 'placed' && result.stays_at === undefined) taken += 1;
      else left.set(id, { status: 'failed', reason: 'moved_since' });
    }
  }
  return { taken, left };
}
