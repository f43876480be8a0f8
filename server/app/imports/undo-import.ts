import type { Author } from '../../people/activity/author.js';
import { recordChange } from '../../people/activity/record.js';
import { retireAssets } from '../../things/assets/bulk-queries.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import { retireLocation } from '../../things/locations/queries.js';
import { obstacleAbove } from '../trash/restore-change.js';
import { type ChangeState, type EntryKey, lockChanges, takeBackChanges } from '../trash/change-queries.js';
import type { TrashKind } from '../trash/list-queries.js';
import { sessionProcedure } from '../../trpc.js';
import { textParameter } from '../../kernel/validation/parameters.js';
import { findImport } from './queries.js';
import { importIdInput, importRowsMax } from './schemas.js';
import {
  type AppliedImport,
  attachAgain,
  canUndo,
  detachAgain,
  findImportEntries,
  type ImportEntry,
  lockTagParents,
  noteUndone,
  occupancyOf,
  type UndoneAction,
} from './undo-queries.js';
import { importNotFound } from './view.js';

/**
 * The order in which changes are taken back: tags of what was created are free for the assets that they were detached from,
 * and tags that were attached are detached before they are attached elsewhere.
 */
const actions = ['created', 'tag_attached', 'tag_detached', 'updated'] as const satisfies UndoneAction[];

/** Entries of one call. Each location is judged by itself, under the lock of the tree. */
const entriesMax = { asset: 500, location: 100 } as const;

/** Created locations are looked at together, since those above can only go after those below. */
const createdLocationsMax = importRowsMax;

const cursorRule = {
  min: 2,
  max: 60,
  pattern: /^[0-3]\.(?:[0-9]{1,15}\.[0-9]{1,18})?$/,
  words: 'the cursor of an undo',
} as const;

/** Why a change was not taken back. `in_use`: a location with assets or sublocations that the import did not create. */
export type UndoRefusal = 'changed' | 'deleted' | 'kind_deleted' | 'tag_taken' | 'in_use' | 'location_gone';

export type RefusedItem = { kind: TrashKind; id: number; name: string; reason: UndoRefusal };

/** One part of the undo of an import; `next` is the cursor of the next part, null once all is done. */
export type UndonePart = { taken_back: number; refused: RefusedItem[]; next: string | null };

type Scope = { db: Database; orgId: number; author: Author };

/**
 * Takes back a part of what an import of the last 30 days did: deletes what it created, and gives what it changed its former
 * values and tags, except what was changed since. The caller continues with `next`; a part that was done already
 * changes nothing.
 *
 * @throws ContractError `conflict` if the import was not applied, was undone, is older, or has nothing to take back
 */
export const undoImport = sessionProcedure('manager')
  .input(importIdInput.extend({ cursor: textParameter(cursorRule).exactOptional() }))
  .mutation(async ({ ctx, input: { import_id: importId, cursor = '0.' } }): Promise<UndonePart> => {
    const { db } = ctx.services;
    const { orgId, author } = ctx;
    const row = await findImport(db, orgId, importId);
    if (!row) throw importNotFound();
    if (!(await canUndo(db, orgId, row)) || row.finished_at === null) throw refusal('import_not_undoable');
    const kind = row.kind === 'assets' ? 'asset' : 'location';
    const part = await undoPart(
      { db, orgId, author },
      { importId, kind, finishedMs: row.finished_at },
      readCursor(cursor),
    );
    if (part.next === null) {
      await db.$transaction(async (tx) => {
        if (!(await noteUndone(tx, orgId, importId))) return;
        await recordChange(
          tx,
          { orgId, author },
          { kind: 'import', objectId: importId, objectName: row.file_name, action: 'undone' },
        );
      });
    }
    return part;
  });

type Cursor = { step: number; after: EntryKey | undefined };

function readCursor(text: string): Cursor {
  const [step = '0', ms, id] = text.split('.');
  return { step: Number(step), after: ms && id ? { occurredAtMs: Number(ms), id } : undefined };
}

async function undoPart(scope: Scope, applied: AppliedImport, { step, after }: Cursor): Promise<UndonePart> {
  const action = actions[step];
  if (action === undefined) return { taken_back: 0, refused: [], next: null };
  if (action === 'created' && applied.kind === 'location') return deleteLocations(scope, applied);
  const limit = entriesMax[applied.kind];
  const found = await findImportEntries(scope.db, scope.orgId, { applied, action, after, limit });
  const done = found.length === 0 ? { taken: 0, refused: [] } : await takeBack[action](scope, applied.kind, found);
  const last = found.at(-1);
  const isOver = last === undefined || found.length < limit;
  const next = isOver ? `${step + 1}.` : `${step}.${last.occurredAtMs}.${last.id}`;
  return { taken_back: done.taken, refused: done.refused, next: isOver && step + 1 === actions.length ? null : next };
}

type Outcome = { taken: number; refused: RefusedItem[] };

const takeBack: Record<UndoneAction, (scope: Scope, kind: TrashKind, found: ImportEntry[]) => Promise<Outcome>> = {
  async created({ db, orgId, author }, _kind, found) {
    const deleted = await retireAssets(db, orgId, { ids: found.map(({ rowId }) => rowId), author });
    return { taken: deleted.size, refused: [] };
  },
  async tag_attached({ db, orgId, author }, kind, found) {
    await db.$transaction(async (tx) => {
      await lockTagParents(tx, orgId, { kind, ids: found.map(({ rowId }) => rowId) });
      await detachAgain(tx, orgId, { kind, keys: found, author });
    });
    return { taken: found.length, refused: [] };
  },
  async tag_detached({ db, orgId, author }, kind, found) {
    const missing = await db.$transaction(async (tx) => {
      await lockTagParents(tx, orgId, { kind, ids: found.map(({ rowId }) => rowId) });
      return attachAgain(tx, orgId, { kind, keys: found, author });
    });
    return {
      taken: found.length - missing.size,
      refused: refusedOf(kind, found, ({ id }) => (missing.has(id) ? 'tag_taken' : undefined)),
    };
  },
  async updated({ db, orgId, author }, kind, found) {
    return db.$transaction(async (tx) => {
      const why = new Map<string, UndoRefusal>();
      if (kind === 'location') await tx.$queryRaw(lockStatement('tree', orgId));
      const states = await lockChanges(tx, orgId, { kind, keys: found });
      for (const state of states) {
        const reason = refusalOf(state);
        if (reason) why.set(state.entry_id, reason);
      }
      const free = found.filter(({ id }) => !why.has(id));
      if (kind === 'asset') await takeBackChanges(tx, orgId, { kind, keys: free, author });
      else for (const { id } of await moveBack(tx, orgId, { free, states, author })) why.set(id, 'location_gone');
      return { taken: found.length - why.size, refused: refusedOf(kind, found, ({ id }) => why.get(id)) };
    });
  },
};

/**
 * Takes back the changes of locations one after the other, again and again: a location can be moved back once what is
 * in its way was.
 */
async function moveBack(
  tx: TransactionClient,
  orgId: number,
  { free, states, author }: { free: readonly ImportEntry[]; states: readonly ChangeState[]; author: Author },
): Promise<ImportEntry[]> {
  const stateOf = new Map(states.map((state) => [state.entry_id, state]));
  let left = [...free];
  for (let before = left.length + 1; left.length < before; ) {
    before = left.length;
    const blocked: ImportEntry[] = [];
    for (const entry of left) {
      const state = stateOf.get(entry.id);
      if (state && (await obstacleAbove(tx, orgId, state))) blocked.push(entry);
      else await takeBackChanges(tx, orgId, { kind: 'location', keys: [entry], author });
    }
    left = blocked;
  }
  return left;
}

function refusalOf(state: ChangeState): UndoRefusal | undefined {
  if (state.is_deleted) return 'deleted';
  if (state.is_without_kind) return 'kind_deleted';
  return state.changed_since.length > 0 ? 'changed' : undefined;
}

function refusedOf(
  kind: TrashKind,
  found: readonly ImportEntry[],
  why: (entry: ImportEntry) => UndoRefusal | undefined,
): RefusedItem[] {
  return found.flatMap((entry) => {
    const reason = why(entry);
    return reason ? [{ kind, id: entry.rowId, name: entry.name, reason }] : [];
  });
}

/**
 * Deletes created locations that nothing is in. Each call can leave locations above empty, so it is repeated until one deletes
 * none.
 */
async function deleteLocations(scope: Scope, applied: AppliedImport): Promise<UndonePart> {
  const { db, orgId, author } = scope;
  const options = { applied, action: 'created', after: undefined, limit: createdLocationsMax } as const;
  const found = await findImportEntries(db, orgId, options);
  const ids = found.map(({ rowId }) => rowId);
  const { live, deleted } = await db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement('tree', orgId));
    const live = await occupancyOf(tx, orgId, ids);
    const deleted = live.filter(({ is_empty: isEmpty }) => isEmpty).slice(0, entriesMax.location);
    for (const { id } of deleted) await retireLocation(tx, orgId, { locationId: id, author });
    return { live, deleted };
  });
  if (deleted.length > 0) return { taken_back: deleted.length, refused: [], next: '0.' };
  const left = new Set(live.map(({ id }) => id));
  const refused = refusedOf('location', found, ({ rowId }) => (left.has(rowId) ? 'in_use' : undefined));
  return { taken_back: 0, refused, next: '1.' };
}
