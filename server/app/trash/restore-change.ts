import { z } from 'zod';
import type { Author } from '../../people/activity/author.js';
import { findEntry, type LoggedEntry } from '../../people/activity/list-queries.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { breaksUnique } from '../../kernel/database/faults.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { ContractError, refusal } from '../../kernel/errors.js';
import { isInSubtree, rejectTooDeep } from '../../things/locations/tree-queries.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { attachTag, detachTag } from '../../things/tags/queries.js';
import type { TagType } from '../../things/tags/schemas.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, textParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { type ChangeState, type LoggedColumn, lockChanges, takeBackChanges } from './change-queries.js';
import type { TrashKind } from './list-queries.js';
import { type Holder, holderOfKey, holderOfTag, nameOfLocation } from './restore-queries.js';
import type { Obstacle } from './restore.js';

const entryRule = { min: 1, max: 18, pattern: /^[1-9][0-9]*$/, words: 'the id of a change' } as const;

const input = z.strictObject({
  kind: choiceParameter(['asset', 'location'] as const),
  object_id: idParameter(),
  /** The id and the instant of an entry of `activity.list`. */
  entry_id: textParameter(entryRule),
  occurred_at: timestampParameter(),
  /** Whether to also restore fields that were changed again since. */
  overwrite: z.boolean().default(false),
});

/**
 * The result for the change. `changed_since` has the fields whose values differ by now from the values that the change
 * gave them; nothing was restored then.
 */
export type RestoredChange =
  | { status: 'done' }
  | { status: 'changed_since'; fields: LoggedColumn[] }
  | { status: 'failed'; reason: 'key_taken' | 'tag_taken'; value: string; by: Obstacle }
  | { status: 'failed'; reason: 'parent_deleted' | 'parent_below'; by: Obstacle }
  | { status: 'failed'; reason: 'too_deep' | 'kind_deleted' };

type Scope = { db: Database; orgId: number; author: Author };

/**
 * Undoes one change of an asset or location: gives its fields the values before the change, attaches the tag that it
 * detached, or detaches the tag that it attached. Restores everything or nothing.
 *
 * @throws ContractError `not_found` if there is no such change or no live row, `conflict` for a change without fields
 */
export const restoreChange = sessionProcedure('manager')
  .input(input)
  .mutation(async ({ ctx, input: wanted }): Promise<RestoredChange> => {
    const scope = { db: ctx.services.db, orgId: ctx.orgId, author: ctx.author };
    const entry = await findEntry(scope.db, ctx.orgId, {
      kind: wanted.kind,
      objectId: String(wanted.object_id),
      key: { occurredAtMs: wanted.occurred_at, id: wanted.entry_id },
    });
    if (!entry) throw refusal('change_gone');
    if (entry.action === 'tag_attached' || entry.action === 'tag_detached') {
      return restoreTag(scope, { kind: wanted.kind, id: wanted.object_id }, entry);
    }
    if (entry.action !== 'updated') throw notRestorable();
    return restoreFields(scope, wanted, entry);
  });

function notRestorable(): ContractError {
  return refusal('change_not_restorable');
}

async function restoreTag(
  { db, orgId, author }: Scope,
  { kind, id }: { kind: TrashKind; id: number },
  { action, before, after }: LoggedEntry,
): Promise<RestoredChange> {
  const text = before['tag'] ?? after['tag'];
  if (typeof text !== 'string') throw notRestorable();
  const tagType = text.slice(0, text.indexOf(':')) as TagType;
  const value = text.slice(tagType.length + 1);
  const holder = await holderOfTag(db, orgId, { tagType, value });
  const isOwn = holder?.kind === kind && holder.id === id;
  if (action === 'tag_attached') {
    if (isOwn) await detachTag(db, orgId, { parent: kind, parentId: id, tagId: holder.tag_id, author });
    return { status: 'done' };
  }
  if (isOwn) return { status: 'done' };
  if (holder) return taken('tag_taken', holder);
  try {
    const tag = await attachTag(db, orgId, { parent: kind, parentId: id, tag: { tag_type: tagType, value }, author });
    if (!tag) throw refusal('not_found', { what: kind === 'asset' ? 'Asset' : 'Location' });
    return { status: 'done' };
  } catch (error) {
    const other = breaksUnique(error, 'tags_live_pair') && (await holderOfTag(db, orgId, { tagType, value }));
    if (!other) throw error;
    return taken('tag_taken', other);
  }
}

function taken(reason: 'key_taken' | 'tag_taken', { value, kind, id, name }: Holder): RestoredChange {
  return { status: 'failed', reason, value, by: { kind, id, name } };
}

async function restoreFields(
  { db, orgId, author }: Scope,
  wanted: z.output<typeof input>,
  entry: LoggedEntry,
): Promise<RestoredChange> {
  const { kind } = wanted;
  const keys = [{ occurredAtMs: wanted.occurred_at, id: wanted.entry_id }];
  try {
    return await db.$transaction(async (tx) => {
      if (kind === 'location') await tx.$queryRaw(lockStatement('tree', orgId));
      const [state] = await lockChanges(tx, orgId, { kind, keys });
      if (!state || state.is_deleted) {
        throw refusal('not_found', { what: kind === 'asset' ? 'Asset' : 'Location' });
      }
      if (state.is_empty) throw notRestorable();
      if (state.is_without_kind) return { status: 'failed', reason: 'kind_deleted' };
      if (state.changed_since.length > 0 && !wanted.overwrite) {
        return { status: 'changed_since', fields: state.changed_since };
      }
      const obstacle = await obstacleAbove(tx, orgId, state);
      if (obstacle) return obstacle;
      await takeBackChanges(tx, orgId, { kind, keys, author });
      return { status: 'done' };
    });
  } catch (error) {
    const key = entry.before['external_key'];
    if (!breaksUnique(error, `${kind}s_live_external_key`) || typeof key !== 'string') throw error;
    const holder = await holderOfKey(db, orgId, { kind, key });
    if (!holder) throw error;
    return taken('key_taken', holder);
  }
}

/** Returns why a moved location cannot be below its former parent again; the caller holds the tree. */
export async function obstacleAbove(
  tx: TransactionClient,
  orgId: number,
  { row_id: locationId, moved, former_parent_id: parentId }: ChangeState,
): Promise<RestoredChange | undefined> {
  if (!moved || parentId === null) return undefined;
  const parent = await nameOfLocation(tx, orgId, parentId);
  const by = { kind: 'location' as const, id: parentId, name: parent?.name ?? '' };
  if (!parent?.is_live) return { status: 'failed', reason: 'parent_deleted', by };
  if (await isInSubtree(tx, orgId, { locationId, candidateId: parentId })) {
    return { status: 'failed', reason: 'parent_below', by };
  }
  try {
    await rejectTooDeep(tx, orgId, { parentId, locationId });
    return undefined;
  } catch (error) {
    if (error instanceof ContractError && error.type === 'conflict') return { status: 'failed', reason: 'too_deep' };
    throw error;
  }
}
