import { Prisma } from '../../generated/prisma/client.js';

/** What is counted of a kind: of one organisation, with or without deleted rows, all or by `is_active`. */
export type Counted = {
  kind: 'asset' | 'location';
  orgId: number;
  includeDeleted: boolean;
  isActive: boolean | undefined;
};

/** The two ways to be outside the window, of which only one can hold: it has not begun, or it is over. */
function outsideWindow(alias: string): [ahead: Prisma.Sql, over: Prisma.Sql] {
  return [
    Prisma.raw(`${alias}.valid_from > statement_timestamp()`),
    Prisma.raw(`${alias}.valid_to <= statement_timestamp() AND ${alias}.valid_from <= statement_timestamp()`),
  ];
}

/** Counts the rows of a table, called `alias` in the conditions, that are outside their window. Both parts have an index. */
export function countOutsideWindow(source: Prisma.Sql, alias: string, conditions: Prisma.Sql): Prisma.Sql {
  const [ahead, over] = outsideWindow(alias);
  return Prisma.sql`(
    (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${ahead})
    + (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${over})
  )`;
}

/**
 * Returns a SELECT of the assets outside their window, as rows `(id, is_deleted)`. Each part of it has an index.
 *
 * @param deleted whether deleted assets are omitted, included where they are outside, or all included
 */
export function assetsNotShown(orgId: number, deleted: 'omitted' | 'outside' | 'all'): Prisma.Sql {
  const live = deleted === 'outside' ? Prisma.empty : Prisma.sql`AND w.deleted_at IS NULL`;
  const outside = outsideWindow('w').map(
    (isOutside) => Prisma.sql`
      SELECT w.id, w.deleted_at IS NOT NULL AS is_deleted FROM assets w WHERE w.org_id = ${orgId} ${live} AND ${isOutside}`,
  );
  const gone = Prisma.sql`SELECT d.id, true AS is_deleted FROM assets d WHERE d.org_id = ${orgId} AND d.deleted_at IS NOT NULL`;
  return Prisma.join(deleted === 'all' ? [...outside, gone] : outside, ' UNION ALL ');
}

/**
 * How many rows are effective, without reading them: the count that triggers keep, less the few rows whose window has
 * not begun or is over, which an index finds.
 */
export function effectiveCount({ kind, orgId, includeDeleted, isActive }: Counted): Prisma.Sql {
  const active = isActive === undefined ? Prisma.empty : Prisma.sql`AND is_active = ${isActive}`;
  const keptLive = includeDeleted ? Prisma.empty : Prisma.sql`AND NOT is_deleted`;
  const rowsLive = includeDeleted ? Prisma.empty : Prisma.sql`AND deleted_at IS NULL`;
  const source = Prisma.raw(kind === 'asset' ? 'assets r' : 'locations r');
  const outside = countOutsideWindow(source, 'r', Prisma.sql`org_id = ${orgId} ${active} ${rowsLive}`);
  return Prisma.sql`(
    (SELECT coalesce(sum(n), 0) FROM row_counts WHERE org_id = ${orgId} AND kind = ${kind} ${active} ${keptLive})
    - ${outside}
  )::float8`;
}
