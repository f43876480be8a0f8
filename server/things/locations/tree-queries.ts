import { Prisma } from '../../../generated/prisma/client.js';
import { refusal } from '../../kernel/errors.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import type { Queries } from '../../kernel/database/client.js';
import { listQuery } from '../../kernel/database/list-query.js';
import { levelsMax, oneLocation, subtreeOf, upFrom } from './tree.js';
import { type LocationRow, locationRow } from './view.js';

/** The three traversals of the tree that have their own endpoint (contract 3.4). */
export type Traversal = 'ancestors' | 'children' | 'descendants';

/** Returns CTEs that end with `walked (id, ordinal)`, the live locations of a traversal. A path has two entries a level. */
function walked(traversal: Traversal, orgId: number, locationId: number): Prisma.Sql {
  switch (traversal) {
    case 'ancestors':
      return Prisma.sql`
        ${upFrom(orgId, oneLocation(orgId, locationId), { liveOnly: true })}, walked AS (
          SELECT id, row_number() OVER (ORDER BY distance DESC, id) AS ordinal FROM up WHERE distance > 0
        )`;
    case 'children':
      return Prisma.sql`
        walked AS (
          SELECT l.id, row_number() OVER (ORDER BY l.name, l.id) AS ordinal
            FROM locations l
           WHERE l.org_id = ${orgId} AND l.parent_id = ${locationId} AND l.deleted_at IS NULL
        )`;
    case 'descendants':
      return Prisma.sql`
        down AS (
          SELECT l.id, ARRAY[lower(l.external_key), lpad(l.id::text, 10, '0')] COLLATE "C" AS path
            FROM locations l
           WHERE l.org_id = ${orgId} AND l.parent_id = ${locationId} AND l.deleted_at IS NULL
          UNION ALL
          SELECT c.id, down.path || ARRAY[lower(c.external_key), lpad(c.id::text, 10, '0')] COLLATE "C"
            FROM down JOIN locations c ON c.org_id = ${orgId} AND c.parent_id = down.id AND c.deleted_at IS NULL
        ), walked AS (
          SELECT id, row_number() OVER (ORDER BY path COLLATE "C") AS ordinal FROM down
        )`;
  }
}

/** Returns a page of a traversal from a live location with its total count, or no row if there is no such location. */
export async function traverseTree(
  db: Queries,
  orgId: number,
  { traversal, locationId, paging }: { traversal: Traversal; locationId: number; paging: Paging },
): Promise<CountedRow<LocationRow>[]> {
  const given = walked(traversal, orgId, locationId);
  const [source, order] = [Prisma.raw('walked'), Prisma.raw('ordinal')];
  const furtherCounts = Prisma.sql`FROM ${oneLocation(orgId, locationId)} AND l.deleted_at IS NULL`;
  return db.$queryRaw<CountedRow<LocationRow>[]>`
    ${listQuery({ given, source, order, paging, total: 'apart', furtherCounts })}
    SELECT counts.*, ${locationRow}
      FROM counts
      LEFT JOIN (page JOIN locations l ON l.id = page.id AND l.org_id = ${orgId}) ON true
     ORDER BY page.ordinal`;
}

/** Counts the live locations below a live location, without the location itself (contract 5.10). */
export async function countDescendants(db: Queries, orgId: number, locationId: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}
    SELECT count(*)::int AS n FROM down WHERE id <> ${locationId}`;
  return rows[0]?.n ?? 0;
}

/**
 * Rejects a parent for a location if the tree would have too many levels. The caller holds the lock of the
 * organization's tree.
 *
 * @param locationId the location that is moved with its sublocations; undefined for a new location
 * @throws ContractError `conflict`
 */
export async function rejectTooDeep(
  db: Queries,
  orgId: number,
  { parentId, locationId }: { parentId: number; locationId?: number },
): Promise<void> {
  const rows = await db.$queryRaw<{ levels: number }[]>`
    WITH RECURSIVE ${upFrom(orgId, oneLocation(orgId, parentId))}, down AS (
      SELECT ${locationId ?? null}::int AS id, 1 AS level
      UNION ALL
      SELECT c.id, down.level + 1
        FROM down JOIN locations c ON c.org_id = ${orgId} AND c.parent_id = down.id AND c.deleted_at IS NULL
       WHERE down.level < ${levelsMax}
    )
    SELECT (SELECT max(distance) + 1 FROM up) + (SELECT max(level) FROM down) AS levels`;
  if ((rows[0]?.levels ?? 0) > levelsMax) throw refusal('too_many_levels', { max: levelsMax });
}

/** Returns whether `candidateId` is `locationId` or below it. The caller holds the lock of the organization's tree. */
export async function isInSubtree(
  db: Queries,
  orgId: number,
  { locationId, candidateId }: { locationId: number; candidateId: number },
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH RECURSIVE ${upFrom(orgId, oneLocation(orgId, candidateId))}
    SELECT 1 FROM up WHERE id = ${locationId}`;
  return rows.length > 0;
}
