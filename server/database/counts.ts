import { Prisma } from '../../generated/prisma/client.js';

/** What is counted of a kind: of one organisation, with or without deleted rows, all or by `is_active`. */
export type Counted = {
  kind: 'asset' | 'location';
  orgId: number;
  includeDeleted: boolean;
  isActive: boolean | undefined;
};

/**
 * How many rows are effective, without reading them: the count that triggers keep, less the few rows whose window has
 * not begun or is over, which an index finds.
 */
export function effectiveCount({ kind, orgId, includeDeleted, isActive }: Counted): Prisma.Sql {
  const table = Prisma.raw(kind === 'asset' ? 'assets' : 'locations');
  const active = isActive === undefined ? Prisma.empty : Prisma.sql`AND is_active = ${isActive}`;
  const keptLive = includeDeleted ? Prisma.empty : Prisma.sql`AND NOT is_deleted`;
  const rowsLive = includeDeleted ? Prisma.empty : Prisma.sql`AND deleted_at IS NULL`;
  return Prisma.sql`(
    (SELECT coalesce(sum(n), 0) FROM row_counts WHERE org_id = ${orgId} AND kind = ${kind} ${active} ${keptLive})
    - (SELECT count(*) FROM ${table} WHERE org_id = ${orgId} AND valid_from > statement_timestamp() ${active} ${rowsLive})
    - (SELECT count(*) FROM ${table}
        WHERE org_id = ${orgId} AND valid_to <= statement_timestamp() AND valid_from <= statement_timestamp() ${active} ${rowsLive})
  )::float8`;
}
