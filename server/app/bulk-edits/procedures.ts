import { randomUUID } from 'node:crypto';
import { ensureKind } from '../../things/asset-kinds/procedures.js';
import { ensureOwnLocation } from '../../things/assets/belongs-to.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { transactionUnderLock } from '../../kernel/database/locks.js';
import { fieldRefusal, refusal } from '../../kernel/errors.js';
import { assetFields, type Viewed, viewed } from '../../kernel/fields.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { metadataBytesMax } from '../../kernel/validation/resource-fields.js';
import {
  detailBytes,
  largestDetailsAfter,
  lockAssets,
  previewRows,
  type ShownFields,
  storeEdit,
} from './edit-queries.js';
import {
  type BulkChanges,
  bulkEditInput,
  columnsOf,
  detailBytesPerEditMax,
  type EditedColumn,
  editIdInput,
} from './schemas.js';
import { findEdits, lockEdit, type RejectedRow, restoreAssets } from './undo-queries.js';

/** The state of an asset before or after the edit: the fields that change, and the keys of custom details. */
type ShownState = Viewed<typeof assetFields, ShownFields>;

export type BulkPreview = {
  /** The first 50 assets that would change, by key. */
  data: { id: number; external_key: string; name: string; before: ShownState; after: ShownState }[];
  changed_count: number;
  /** Assets that already have these values. */
  unchanged_count: number;
  /** Assets that were deleted meanwhile, or never existed. */
  missing_count: number;
};

const shownMax = 50;

/**
 * Returns what an edit of up to 1,000 assets would change. It changes nothing, but its input is too long for the URL of
 * a query.
 */
export const previewEdit = sessionProcedure('manager')
  .input(bulkEditInput)
  .mutation(async ({ ctx, input: { ids, ...changes } }): Promise<BulkPreview> => {
    ensureChange(changes);
    const wanted = [...new Set(ids)];
    const { rows, found, changed } = await previewRows(ctx.services.db, ctx.orgId, {
      ids: wanted,
      changes,
      limit: shownMax,
    });
    return {
      data: rows.map((row) => ({
        ...row,
        before: viewed(assetFields, row.before),
        after: viewed(assetFields, row.after),
      })),
      changed_count: changed,
      unchanged_count: found - changed,
      missing_count: wanted.length - found,
    };
  });

export type BulkEditResult = {
  /** For the undo; null if nothing changed. */
  edit_id: string | null;
  changed_count: number;
  unchanged_count: number;
  missing_count: number;
};

/**
 * Changes up to 1,000 assets in one transaction; ids of missing assets are skipped. Stores their previous values for
 * `undo`, for a day and for the newest 20 edits of an organization. Unchanged assets keep their `updated_at`.
 */
export const applyEdit = sessionProcedure('manager')
  .input(bulkEditInput)
  .mutation(async ({ ctx, input: { ids, ...changes } }): Promise<BulkEditResult> => {
    ensureChange(changes);
    const { orgId, author } = ctx;
    const wanted = [...new Set(ids)];
    return transactionUnderLock(ctx.services.db, { lock: 'bulkEdits', orgId }, async (tx) => {
      if (typeof changes.kind_id === 'number') await ensureKind(tx, orgId, changes.kind_id);
      if (typeof changes.belongs_to_id === 'number') await ensureOwnLocation(tx, orgId, changes.belongs_to_id);
      const found = await lockWithinBounds(tx, orgId, { ids: wanted, changes });
      const id = randomUUID();
      const count = await storeEdit(tx, orgId, { id, ids: found, changes, author });
      return {
        edit_id: count === 0 ? null : id,
        changed_count: count,
        unchanged_count: found.length - count,
        missing_count: wanted.length - found.length,
      };
    });
  });

export type UndoneEdit = {
  restored_count: number;
  /** Assets that were changed or deleted since, and are not changed now: the first 50 by key. */
  refused: RejectedRow[];
  refused_count: number;
};

/**
 * Undoes an edit of the last day. An asset that was changed or deleted since is not changed. 404 if there is no such
 * edit, 409 if it was undone already.
 */
export const undoEdit = sessionProcedure('manager')
  .input(editIdInput)
  .mutation(async ({ ctx, input }): Promise<UndoneEdit> => {
    const { orgId, author } = ctx;
    return transactionUnderLock(ctx.services.db, { lock: 'bulkEdits', orgId }, async (tx) => {
      const edit = await lockEdit(tx, orgId, input.edit_id);
      if (!edit) throw refusal('edit_gone');
      if (edit.is_undone) throw refusal('edit_undone');
      const { restored, refused } = await restoreAssets(tx, orgId, { edit, author });
      return { restored_count: restored, refused: refused.slice(0, shownMax), refused_count: refused.length };
    });
  });

export type UndoableEdit = {
  id: string;
  fields: EditedColumn[];
  created_at: string;
  asset_count: number;
  is_own: boolean;
  /** The name of the author; null if the user no longer exists. */
  actor_name: string | null;
};

/** Lists the edits that can be undone, newest first. */
export const listEdits = sessionProcedure('manager').query(async ({ ctx }): Promise<{ data: UndoableEdit[] }> => {
  const rows = await findEdits(ctx.services.db, ctx.orgId);
  return {
    data: rows.map(({ id, fields, created_at, asset_count, actor, actor_name }) => ({
      id,
      fields,
      created_at: formatTimestamp(created_at),
      asset_count,
      is_own: actor === ctx.author.actor,
      actor_name,
    })),
  };
});

function ensureChange(changes: BulkChanges): void {
  if (columnsOf(changes).length > 0) return;
  throw fieldRefusal('changes', 'no_change');
}

/**
 * Locks the assets and returns their ids. @throws ContractError if their custom details are larger than an edit can
 * store
 */
async function lockWithinBounds(
  tx: TransactionClient,
  orgId: number,
  { ids, changes }: { ids: readonly number[]; changes: BulkChanges },
): Promise<number[]> {
  const found = await lockAssets(tx, orgId, ids);
  if (!columnsOf(changes).includes('metadata')) return found.ids;
  const added = detailBytes(changes);
  const isTooMuch =
    found.bytes * 2 + found.ids.length * added > detailBytesPerEditMax ||
    (found.bytesMax + added > metadataBytesMax &&
      (await largestDetailsAfter(tx, orgId, { ids: found.ids, changes })) > metadataBytesMax);
  if (!isTooMuch) return found.ids;
  throw fieldRefusal('ids', 'details_together_too_long');
}
