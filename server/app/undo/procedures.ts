import { z } from 'zod';
import { inBatch, isUndoable, recordBatch, undoingBatch } from '../../people/activity/batches.js';
import { recordChange } from '../../people/activity/record.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { refusal } from '../../kernel/errors.js';
import type { ResourceKind } from '../../kernel/fields.js';
import { formatTimestamp } from '../../kernel/time.js';
import { uuidField } from '../../kernel/validation/uuid-field.js';
import { textParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { sessionProcedure } from '../../trpc.js';
import {
  type Entry,
  type EntryKey,
  findBatchEntries,
  findEntries,
  findStillLive,
  undoneActions,
  type UndoneAction,
} from './entries.js';
import type { Obstruction, Outcome, UndoScope } from './outcome.js';
import { takeBack } from './take-back.js';

/** Entries of one call. */
const entriesMax = 500;

/** Entries of one transaction that locks the tree: locations are moved one by one, and each asset may be put into another container. */
const runMax: Record<ResourceKind, Partial<Record<UndoneAction, number>>> = {
  asset: { put_in: 100, taken_out: 100 },
  location: { updated: 100 },
};

/** After this time a call begins no further transaction. */
const partMsMax = 1000;

/** Entries that can be named, such as the entries that a person is asked about. */
const namedMax = 100;

const cursorRule = {
  min: 2,
  max: 60,
  pattern: /^[0-9]\.(?:[0-9]{1,15}\.[0-9]{1,18})?$/,
  words: 'the cursor of an undo',
} as const;

const entryRule = { min: 1, max: 18, pattern: /^[1-9][0-9]*$/, words: 'the id of a change' } as const;

/** A change that was not taken back; `entry` is its entry in the activity log. */
export type LeftChange = {
  kind: ResourceKind;
  id: number;
  name: string;
  entry: { id: string; occurred_at: string };
} & Obstruction;

/** One part of the undo of a batch; `next` is the cursor of the next part, null once all is done. */
export type UndonePart = { taken_back: number; left: LeftChange[]; next: string | null };

type BatchRow = { id: string; object_kind: ResourceKind; is_undone: boolean; is_undoable: boolean };

/**
 * Takes back a part of what was done together in the last 30 days: deletes what it created, restores what it deleted, and gives
 * what it changed its former values, tags and containers, except what was changed since. The caller continues with `next`; a part that was
 * done already changes nothing.
 *
 * @throws ContractError `not_found` for an unknown or older batch, `conflict` if it was undone already
 */
export const undoBatch = sessionProcedure('manager')
  .input(z.strictObject({ batch_id: uuidField, cursor: textParameter(cursorRule).exactOptional() }))
  .mutation(async ({ ctx, input: { batch_id: batchId, cursor } }): Promise<UndonePart> => {
    const { db } = ctx.services;
    const { orgId } = ctx;
    const batch = await findBatch(db, orgId, batchId);
    if (batch?.is_undone) {
      if (cursor === undefined) throw refusal('undone_already');
      // Somebody else has undone the rest meanwhile.
      return { taken_back: 0, left: [], next: null };
    }
    if (!batch?.is_undoable) throw refusal('undo_gone');
    const author = undoingBatch(ctx.author, batchId);
    const scope = { services: ctx.services, db, orgId, author, userId: ctx.actor.userId };
    const part = await undoPart(scope, batch, readCursor(cursor ?? '0.'));
    const isOver = part.next === null;
    if (isOver || part.taken_back > 0) {
      await db.$transaction(async (tx) => {
        if (isOver) await noteUndone(tx, { orgId, author }, batchId);
        const { object_kind: objectKind } = batch;
        await recordBatch(tx, { orgId, author }, { kind: 'undo', objectKind, count: part.taken_back });
      });
    }
    return part;
  });

async function findBatch(db: Queries, orgId: number, batchId: string): Promise<BatchRow | undefined> {
  const rows = await db.$queryRaw<BatchRow[]>`
    SELECT b.id::text, b.object_kind, b.undone_at IS NOT NULL AS is_undone, ${isUndoable} AS is_undoable
      FROM change_batches b
     WHERE b.org_id = ${orgId} AND b.id = ${batchId}::uuid`;
  return rows[0];
}

/** The phases of an undo: changes are taken back, then the locations that could not be deleted are named. */
const phases = { takingBack: 0, namingLocations: 1 } as const;

type Cursor = { phase: number; after: EntryKey | undefined };

function readCursor(text: string): Cursor {
  const [phase = '0', ms, id] = text.split('.');
  return { phase: Number(phase), after: ms && id ? { occurredAtMs: Number(ms), id } : undefined };
}

function writeCursor({ phase, after }: Cursor): string {
  return after ? `${phase}.${after.occurredAtMs}.${after.id}` : `${phase}.`;
}

/** Takes back the newest entries first, since each change was made on top of the earlier ones. */
async function undoPart(scope: UndoScope, batch: BatchRow, { phase, after }: Cursor): Promise<UndonePart> {
  const { id: batchId, object_kind: kind } = batch;
  const page = { batchId, kind, after, limit: entriesMax };
  if (phase === phases.namingLocations) return nameLocations(scope, page);
  const entries = await findBatchEntries(scope.db, scope.orgId, page);
  const part: UndonePart = { taken_back: 0, left: [], next: null };
  const beganMs = performance.now();
  let doneUpTo = after;
  for (const run of runsOf(kind, entries)) {
    if (performance.now() - beganMs > partMsMax) return { ...part, next: writeCursor({ phase, after: doneUpTo }) };
    const done = await takeBack[run.action](scope, { kind, entries: run.entries, overwrite: false, batchId });
    part.taken_back += done.taken;
    part.left.push(...leftChanges(kind, run.entries.toReversed(), done));
    if (done.isPartial) return { ...part, next: writeCursor({ phase, after: doneUpTo }) };
    doneUpTo = run.entries.at(-1);
  }
  if (entries.length === entriesMax) return { ...part, next: writeCursor({ phase, after: doneUpTo }) };
  return kind === 'asset' ? part : { ...part, next: writeCursor({ phase: phases.namingLocations, after: undefined }) };
}

/** Divides entries into runs with the same action, each for one transaction. */
function runsOf<Acted extends Entry & { action: UndoneAction }>(
  kind: ResourceKind,
  entries: readonly Acted[],
): { action: UndoneAction; entries: Acted[] }[] {
  const runs: { action: UndoneAction; entries: Acted[] }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const isFull = run?.entries.length === runMax[kind][entry.action];
    if (run?.action === entry.action && !isFull) run.entries.push(entry);
    else runs.push({ action: entry.action, entries: [entry] });
  }
  return runs;
}

/** Names the locations that were created or restored, and that something is in. */
async function nameLocations({ db, orgId }: UndoScope, page: Parameters<typeof findStillLive>[2]): Promise<UndonePart> {
  const entries = await findStillLive(db, orgId, page);
  const left = new Map(entries.map(({ id }) => [id, { status: 'failed', reason: 'in_use' }] as const));
  const isOver = entries.length < page.limit;
  return {
    taken_back: 0,
    left: leftChanges(page.kind, entries.toReversed(), { taken: 0, left }),
    next: isOver ? null : writeCursor({ phase: phases.namingLocations, after: entries.at(-1) }),
  };
}

function leftChanges(kind: ResourceKind, entries: readonly Entry[], { left }: Outcome): LeftChange[] {
  return entries.flatMap(({ rowId, name, id, occurredAtMs }) => {
    const why = left.get(id);
    const entry = { id, occurred_at: formatTimestamp(occurredAtMs) };
    return why ? [{ kind, id: rowId, name, entry, ...why }] : [];
  });
}

/** Notes that a batch was undone, and logs it for an import, which has an entry of itself. */
async function noteUndone(
  tx: TransactionClient,
  scope: { orgId: number; author: ReturnType<typeof undoingBatch> },
  batchId: string,
): Promise<void> {
  const noted = await tx.$queryRaw<{ file_name: string | null }[]>`
    UPDATE change_batches b SET undone_at = ${currentInstant}
     WHERE b.org_id = ${scope.orgId} AND b.id = ${batchId}::uuid AND b.undone_at IS NULL
    RETURNING (SELECT i.file_name FROM imports i WHERE i.org_id = b.org_id AND i.id = b.id)`;
  const fileName = noted[0]?.file_name;
  if (typeof fileName !== 'string') return;
  await recordChange(tx, scope, { kind: 'import', objectId: batchId, objectName: fileName, action: 'undone' });
}

/** The result for named changes. */
export type UndoneChanges = Omit<UndonePart, 'next'>;

/** A single row that was created or restored is deleted on its page. */
const namedActions: readonly string[] = undoneActions.filter((action) => action !== 'created' && action !== 'restored');

/**
 * Takes back single changes of assets and locations of the last 30 days, each completely or not at all: gives fields the values
 * before the change, attaches a detached tag, detaches an attached tag, restores what was deleted, or moves an asset back into or
 * out of a container.
 *
 * @throws ContractError `not_found` if there is no such change, `conflict` for a change without fields
 */
export const undoChanges = sessionProcedure('manager')
  .input(
    z.strictObject({
      /** The ids and the instants of entries of `activity.list`. */
      entries: z
        .array(z.strictObject({ id: textParameter(entryRule), occurred_at: timestampParameter() }))
        .min(1)
        .max(namedMax),
      /** Whether to also restore fields that were changed again since. */
      overwrite: z.boolean().default(false),
    }),
  )
  .mutation(async ({ ctx, input }): Promise<UndoneChanges> => {
    const { db } = ctx.services;
    const { orgId } = ctx;
    const keys = new Map(input.entries.map(({ id, occurred_at: ms }) => [id, { occurredAtMs: ms, id }]));
    const found = await findEntries(db, orgId, [...keys.values()]);
    if (found.length < keys.size) throw refusal('change_gone');
    if (found.some(({ action }) => !namedActions.includes(action))) throw refusal('change_not_restorable');
    const batch = found.length > 1 ? inBatch(ctx.author) : undefined;
    const scope = { services: ctx.services, db, orgId, author: batch ?? ctx.author, userId: ctx.actor.userId };
    const undone: UndoneChanges = { taken_back: 0, left: [] };
    // The newest first: a later change of the same row was made on top of the earlier one.
    for (const { kind, action, ...entry } of found.toReversed()) {
      const entries = [entry];
      const done = await takeBack[action as UndoneAction](scope, { kind, entries, overwrite: input.overwrite });
      undone.taken_back += done.taken;
      undone.left.push(...leftChanges(kind, entries, done));
    }
    const [first] = found;
    if (first && batch) {
      const made = { kind: 'undo', objectKind: first.kind, count: undone.taken_back } as const;
      await recordBatch(db, { orgId, author: batch }, made);
    }
    return undone;
  });
