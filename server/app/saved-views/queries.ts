import { Prisma } from '../../../generated/prisma/client.js';
import type { Database, Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, inNaturalOrder } from '../../kernel/database/columns.js';
import { isInTrash, isPastTrash } from '../../kernel/database/trash-days.js';
import type { NewView, SavedView } from './schemas.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** The owner of views: a user, or null for the shared views of the organization. */
export type ViewScope = { orgId: number; ownerId: number | null };

/** Returns the views that a user can see: their own and the shared views, by name. */
export async function findViews(db: Queryable, orgId: number, { userId }: { userId: number }): Promise<SavedView[]> {
  return db.$queryRaw`
    SELECT id, name, query, columns, owner_id IS NULL AS is_shared
      FROM saved_views
     WHERE org_id = ${orgId} AND deleted_at IS NULL AND (owner_id IS NULL OR owner_id = ${userId})
     ORDER BY ${inNaturalOrder('name')}, id`;
}

/** Returns a view that a user can see, or could see before it was deleted, locked until the end of the transaction. */
export async function lockView(
  tx: TransactionClient,
  orgId: number,
  { userId, id, isDeleted }: { userId: number; id: number; isDeleted: boolean },
): Promise<SavedView | undefined> {
  const rows = await tx.$queryRaw<SavedView[]>`
    SELECT id, name, query, columns, owner_id IS NULL AS is_shared
      FROM saved_views
     WHERE org_id = ${orgId} AND id = ${id} AND (owner_id IS NULL OR owner_id = ${userId})
       AND ${isDeleted ? isInTrash('saved_views') : Prisma.sql`deleted_at IS NULL`}
       FOR UPDATE`;
  return rows[0];
}

export async function countViews(tx: TransactionClient, { orgId, ownerId }: ViewScope): Promise<number> {
  const rows = await tx.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM saved_views
     WHERE org_id = ${orgId} AND deleted_at IS NULL AND owner_id IS NOT DISTINCT FROM ${ownerId}::int`;
  return rows[0]?.n ?? 0;
}

/** Inserts a view; undefined if another view of the same scope has the name. */
export async function insertView(
  tx: TransactionClient,
  { orgId, ownerId }: ViewScope,
  view: NewView,
): Promise<SavedView | undefined> {
  const rows = await tx.$queryRaw<SavedView[]>`
    INSERT INTO saved_views (org_id, owner_id, name, query, columns)
    VALUES (${orgId}, ${ownerId}::int, ${view.name}, ${view.query}, ${view.columns}::text[])
    ON CONFLICT DO NOTHING
    RETURNING id, name, query, columns, owner_id IS NULL AS is_shared`;
  return rows[0];
}

/** The most deleted views of one scope that are kept. If there are more, those that were deleted first go for good. */
export const deletedViewsMax = 50;

/** Deletes a view, which can be restored. */
export async function retireView(tx: TransactionClient, { orgId, ownerId }: ViewScope, id: number): Promise<void> {
  await tx.$executeRaw`UPDATE saved_views SET deleted_at = ${currentInstant} WHERE org_id = ${orgId} AND id = ${id}`;
  await tx.$executeRaw`
    DELETE FROM saved_views
     WHERE id IN (SELECT v.id FROM saved_views v
                   WHERE v.org_id = ${orgId} AND v.owner_id IS NOT DISTINCT FROM ${ownerId}::int AND v.deleted_at IS NOT NULL
                   ORDER BY v.deleted_at DESC, v.id DESC
                  OFFSET ${deletedViewsMax}::int)`;
}

/** Restores a deleted view; violates the index `saved_views_name` if another view has its name by now. */
export async function restoreRow(tx: TransactionClient, orgId: number, id: number): Promise<void> {
  await tx.$executeRaw`UPDATE saved_views SET deleted_at = NULL WHERE org_id = ${orgId} AND id = ${id}`;
}

/** Deletes views that can no longer be restored, with their scheduled emails. */
export async function removeDeletedViews(db: Queries): Promise<void> {
  await db.$executeRaw`DELETE FROM saved_views v WHERE ${isPastTrash('v')}`;
}
