import { Prisma } from '../../generated/prisma/client.js';

/** What to count: the rows of one kind and organization, with or without deleted ones, all or by `is_active`. */
export type Counted = {
  kind: 'asset' | 'location';
  orgId: number;
  includeDeleted: boolean;
  isActive: boolean | undefined;
};

// Rows outside their window are not shown. Maintenance flags those whose window is over (`expired.ts`), and kept counts
// say how many are flagged. So only the few rows are counted whose window has not begun, or has ended since.
// docs/decisions/0004-kept-row-counts.md has the reasons and figures.

/** Returns the two ways in which an unflagged row can be outside its window, which exclude each other. */
function outsideWindow(alias: string): [ahead: Prisma.Sql, over: Prisma.Sql] {
  const isUnmarked = `NOT ${alias}.is_expired`;
  return [
    Prisma.raw(`${isUnmarked} AND ${alias}.valid_from > statement_timestamp()`),
    Prisma.raw(
      `${isUnmarked} AND ${alias}.valid_to <= statement_timestamp() AND ${alias}.valid_from <= statement_timestamp()`,
    ),
  ];
}

/**
 * Counts the rows of a table, called `alias` in the conditions, that are outside their window and not flagged as
 * expired. Both parts have an index.
 */
export function countOutsideWindow(source: Prisma.Sql, alias: string, conditions: Prisma.Sql): Prisma.Sql {
  const [ahead, over] = outsideWindow(alias);
  return Prisma.sql`(
    (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${ahead})
    + (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${over})
  )`;
}

/**
 * Returns a SELECT of assets that are not shown, as rows `(id, is_deleted)`, each once. Each part of it has an index.
 *
 * - `unflagged`: live and outside the window, but not flagged as expired. The others are in the kept counts.
 * - `unflagged or deleted`: the same, with the deleted ones that are outside.
 * - `all`: live ones outside the window, and deleted ones.
 */
export function assetsNotShown(orgId: number, which: 'unflagged' | 'unflagged or deleted' | 'all'): Prisma.Sql {
  const live = which === 'unflagged or deleted' ? Prisma.empty : Prisma.sql`AND w.deleted_at IS NULL`;
  const select = (condition: Prisma.Sql) => Prisma.sql`
    SELECT w.id, w.deleted_at IS NOT NULL AS is_deleted FROM assets w WHERE w.org_id = ${orgId} ${live} AND ${condition}`;
  const parts = outsideWindow('w').map(select);
  if (which === 'all') {
    parts.push(select(Prisma.raw('w.is_expired')));
    parts.push(
      Prisma.sql`SELECT d.id, true AS is_deleted FROM assets d WHERE d.org_id = ${orgId} AND d.deleted_at IS NOT NULL`,
    );
  }
  return Prisma.join(parts, ' UNION ALL ');
}

/**
 * Returns the number of effective rows without reading them: the count kept by triggers, minus the few rows outside
 * their window.
 */
export function effectiveCount({ kind, orgId, includeDeleted, isActive }: Counted): Prisma.Sql {
  const active = isActive === undefined ? Prisma.empty : Prisma.sql`AND is_active = ${isActive}`;
  const keptLive = includeDeleted ? Prisma.empty : Prisma.sql`AND NOT is_deleted`;
  const rowsLive = includeDeleted ? Prisma.empty : Prisma.sql`AND deleted_at IS NULL`;
  const source = Prisma.raw(kind === 'asset' ? 'assets r' : 'locations r');
  const outside = countOutsideWindow(source, 'r', Prisma.sql`org_id = ${orgId} ${active} ${rowsLive}`);
  return Prisma.sql`(
    (SELECT coalesce(sum(n), 0) FROM row_counts
      WHERE org_id = ${orgId} AND kind = ${kind} AND NOT is_expired ${active} ${keptLive})
    - ${outside}
  )::float8`;
}
