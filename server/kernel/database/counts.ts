import { Prisma } from '../../../generated/prisma/client.js';
import { allOf } from '../lists.js';

/** What to count: the rows of one kind, with or without deleted ones, all or by `is_active`. */
export type Counted = {
  kind: 'asset' | 'location';
  includeDeleted: boolean;
  isActive: boolean | undefined;
};

// Rows outside their window are not shown. Maintenance flags rows whose window has ended (`expired.ts`), and the kept
// counts include the number of flagged rows. So only few rows remain to be counted: those whose window has not begun,
// or has ended since the last maintenance. docs/decisions/0004-kept-row-counts.md has the reasons and figures.

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
 * expired. An index serves each of the two ways.
 */
export function countOutsideWindow(source: Prisma.Sql, alias: string, conditions: Prisma.Sql): Prisma.Sql {
  const [ahead, over] = outsideWindow(alias);
  return Prisma.sql`(
    (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${ahead})
    + (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${over})
  )`;
}

type PositionScope = { includeDeleted: boolean };

/**
 * Returns a common table expression `outside (asset_id, located_since, asset_last_seen)`: the positions of live or of
 * all assets that are outside their window but not flagged as expired. An index serves each part.
 */
export function positionsOutsideWindow(orgId: number, { includeDeleted }: PositionScope): Prisma.Sql {
  const live = includeDeleted ? Prisma.empty : Prisma.sql`AND w.deleted_at IS NULL`;
  const assets = outsideWindow('w').map(
    (condition) => Prisma.sql`SELECT w.id FROM assets w WHERE w.org_id = ${orgId} ${live} AND ${condition}`,
  );
  return Prisma.sql`
    outside AS MATERIALIZED (
      SELECT o.asset_id, o.located_since, o.asset_last_seen
        FROM asset_positions o
       WHERE o.org_id = ${orgId} AND o.asset_id = ANY(ARRAY(${Prisma.join(assets, ' UNION ALL ')})))`;
}

/** The condition that a position `p` is not in `outside`. The set is hashed once, and keeps the order of an index. */
export const isInsideWindow = Prisma.raw('p.asset_id NOT IN (SELECT asset_id FROM outside)');

/** Returns the number of positions of effective assets: the count kept by triggers, minus those in `outside`. */
export function positionCount(orgId: number, { includeDeleted }: PositionScope): Prisma.Sql {
  const kept = keptCount(orgId, { kind: 'position', includeDeleted, includeExpired: false });
  return Prisma.sql`${kept} - (SELECT count(*) FROM outside)`;
}

type Kept = Pick<Counted, 'includeDeleted'> & {
  kind: Counted['kind'] | 'position';
  includeExpired: boolean;
  isActive?: boolean | undefined;
};

/** Returns the number of rows that triggers keep, regardless of their window; positions by the state of their assets. */
export function keptCount(orgId: number, { kind, includeDeleted, includeExpired, isActive }: Kept): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(sum(n), 0)::float8 FROM row_counts WHERE ${allOf([
    Prisma.sql`org_id = ${orgId} AND kind = ${kind}`,
    includeExpired ? undefined : Prisma.sql`NOT is_expired`,
    isActive === undefined ? undefined : Prisma.sql`is_active = ${isActive}`,
    includeDeleted ? undefined : Prisma.sql`NOT is_deleted`,
  ])})`;
}

/**
 * Returns the number of effective rows without reading them: the count kept by triggers, minus the few rows outside
 * their window.
 */
export function effectiveCount(orgId: number, { kind, includeDeleted, isActive }: Counted): Prisma.Sql {
  const active = isActive === undefined ? Prisma.empty : Prisma.sql`AND is_active = ${isActive}`;
  const live = includeDeleted ? Prisma.empty : Prisma.sql`AND deleted_at IS NULL`;
  const source = Prisma.raw(kind === 'asset' ? 'assets r' : 'locations r');
  const outside = countOutsideWindow(source, 'r', Prisma.sql`org_id = ${orgId} ${active} ${live}`);
  return Prisma.sql`(${keptCount(orgId, { kind, includeDeleted, includeExpired: false, isActive })} - ${outside})`;
}
