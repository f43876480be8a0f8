import { lockStatement } from '../../kernel/database/locks.js';
import { retireAssets } from '../../things/assets/bulk-queries.js';
import { retireLocations } from '../../things/locations/queries.js';
import { restoreAssets, restoreLocations } from '../trash/restore.js';
import { lockRows } from './change-queries.js';
import { moveBetweenContainers } from './containments.js';
import type { UndoneAction } from './entries.js';
import { findEmpty } from './location-queries.js';
import { type Given, leftOf, type Obstruction, type Outcome, type UndoScope } from './outcome.js';
import { placeBack } from './placements.js';
import { attachAgain, detachAgain, type MissingTag, overtakenTags } from './tag-queries.js';
import { takeBackUpdates } from './updates.js';

/** Once this many locations are deleted, the next call deletes the others, so that the tree is not locked for long. */
const deletedMax = 1000;

/**
 * Takes back changes of one kind of object with one action, the newest first, except what was changed since. Changes that were taken
 * back already are no obstacles, so two people can undo the same. Another kind of entry needs a line here and in `undoneActions`.
 */
export const takeBack: Record<UndoneAction, (scope: UndoScope, given: Given) => Promise<Outcome>> = {
  created: deleteAgain,
  restored: deleteAgain,
  async deleted(scope, { kind, entries }) {
    const ids = entries.map(({ rowId }) => rowId);
    // Locations above were deleted after the locations below, so their entries are first.
    const results = kind === 'asset' ? await restoreAssets(scope, ids) : await restoreLocations(scope, ids);
    const failures = new Map(
      results.flatMap(({ kind: _, id, ...result }) => (result.status === 'failed' ? [[id, result] as const] : [])),
    );
    const taken = results.filter((result) => result.status === 'done' && !result.was_live).length;
    return { taken, left: leftOf(entries, ({ rowId }) => failures.get(rowId)) };
  },
  async tag_attached({ db, orgId, author }, { kind, entries }) {
    const taken = await db.$transaction(async (tx) => {
      await lockRows(tx, orgId, { kind, ids: entries.map(({ rowId }) => rowId) });
      return detachAgain(tx, orgId, { kind, keys: entries, author });
    });
    return { taken, left: new Map() };
  },
  async tag_detached({ db, orgId, author }, { kind, entries, overwrite }) {
    return db.$transaction(async (tx) => {
      await lockRows(tx, orgId, { kind, ids: entries.map(({ rowId }) => rowId) });
      const overtaken = overwrite ? new Set<string>() : await overtakenTags(tx, orgId, { keys: entries, author });
      const { taken, missing } = await attachAgain(tx, orgId, { kind, keys: entries, author, overtaken });
      const reasons = new Map(missing.map((tag) => [tag.entry_id, obstructionOf(tag, overtaken)]));
      return { taken, left: leftOf(entries, ({ id }) => reasons.get(id)) };
    });
  },
  updated: takeBackUpdates,
  placed: (scope, { entries }) => placeBack(scope, entries),
  put_in: moveBetweenContainers,
  taken_out: moveBetweenContainers,
};

async function deleteAgain(scope: UndoScope, given: Given): Promise<Outcome> {
  const { kind, entries } = given;
  if (kind === 'location') return deleteEmpty(scope, given);
  const { db, orgId, author } = scope;
  const ids = entries.map(({ rowId }) => rowId);
  const deleted = await db.$transaction((tx) => retireAssets(tx, orgId, { ids, author }));
  return { taken: deleted.size, left: new Map() };
}

function obstructionOf(
  { entry_id: entryId, value, kind, id, name, is_deleted: isDeleted }: MissingTag,
  overtaken: ReadonlySet<string>,
): Obstruction {
  if (id === null && isDeleted) return { status: 'failed', reason: 'deleted' };
  if (id === null && overtaken.has(entryId)) return { status: 'changed_since', fields: ['tag'] };
  if (id === null) return { status: 'failed', reason: 'too_many_tags' };
  return { status: 'failed', reason: 'tag_taken', value, by: { kind, id, name: name ?? '' } };
}

/**
 * Deletes created or restored locations that nothing is in. A location above that becomes empty is deleted too if the batch created or
 * restored it, since the entries of one statement are in any order. If it deletes many, it has to be repeated.
 */
async function deleteEmpty({ db, orgId, author }: UndoScope, { entries, batchId }: Given): Promise<Outcome> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement('tree', orgId));
    let ids = entries.map(({ rowId }) => rowId);
    let taken = 0;
    while (taken < deletedMax) {
      ids = await findEmpty(tx, orgId, { ids, batchId });
      if (ids.length === 0) return { taken, left: new Map() };
      await retireLocations(tx, orgId, { ids, author });
      taken += ids.length;
    }
    return { taken, left: new Map(), isPartial: true };
  });
}
