import { ensureKind } from '../../things/asset-kinds/procedures.js';
import { ensureOwnLocation } from '../../things/assets/belongs-to.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { inBatch, recordBatch } from '../../people/activity/batches.js';
import { fieldRefusal } from '../../kernel/errors.js';
import { assetFields, type Viewed, viewed } from '../../kernel/fields.js';
import { sessionProcedure } from '../../trpc.js';
import { metadataBytesMax } from '../../kernel/validation/resource-fields.js';
import {
  changeAssets,
  detailBytes,
  largestDetailsAfter,
  lockAssets,
  previewRows,
  type ShownFields,
} from './edit-queries.js';
import { type BulkChanges, bulkEditInput, columnsOf, detailBytesPerEditMax } from './schemas.js';

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
  batch_id: string | null;
  changed_count: number;
  unchanged_count: number;
  missing_count: number;
};

/**
 * Changes up to 1,000 assets in one transaction; ids of missing assets are skipped. Unchanged assets keep their `updated_at`.
 */
export const applyEdit = sessionProcedure('manager')
  .input(bulkEditInput)
  .mutation(async ({ ctx, input: { ids, ...changes } }): Promise<BulkEditResult> => {
    ensureChange(changes);
    const { orgId } = ctx;
    const wanted = [...new Set(ids)];
    const author = inBatch(ctx.author);
    return ctx.services.db.$transaction(async (tx) => {
      if (typeof changes.kind_id === 'number') await ensureKind(tx, orgId, changes.kind_id);
      if (typeof changes.belongs_to_id === 'number') await ensureOwnLocation(tx, orgId, changes.belongs_to_id);
      const found = await lockWithinBounds(tx, orgId, { ids: wanted, changes });
      const count = await changeAssets(tx, orgId, { ids: found, changes, author });
      const fields = columnsOf(changes);
      await recordBatch(tx, { orgId, author }, { kind: 'edit', objectKind: 'asset', fields, count });
      return {
        batch_id: count === 0 ? null : author.batchId,
        changed_count: count,
        unchanged_count: found.length - count,
        missing_count: wanted.length - found.length,
      };
    });
  });

function ensureChange(changes: BulkChanges): void {
  if (columnsOf(changes).length > 0) return;
  throw fieldRefusal('changes', 'no_change');
}

/**
 * Locks the assets and returns their ids. @throws ContractError if their custom details are larger than an edit can
 * have
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
