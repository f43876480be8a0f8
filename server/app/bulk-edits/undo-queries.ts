import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, nextInstant } from '../../kernel/database/columns.js';
import { createdAtMs } from './changes.js';
import { type EditedColumn, keptHours } from './schemas.js';

/** An edit that can be undone. */
export type EditRow = {
  id: string;
  actor: string;
  actor_name: string | null;
  fields: EditedColumn[];
  /** Epoch milliseconds. */
  created_at: number;
  asset_count: number;
  is_undone: boolean;
};

const isKept = Prisma.raw(`e.created_at > clock_timestamp() - interval '${keptHours} hours'`);

const editRow = Prisma.sql`
  e.id::text AS id, e.actor, e.fields, ${createdAtMs} AS created_at, e.asset_count, e.undone_at IS NOT NULL AS is_undone`;

/** Returns the edits of an organization that can be undone, newest first, at most 20. */
export async function findEdits(db: Pick<Database, '$queryRaw'>, orgId: number): Promise<EditRow[]> {
  return db.$queryRaw`
    SELECT ${editRow}, u.name AS actor_name
      FROM bulk_edits e
      LEFT JOIN users u ON e.actor = 'user:' || u.id
     WHERE e.org_id = ${orgId} AND e.undone_at IS NULL AND ${isKept}
     ORDER BY e.created_at DESC, e.id`;
}

/** Returns an edit of the last day and locks it until the end of the transaction. */
export async function lockEdit(
  tx: TransactionClient,
  orgId: number,
  editId: string,
): Promise<Omit<EditRow, 'actor_name'> | undefined> {
  const rows = await tx.$queryRaw<Omit<EditRow, 'actor_name'>[]>`
    SELECT ${editRow} FROM bulk_edits e WHERE e.org_id = ${orgId} AND e.id = ${editId}::uuid AND ${isKept} FOR UPDATE`;
  return rows[0];
}

/** An asset that an undo did not change. */
export type RejectedRow = { id: number; external_key: string; name: string; reason: 'changed' | 'deleted' };

/**
 * Restores the previous values of an edit's assets, except assets that were changed or deleted since. The caller has
 * locked the edit. Returns how many assets were restored, and the other assets by key.
 */
export async function restoreAssets(
  tx: TransactionClient,
  orgId: number,
  { edit, author }: { edit: Pick<EditRow, 'id' | 'fields'>; author: Author },
): Promise<{ restored: number; refused: RejectedRow[] }> {
  const rows = Prisma.sql`bulk_edit_rows r WHERE r.org_id = ${orgId} AND r.edit_id = ${edit.id}::uuid`;
  await tx.$queryRaw`
    SELECT a.id
      FROM assets a
     WHERE a.org_id = ${orgId} AND a.id = ANY(ARRAY(SELECT r.asset_id FROM ${rows}))
     ORDER BY a.id
       FOR NO KEY UPDATE`;
  const refused = await tx.$queryRaw<RejectedRow[]>`
    SELECT a.id, a.external_key, a.name, CASE WHEN a.deleted_at IS NULL THEN 'changed' ELSE 'deleted' END AS reason
      FROM bulk_edit_rows r
      JOIN assets a ON a.org_id = r.org_id AND a.id = r.asset_id
     WHERE r.org_id = ${orgId} AND r.edit_id = ${edit.id}::uuid
       AND (a.deleted_at IS NOT NULL OR a.updated_at <> r.updated_at)
     ORDER BY a.external_key`;
  // A kind may have been deleted since.
  const kind = '(SELECT k.id FROM asset_kinds k WHERE k.org_id = r.org_id AND k.id = r.kind_id)';
  const sets = edit.fields.map((column) => Prisma.raw(`${column} = ${column === 'kind_id' ? kind : `r.${column}`}`));
  const restored = await tx.$executeRaw`
    UPDATE assets a
       SET ${Prisma.join(sets, ', ')}, updated_at = ${nextInstant('a.updated_at')}
      FROM bulk_edit_rows r
     WHERE r.org_id = ${orgId} AND r.edit_id = ${edit.id}::uuid
       AND a.org_id = ${orgId} AND a.id = r.asset_id AND a.deleted_at IS NULL AND a.updated_at = r.updated_at
       AND ${authoredBy(author)}`;
  await tx.$executeRaw`
    UPDATE bulk_edits SET undone_at = ${currentInstant}, restored_count = ${restored}
     WHERE org_id = ${orgId} AND id = ${edit.id}::uuid`;
  await tx.$executeRaw`DELETE FROM bulk_edit_rows WHERE org_id = ${orgId} AND edit_id = ${edit.id}::uuid`;
  return { restored, refused };
}

/** Edits that one call deletes, so that its transaction stays short. */
const removedMax = 200;

/** Deletes edits that can no longer be undone. */
export async function removeOldEdits(db: Pick<Database, '$executeRaw'>): Promise<void> {
  for (let removed = removedMax; removed === removedMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM bulk_edits
       WHERE id IN (SELECT id FROM bulk_edits
                     WHERE created_at < clock_timestamp() - make_interval(hours => ${keptHours}::int)
                     ORDER BY created_at LIMIT ${removedMax}::int)`;
  }
}
