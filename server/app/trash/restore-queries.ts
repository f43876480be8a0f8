import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { nextInstant } from '../../kernel/database/columns.js';
import { resourceTables } from '../../kernel/database/resource-tables.js';
import { isInTrash } from '../../kernel/database/trash-days.js';
import { upFrom } from '../../things/locations/tree.js';
import type { ResourceKind } from '../../kernel/fields.js';

export type Restoration = { kind: ResourceKind; ids: readonly number[]; author: Author };

/**
 * Makes deleted rows and the tags that were retired with them live again, under their former ids, and advances
 * `updated_at`. Returns the ids of these rows. Rows that are live or were deleted more than 30 days ago stay as they are. Violates a unique index if a
 * key or a tag is in use by now. For locations, the caller has locked the tree.
 */
export async function restoreRows(
  tx: TransactionClient,
  orgId: number,
  { kind, ids, author }: Restoration,
): Promise<ReadonlySet<number>> {
  const table = resourceTables[kind].table;
  // Locked in the order of the ids, so that two calls never deadlock.
  await tx.$queryRaw`
    SELECT id FROM ${table} r
     WHERE r.org_id = ${orgId} AND r.id = ANY(${[...ids]}::int[]) AND ${isInTrash('r')}
     ORDER BY r.id
       FOR UPDATE`;
  const back = await tx.$queryRaw<{ id: number }[]>`
    WITH back AS (
      UPDATE ${table} r SET deleted_at = NULL, updated_at = ${nextInstant('r.updated_at')}
       WHERE r.org_id = ${orgId} AND r.id = ANY(${[...ids]}::int[]) AND ${isInTrash('r')} AND ${authoredBy(author)}
      RETURNING r.id
    ), attached AS (
      UPDATE tags t SET deleted_at = NULL FROM back WHERE t.org_id = ${orgId} AND t.${resourceTables[kind].tagColumn} = back.id
    )
    SELECT id FROM back`;
  return new Set(back.map(({ id }) => id));
}

/** Advances the version of the readers that have one of the locations, so that every process reads their antennas' locations again. */
export async function touchReadersOf(tx: TransactionClient, orgId: number, ids: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE readers r SET updated_at = ${nextInstant('r.updated_at')}
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
       AND (r.location_id = ANY(${[...ids]}::int[])
            OR r.id IN (SELECT a.reader_id FROM reader_antennas a WHERE a.org_id = ${orgId} AND a.location_id = ANY(${[...ids]}::int[])))`;
}

/** A row with whether it is live, and whether it can still be restored. */
export type RowState = { id: number; name: string; is_live: boolean; is_restorable: boolean };

export async function statesOf(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { kind, ids }: Omit<Restoration, 'author'>,
): Promise<RowState[]> {
  return db.$queryRaw<RowState[]>`
    SELECT r.id, r.name, r.deleted_at IS NULL AS is_live, coalesce(${isInTrash('r')}, false) AS is_restorable
      FROM ${resourceTables[kind].table} r
     WHERE r.org_id = ${orgId} AND r.id = ANY(${[...ids]}::int[])`;
}

/** A location in the trash with the present state of its parent, which is null without one. */
export type ParentState = {
  id: number;
  parent_id: number | null;
  parent_name: string | null;
  parent_is_deleted: boolean;
  /** The number of locations from the top of the tree to this one. */
  levels: number;
};

/** Returns the states of those locations that can still be restored. The caller has locked the tree. */
export async function findParents(
  tx: TransactionClient,
  orgId: number,
  ids: readonly number[],
): Promise<ParentState[]> {
  const starts = Prisma.sql`locations l WHERE l.org_id = ${orgId} AND l.id = ANY(${[...ids]}::int[]) AND ${isInTrash('l')}`;
  return tx.$queryRaw<ParentState[]>`
    WITH RECURSIVE ${upFrom(orgId, starts)}, height AS (
      SELECT start_id, max(distance) + 1 AS levels FROM up GROUP BY start_id
    )
    SELECT l.id, p.id AS parent_id, p.name AS parent_name, p.deleted_at IS NOT NULL AS parent_is_deleted, height.levels
      FROM height
      JOIN locations l ON l.org_id = ${orgId} AND l.id = height.start_id
      LEFT JOIN locations p ON p.org_id = l.org_id AND p.id = l.parent_id`;
}

/** A live row that has the key or a tag of a deleted row. */
export type Holder = { value: string; is_key: boolean; kind: ResourceKind; id: number; name: string };

/**
 * Returns the live row that keeps a deleted row from being restored: the row with its key, or else a row with one of
 * its tags.
 */
export async function findHolder(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { kind, id }: { kind: ResourceKind; id: number },
): Promise<Holder | undefined> {
  const rows = await db.$queryRaw<Holder[]>`
    SELECT * FROM (
      SELECT d.external_key AS value, true AS is_key, ${kind}::text AS kind, h.id, h.name
        FROM ${resourceTables[kind].table} d
        JOIN ${resourceTables[kind].table} h ON h.org_id = d.org_id AND h.external_key = d.external_key AND h.deleted_at IS NULL
       WHERE d.org_id = ${orgId} AND d.id = ${id} AND d.deleted_at IS NOT NULL
       UNION ALL
      SELECT t.value, false, CASE WHEN u.asset_id IS NULL THEN 'location' ELSE 'asset' END,
             coalesce(a.id, l.id), coalesce(a.name, l.name)
        FROM tags t
        JOIN tags u ON u.org_id = t.org_id AND u.tag_type = t.tag_type AND u.value = t.value AND u.deleted_at IS NULL
        LEFT JOIN assets a ON a.org_id = u.org_id AND a.id = u.asset_id
        LEFT JOIN locations l ON l.org_id = u.org_id AND l.id = u.location_id
       WHERE t.org_id = ${orgId} AND t.${resourceTables[kind].tagColumn} = ${id} AND t.deleted_at IS NOT NULL
    ) holders
     ORDER BY is_key DESC, value
     LIMIT 1`;
  return rows[0];
}
