import { Prisma } from '../../../generated/prisma/client.js';
import { refusal } from '../../kernel/errors.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import type { Queries } from '../../kernel/database/client.js';
import { levelsMax, oneLocation, subtreeOf, upFrom } from './tree.js';
import { type LocationRow, locationRow } from './view.js';

/** The three traversals of the tree that have their own endpoint (contract 3.4). */
export type Traversal = 'ancestors' | 'children' | 'descendants';

/**
 * Returns the start, the continuation and the order of each traversal; live rows only. A path has two entries for each
 * level.
 */
function traversalStatement(traversal: Traversal, orgId: number, locationId: number): Prisma.Sql {
  switch (traversal) {
    case 'ancestors':
      return Prisma.sql`
        WITH RECURSIVE ${upFrom(orgId, oneLocation(orgId, locationId), { liveOnly: true })}, walked AS (
          SELECT id, row_number() OVER (ORDER BY distance DESC, id) AS ordinal FROM up WHERE distance > 0
        )`;
    case 'children':
      return Prisma.sql`
        WITH walked AS (
          SELECT l.id, row_number() OVER (ORDER BY l.name, l.id) AS ordinal
            FROM locations l
           WHERE l.org_id = ${orgId} AND l.parent_id = ${locationId} AND l.deleted_at IS NULL
        )`;
    case 'descendants':
      return Prisma.sql`
        WITH RECURSIVE down AS (
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
  return db.$queryRaw<CountedRow<LocationRow>[]>`
    ${traversalStatement(traversal, orgId, locationId)}, page AS (
      SELECT id, ordinal FROM walked ORDER BY ordinal LIMIT ${paging.limit} OFFSET ${paging.offset}
    )
    SELECT (SELECT count(*)::float8 FROM walked) AS total_count, ${locationRow}
      FROM locations start
      LEFT JOIN (page JOIN locations l ON l.id = page.id AND l.org_id = ${orgId}) ON true
     WHERE start.org_id = ${orgId} AND start.id = ${locationId} AND start.deleted_at IS NULL
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
