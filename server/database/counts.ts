import { Prisma } from '../../generated/prisma/client.js';

/** What is counted of a kind: of one organisation, with or without deleted rows, all or by `is_active`. */
export type Counted = {
  kind: 'asset' | 'location';
  orgId: number;
  includeDeleted: boolean;
  isActive: boolean | undefined;
};

/**
 * How many rows of a table or join, called `alias` in the conditions, are outside their window: it has not begun, or it is
 * over. Two sets without a common row, each found on an index.
 */
export function countOutsideWindow(source: Prisma.Sql, alias: string, conditions: Prisma.Sql): Prisma.Sql {
  const ahead = Prisma.raw(`${alias}.valid_from > statement_timestamp()`);
  const over = Prisma.raw(
    `${alias}.valid_to <= statement_timestamp() AND ${alias}.valid_from <= statement_timestamp()`,
  );
  return Prisma.sql`(
    (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${ahead})
    + (SELECT count(*) FROM ${source} WHERE ${conditions} AND ${over})
  )`;
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
