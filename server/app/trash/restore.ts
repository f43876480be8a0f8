import type { Author } from '../../people/activity/author.js';
import type { Database } from '../../kernel/database/client.js';
import { breaksUnique } from '../../kernel/database/faults.js';
import { transactionUnderLock } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import { levelsMax } from '../../things/locations/tree.js';
import { settleRestored } from '../../tracking/containers/settle-queries.js';
import type { ResourceKind } from '../../kernel/fields.js';
import { findHolder, findParents, type ParentState, restoreRows, statesOf, touchReadersOf } from './restore-queries.js';

export type TrashItem = { kind: ResourceKind; id: number };

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
 * Restores assets: all of them together if possible, otherwise in ever smaller parts. A live asset counts as restored, so that two
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
    return inHalves(ids, (half) => restoreAssets(scope, half));
  }
  return outcomesOf(scope, { kind: 'asset', ids, restored });
}

async function inHalves(
  ids: readonly number[],
  restore: (half: readonly number[]) => Promise<RestoreResult[]>,
): Promise<RestoreResult[]> {
  const middle = Math.ceil(ids.length / 2);
  const first = await restore(ids.slice(0, middle));
  return [...first, ...(await restore(ids.slice(middle)))];
}

/**
 * Restores locations at their places in the tree, with their floor plans and their outlines on other plans: all of them together if
 * possible, otherwise in ever smaller parts, so give those above first.
 */
export async function restoreLocations(scope: Scope, ids: readonly number[]): Promise<RestoreResult[]> {
  if (ids.length === 0) return [];
  const { db, orgId, author } = scope;
  let done: { restored: ReadonlySet<number>; failures: ReadonlyMap<number, RestoreFailure> };
  try {
    done = await transactionUnderLock(db, { lock: 'tree', orgId }, async (tx) => {
      const failures = failuresAbove(await findParents(tx, orgId, ids));
      const free = ids.filter((id) => !failures.has(id));
      const restored = await restoreRows(tx, orgId, { kind: 'location', ids: free, author });
      await touchReadersOf(tx, orgId, [...restored]);
      return { restored, failures };
    });
  } catch (error) {
    if (!isTaken(error)) throw error;
    const [only] = ids;
    if (ids.length === 1 && only !== undefined)
      return [await takenResult(scope, { kind: 'location', id: only }, error)];
    return inHalves(ids, (half) => restoreLocations(scope, half));
  }
  const results = await outcomesOf(scope, { kind: 'location', ids, restored: done.restored });
  return results.map((result) => {
    const failure = done.failures.get(result.id);
    return failure ? { kind: result.kind, id: result.id, ...failure } : result;
  });
}

/** Returns why locations cannot be restored together: a parent has to be live or among them. */
function failuresAbove(states: readonly ParentState[]): Map<number, RestoreFailure> {
  const failures = new Map<number, RestoreFailure>();
  const restored = new Set<number>();
  for (const state of [...states].sort((one, other) => one.levels - other.levels)) {
    const { id, parent_id: parentId, parent_name: name, parent_is_deleted: isDeleted, levels } = state;
    if (parentId !== null && isDeleted && !restored.has(parentId)) {
      const by = { kind: 'location', id: parentId, name: name ?? '' } as const;
      failures.set(id, { status: 'failed', reason: 'parent_deleted', by });
    } else if (levels > levelsMax) failures.set(id, { status: 'failed', reason: 'too_deep' });
    else restored.add(id);
  }
  return failures;
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

type Outcomes = { kind: ResourceKind; ids: readonly number[]; restored: ReadonlySet<number> };

async function outcomesOf({ db, orgId }: Scope, { kind, ids, restored }: Outcomes): Promise<RestoreResult[]> {
  const states = new Map((await statesOf(db, orgId, { kind, ids })).map((state) => [state.id, state]));
  return ids.map((id) =>
    states.get(id)?.is_live
      ? { kind, id, status: 'done', was_live: !restored.has(id) }
      : { kind, id, status: 'failed', reason: 'gone' },
  );
}
