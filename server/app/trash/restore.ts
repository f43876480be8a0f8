import type { Author } from '../../people/activity/author.js';
import type { Database } from '../../kernel/database/client.js';
import { breaksUnique } from '../../kernel/database/faults.js';
import { transactionUnderLock } from '../../kernel/database/locks.js';
import { ContractError, refusal } from '../../kernel/errors.js';
import { rejectTooDeep } from '../../things/locations/tree-queries.js';
import { settleRestored } from '../../tracking/containers/settle-queries.js';
import type { TrashKind } from './list-queries.js';
import { findHolder, parentOf, restoreRows, statesOf, touchReadersOf } from './restore-queries.js';

export type TrashItem = { kind: TrashKind; id: number };

/** A row that keeps another one from being restored. */
export type Obstacle = TrashItem & { name: string };

/**
 * Why an item was not restored: its key or a tag is in use by now, its parent is deleted, the tree would have too many levels, or
 * no such row was deleted in the last 30 days (`gone`).
 */
export type RestoreFailure =
  | { status: 'failed'; reason: 'key_taken' | 'tag_taken'; value: string; by: Obstacle }
  | { status: 'failed'; reason: 'parent_deleted'; by: Obstacle }
  | { status: 'failed'; reason: 'too_deep' | 'gone' };

/** `was_live`: it was restored before. */
export type RestoreResult = TrashItem & ({ status: 'done'; was_live: boolean } | RestoreFailure);

type Scope = { db: Database; orgId: number; author: Author };

/**
 * Restores assets: all of them together if possible, otherwise one by one. A live asset counts as restored, so that two
 * people can undo the same deletion.
 */
export async function restoreAssets(scope: Scope, ids: readonly number[]): Promise<RestoreResult[]> {
  if (ids.length === 0) return [];
  const { db, orgId, author } = scope;
  let restored: ReadonlySet<number>;
  try {
    restored = await db.$transaction(async (tx) => {
      const back = await restoreRows(tx, orgId, { kind: 'asset', ids, author });
      await settleRestored(tx, orgId, ids);
      return back;
    });
  } catch (error) {
    if (!isTaken(error)) throw error;
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return [await takenResult(scope, { kind: 'asset', id: only }, error)];
    const results: RestoreResult[] = [];
    for (const id of ids) results.push(...(await restoreAssets(scope, [id])));
    return results;
  }
  return outcomesOf(scope, { kind: 'asset', ids, restored });
}

/** Restores a location at its place in the tree, with its floor plan and its outlines on other plans. */
export async function restoreLocation(scope: Scope, id: number): Promise<RestoreResult> {
  const { db, orgId, author } = scope;
  const item = { kind: 'location', id } as const;
  let restored: ReadonlySet<number> = new Set();
  try {
    const failure = await transactionUnderLock(db, { lock: 'tree', orgId }, async (tx) => {
      const [state] = await statesOf(tx, orgId, { kind: 'location', ids: [id] });
      if (!state?.is_restorable) return undefined;
      const parent = await parentOf(tx, orgId, id);
      if (parent && parent.parent_id !== null) {
        const { parent_id: parentId, parent_name: name, parent_is_deleted: isDeleted } = parent;
        if (isDeleted)
          return { reason: 'parent_deleted', by: { kind: 'location', id: parentId, name: name ?? '' } } as const;
        await rejectTooDeep(tx, orgId, { parentId, locationId: id });
      }
      restored = await restoreRows(tx, orgId, { kind: 'location', ids: [id], author });
      await touchReadersOf(tx, orgId, id);
      return undefined;
    });
    if (failure) return { ...item, status: 'failed', ...failure };
  } catch (error) {
    if (isTaken(error)) return takenResult(scope, item, error);
    if (error instanceof ContractError && error.type === 'conflict')
      return { ...item, status: 'failed', reason: 'too_deep' };
    throw error;
  }
  const [result] = await outcomesOf(scope, { kind: 'location', ids: [id], restored });
  return result ?? { ...item, status: 'failed', reason: 'gone' };
}

const takenIndexes = ['assets_live_external_key', 'locations_live_external_key', 'tags_live_pair'];

function isTaken(error: unknown): boolean {
  return takenIndexes.some((index) => breaksUnique(error, index));
}

/**
 * Returns the result with the row in the way. @throws the error if that row is gone by now; the call can be repeated
 */
async function takenResult({ db, orgId }: Scope, item: TrashItem, error: unknown): Promise<RestoreResult> {
  const holder = await findHolder(db, orgId, item);
  if (!holder) throw refusal('changed_meanwhile', undefined, { cause: error });
  const { value, is_key: isKey, kind, id, name } = holder;
  return { ...item, status: 'failed', reason: isKey ? 'key_taken' : 'tag_taken', value, by: { kind, id, name } };
}

/** Returns the names of items by kind and id; items that do not exist are missing. */
export async function namesOf(
  db: Database,
  orgId: number,
  items: readonly TrashItem[],
): Promise<(item: TrashItem) => string | undefined> {
  const names = new Map<string, string>();
  for (const kind of ['asset', 'location'] as const) {
    const ids = items.filter((item) => item.kind === kind).map(({ id }) => id);
    for (const { id, name } of ids.length === 0 ? [] : await statesOf(db, orgId, { kind, ids })) {
      names.set(`${kind} ${id}`, name);
    }
  }
  return ({ kind, id }) => names.get(`${kind} ${id}`);
}

type Outcomes = { kind: TrashKind; ids: readonly number[]; restored: ReadonlySet<number> };

async function outcomesOf({ db, orgId }: Scope, { kind, ids, restored }: Outcomes): Promise<RestoreResult[]> {
  const states = new Map((await statesOf(db, orgId, { kind, ids })).map((state) => [state.id, state]));
  return ids.map((id) =>
    states.get(id)?.is_live
      ? { kind, id, status: 'done', was_live: !restored.has(id) }
      : { kind, id, status: 'failed', reason: 'gone' },
  );
}
