import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import type { Author } from '../../people/activity/author.js';
import { bringBack } from '../../tracking/containers/change.js';
import { changeContainments } from '../../tracking/containers/put-in.js';
import { lockLiveAssets } from '../../tracking/scans/submit-queries.js';
import { entriesOf, type EntryKey } from './entries.js';
import type { Given, Obstruction, Outcome, UndoScope } from './outcome.js';

/** The containers of an asset before the change of an entry, after it and now; null for none. A deleted one holds nothing. */
type ContainmentState = {
  entry_id: string;
  asset_id: number;
  before_id: number | null;
  before_name: string | null;
  after_id: number | null;
  present_id: number | null;
  /** Whether the batch changed it again, and others did since. What it is in now does not matter then. */
  is_overtaken: boolean;
};

/** Returns the states of entries, the newest first. */
async function findContainments(
  tx: TransactionClient,
  { orgId, author }: Pick<UndoScope, 'orgId' | 'author'>,
  keys: readonly EntryKey[],
): Promise<ContainmentState[]> {
  return tx.$queryRaw<ContainmentState[]>`
    SELECT l.id::text AS entry_id, a.id AS asset_id, (l.before ->> 'container_id')::int AS before_id,
           coalesce(b.name, l.before ->> 'container') AS before_name,
           (l.after ->> 'container_id')::int AS after_id, c.id AS present_id,
           ${isOvertaken(author)} AS is_overtaken
      FROM ${entriesOf(orgId, keys)}
      JOIN assets a ON a.org_id = ${orgId} AND a.id = l.object_id::int
      LEFT JOIN assets b ON b.org_id = ${orgId} AND b.id = (l.before ->> 'container_id')::int
      LEFT JOIN asset_containments h ON h.org_id = ${orgId} AND h.asset_id = a.id AND h.until IS NULL
      LEFT JOIN assets c ON c.org_id = ${orgId} AND c.id = h.container_id AND c.deleted_at IS NULL
     ORDER BY l.occurred_at DESC, l.id DESC`;
}

/**
 * Returns whether the batch of the entry `l` changed the container again, and the last change is neither of it nor of its undo.
 * An import takes an asset out of one container and puts it into another: once both are undone in part, the asset is in none, as
 * it is after a person took it out.
 */
function isOvertaken({ batchId }: Author): Prisma.Sql {
  const later = Prisma.sql`
    FROM activity_log w
   WHERE w.org_id = l.org_id AND w.kind = l.kind AND w.object_id = l.object_id AND w.action IN ('put_in', 'taken_out')
     AND (w.occurred_at, w.id) > (l.occurred_at, l.id)`;
  return Prisma.sql`(
    EXISTS (SELECT ${later} AND w.batch_id = l.batch_id)
    AND (SELECT w.batch_id IS DISTINCT FROM l.batch_id AND w.batch_id IS DISTINCT FROM ${batchId ?? null}::uuid
           ${later}
          ORDER BY w.occurred_at DESC, w.id DESC
          LIMIT 1))`;
}

/**
 * Puts assets back into the containers that they were in before the entries, or takes them out, if they are still in the
 * container, or in none, as the entries left them.
 */
export async function moveBetweenContainers(
  { services, orgId, author, userId }: UndoScope,
  { entries, overwrite }: Given,
): Promise<Outcome> {
  return changeContainments({ services, orgId, author, actor: { userId } }, async (tx, scope) => {
    const states = await findContainments(tx, { orgId, author }, entries);
    const ids = states.flatMap(({ asset_id: id, before_id: containerId }) => [
      id,
      ...(containerId ? [containerId] : []),
    ]);
    const live = new Set(await lockLiveAssets(tx, orgId, ids));
    const left = new Map<string, Obstruction>();
    const returns = new Map<number, number | null>();
    const free: ContainmentState[] = [];
    for (const state of states) {
      const { asset_id: id, entry_id: entryId, before_id: beforeId } = state;
      // A deleted asset is in no container, such as one that the same batch created, if its undo is continued.
      const storedId = live.has(id) ? state.present_id : null;
      const presentId = returns.has(id) ? (returns.get(id) ?? null) : storedId;
      if (presentId === beforeId) continue;
      const why = obstructionOf({ ...state, present_id: presentId }, live, overwrite);
      if (why) left.set(entryId, why);
      else {
        returns.set(id, beforeId);
        free.push(state);
      }
    }
    const results = await bringBack(tx, scope, returns);
    for (const { asset_id: id, entry_id: entryId } of free) {
      const result = results.get(id);
      if (result?.status === 'failed')
        left.set(entryId, { status: 'failed', reason: 'not_contained', why: result.reason });
    }
    return { taken: free.filter(({ entry_id: id }) => !left.has(id)).length, left };
  });
}

function obstructionOf(
  state: ContainmentState,
  live: ReadonlySet<number>,
  overwrite: boolean,
): Obstruction | undefined {
  const { asset_id: id, before_id: beforeId, before_name: name } = state;
  if (!live.has(id)) return { status: 'failed', reason: 'deleted' };
  if (beforeId !== null && !live.has(beforeId)) {
    return { status: 'failed', reason: 'parent_deleted', by: { kind: 'asset', id: beforeId, name: name ?? '' } };
  }
  if ((state.present_id === state.after_id && !state.is_overtaken) || overwrite) return undefined;
  return { status: 'changed_since', fields: ['container'] };
}
