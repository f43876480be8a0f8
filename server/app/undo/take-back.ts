import type { Author } from '../../people/activity/author.js';
import type { UndoneKind } from '../../people/activity/batches.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { breaksUnique, lacksReference } from '../../kernel/database/faults.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import { retireAssets } from '../../things/assets/bulk-queries.js';
import { retireLocation } from '../../things/locations/queries.js';
import { restoreAssets, restoreLocation } from '../trash/restore.js';
import { type ChangeState, lockChanges, takeBackChanges } from './change-queries.js';
import { moveBetweenContainers } from './containments.js';
import type { Given, Obstruction, Outcome, UndoScope } from './outcome.js';
import type { Entry, UndoneAction } from './entries.js';
import { obstacleAbove, occupancyOf } from './location-queries.js';
import { placeBack } from './placements.js';
import { attachAgain, detachAgain, lockTagParents, type MissingTag, overtakenTags } from './tag-queries.js';

/** Locations of one call: each is judged by itself, under the lock of the tree. */
export const locationsMax = 100;

/**
 * Takes back changes of one kind of object with one action, the newest first, except what was changed since. Changes that were taken back already
 * are no obstacles, so two people can undo the same. Another kind of entry needs a line here and in `undoneActions`.
 */
export const takeBack: Record<UndoneAction, (scope: UndoScope, given: Given) => Promise<Outcome>> = {
  created: deleteAgain,
  restored: deleteAgain,
  async deleted(scope, { kind, entries }) {
    const ids = entries.map(({ rowId }) => rowId);
    const results = kind === 'asset' ? await restoreAssets(scope, ids) : [];
    // Locations above were deleted after the locations below, so their entries are first.
    if (kind === 'location') for (const id of ids) results.push(await restoreLocation(scope, id));
    const failures = new Map(
      results.flatMap(({ kind: _, id, ...result }) => (result.status === 'failed' ? [[id, result] as const] : [])),
    );
    const taken = results.filter((result) => result.status === 'done' && !result.was_live).length;
    return { taken, left: leftOf(entries, ({ rowId }) => failures.get(rowId)) };
  },
  async tag_attached({ db, orgId, author }, { kind, entries }) {
    const taken = await db.$transaction(async (tx) => {
      await lockTagParents(tx, orgId, { kind, ids: entries.map(({ rowId }) => rowId) });
      return detachAgain(tx, orgId, { kind, keys: entries, author });
    });
    return { taken, left: new Map() };
  },
  async tag_detached({ db, orgId, author }, { kind, entries, overwrite }) {
    return db.$transaction(async (tx) => {
      await lockTagParents(tx, orgId, { kind, ids: entries.map(({ rowId }) => rowId) });
      const overtaken = overwrite ? new Set<string>() : await overtakenTags(tx, orgId, { keys: entries, author });
      const { taken, missing } = await attachAgain(tx, orgId, { kind, keys: entries, author, overtaken });
      const reasons = new Map(missing.map((tag) => [tag.entry_id, obstructionOf(tag, overtaken)]));
      return { taken, left: leftOf(entries, ({ id }) => reasons.get(id)) };
    });
  },
  async updated({ db, orgId, author }, { kind, entries, overwrite }) {
    try {
      return await db.$transaction(async (tx) => {
        if (kind === 'location') await tx.$queryRaw(lockStatement('tree', orgId));
        const outcome = { taken: 0, left: new Map<string, Obstruction>() };
        for (const round of roundsOf(entries)) {
          const { taken, left } = await takeBackRound(tx, { orgId, author }, { kind, entries: round, overwrite });
          outcome.taken += taken;
          for (const [id, why] of left) outcome.left.set(id, why);
        }
        return outcome;
      });
    } catch (error) {
      if (!breaksUnique(error, `${kind}s_live_external_key`) && !lacksReference(error)) throw error;
      throw refusal('changed_meanwhile', undefined, { cause: error });
    }
  },
  placed: (scope, { entries }) => placeBack(scope, entries),
  put_in: moveBetweenContainers,
  taken_out: moveBetweenContainers,
};

async function deleteAgain(scope: UndoScope, { kind, entries }: Given): Promise<Outcome> {
  if (kind === 'location') return deleteEmpty(scope, entries);
  const { db, orgId, author } = scope;
  const ids = entries.map(({ rowId }) => rowId);
  const deleted = await db.$transaction((tx) => retireAssets(tx, orgId, { ids, author }));
  return { taken: deleted.size, left: new Map() };
}

function leftOf(entries: readonly Entry[], why: (entry: Entry) => Obstruction | undefined): Map<string, Obstruction> {
  return new Map(
    entries.flatMap((entry) => {
      const reason = why(entry);
      return reason ? [[entry.id, reason]] : [];
    }),
  );
}

/** Divides entries so that a row is once in each part. An earlier change of a row can be taken back after the later one. */
function roundsOf(entries: readonly Entry[]): Entry[][] {
  const counts = new Map<number, number>();
  const rounds: Entry[][] = [];
  for (const entry of entries) {
    const round = counts.get(entry.rowId) ?? 0;
    counts.set(entry.rowId, round + 1);
    (rounds[round] ??= []).push(entry);
  }
  return rounds;
}

/** Reasons that can pass once other changes of the same round are taken back. */
const passing: ReadonlySet<string> = new Set(['key_taken', 'parent_below', 'too_deep']);

/** Takes back changes of different rows, and again what was in the way of each other. */
async function takeBackRound(
  tx: TransactionClient,
  { orgId, author }: Pick<UndoScope, 'orgId' | 'author'>,
  { kind, entries, overwrite }: Given,
): Promise<Outcome> {
  const outcome = { taken: 0, left: new Map<string, Obstruction>() };
  let waiting = entries;
  for (let taken = 1; taken > 0 && waiting.length > 0; outcome.taken += taken) {
    const states = await lockChanges(tx, orgId, { kind, keys: waiting });
    const stateOf = new Map(states.map((state) => [state.entry_id, state]));
    const left = leftOf(waiting, ({ id }) => refusalOf(kind, stateOf.get(id), overwrite));
    const free = waiting.filter(({ id }) => !left.has(id));
    if (kind === 'asset') taken = await takeBackChanges(tx, orgId, { kind, keys: free, author });
    else {
      const moved = await moveBack(tx, orgId, { free, stateOf, author });
      taken = moved.taken;
      for (const [id, why] of moved.left) left.set(id, why);
    }
    for (const { id } of waiting) outcome.left.delete(id);
    for (const [id, why] of left) outcome.left.set(id, why);
    waiting = waiting.filter(({ id }) => {
      const why = left.get(id);
      return why?.status === 'failed' && passing.has(why.reason);
    });
  }
  return outcome;
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

function refusalOf(kind: UndoneKind, state: ChangeState | undefined, overwrite: boolean): Obstruction | undefined {
  if (!state || state.is_deleted) return { status: 'failed', reason: 'deleted' };
  if (state.is_without_kind) return { status: 'failed', reason: 'kind_deleted' };
  if (state.changed_since.length > 0 && !overwrite) return { status: 'changed_since', fields: state.changed_since };
  if (state.is_too_long) return { status: 'failed', reason: 'details_too_long' };
  if (!state.key_holder) return undefined;
  return { status: 'failed', reason: 'key_taken', value: state.former_key ?? '', by: { kind, ...state.key_holder } };
}

type MovesBack = { free: readonly Entry[]; stateOf: ReadonlyMap<string, ChangeState>; author: Author };

/** Takes back the changes of locations one after the other, where nothing is in the way. */
async function moveBack(tx: TransactionClient, orgId: number, { free, stateOf, author }: MovesBack): Promise<Outcome> {
  const moved = { taken: 0, left: new Map<string, Obstruction>() };
  for (const entry of free) {
    const state = stateOf.get(entry.id);
    const obstacle = state && (await obstacleAbove(tx, orgId, state));
    if (obstacle) moved.left.set(entry.id, obstacle);
    else moved.taken += await takeBackChanges(tx, orgId, { kind: 'location', keys: [entry], author });
  }
  return moved;
}

/**
 * Deletes created or restored locations that nothing is in. Each call can leave locations above empty, so it is repeated until one deletes
 * none; pass all of them each time.
 */
async function deleteEmpty({ db, orgId, author }: UndoScope, entries: readonly Entry[]): Promise<Outcome> {
  const ids = entries.map(({ rowId }) => rowId);
  const { live, deleted } = await db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement('tree', orgId));
    const live = await occupancyOf(tx, orgId, ids);
    const deleted = live.filter(({ is_empty: isEmpty }) => isEmpty).slice(0, locationsMax);
    for (const { id } of deleted) await retireLocation(tx, orgId, { locationId: id, author });
    return { live, deleted };
  });
  if (deleted.length > 0) return { taken: deleted.length, left: new Map(), isPartial: true };
  const used = new Set(live.map(({ id }) => id));
  return {
    taken: 0,
    left: leftOf(entries, ({ rowId }) => (used.has(rowId) ? { status: 'failed', reason: 'in_use' } : undefined)),
  };
}
