import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, inNaturalOrder } from '../../kernel/database/columns.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import type { AuditOutcome } from './schemas.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** The outcome of an audit for one asset or tag; `id` is its position in the list. Instants are epoch milliseconds. */
export type ItemRow = {
  id: number;
  outcome: AuditOutcome;
  asset_id: number | null;
  name: string;
  external_key: string | null;
  last_location_id: number | null;
  last_location_name: string | null;
  last_seen_at: number | null;
};

/** Returns a page of the items of an audit: missing, unexpected, unassigned and found ones, each by name. */
export async function listItemRows(
  db: Queryable,
  orgId: number,
  { auditId, outcome, paging }: { auditId: string; outcome: AuditOutcome | null; paging: Paging },
): Promise<CountedRow<ItemRow>[]> {
  const wanted = Prisma.sql`
    i.org_id = ${orgId} AND i.audit_id = ${auditId}
    ${outcome === null ? Prisma.empty : Prisma.sql`AND i.outcome = ${outcome}`}`;
  return db.$queryRaw<CountedRow<ItemRow>[]>`
    SELECT total.n AS total_count, page.*
      FROM (SELECT count(*)::float8 AS n FROM audit_items i WHERE ${wanted}) total
      LEFT JOIN (
        SELECT i.position AS id, i.outcome, i.asset_id, i.name, i.external_key, i.last_location_id, i.last_location_name,
               ${epochMs('i.last_seen_at')} AS last_seen_at
          FROM audit_items i
         WHERE ${wanted}
         ORDER BY i.position
         LIMIT ${paging.limit} OFFSET ${paging.offset}
      ) page ON true
     ORDER BY page.id`;
}

/** An asset or tag with different outcomes in two audits; null if an audit does not have it. */
export type DifferenceRow = {
  id: number;
  asset_id: number | null;
  name: string;
  external_key: string | null;
  before: AuditOutcome | null;
  after: AuditOutcome | null;
};

/** Returns a page of the differences between an audit and an earlier one, by name. */
export async function listDifferenceRows(
  db: Queryable,
  orgId: number,
  { auditId, earlierId, paging }: { auditId: string; earlierId: string; paging: Paging },
): Promise<CountedRow<DifferenceRow>[]> {
  const items = (id: string) => Prisma.sql`
    SELECT i.asset_id, i.name, i.external_key, i.outcome, coalesce('a' || i.asset_id, 'v' || i.name) AS key
      FROM audit_items i
     WHERE i.org_id = ${orgId} AND i.audit_id = ${id}`;
  return db.$queryRaw<CountedRow<DifferenceRow>[]>`
    WITH difference AS MATERIALIZED (
      SELECT coalesce(n.asset_id, e.asset_id) AS asset_id, coalesce(n.name, e.name) AS name,
             coalesce(n.external_key, e.external_key) AS external_key, e.outcome AS before, n.outcome AS after
        FROM (${items(earlierId)}) e
        FULL JOIN (${items(auditId)}) n ON n.key = e.key
       WHERE e.outcome IS DISTINCT FROM n.outcome
    )
    SELECT total.n AS total_count, page.*
      FROM (SELECT count(*)::float8 AS n FROM difference) total
      LEFT JOIN (
        SELECT (row_number() OVER (ORDER BY ${inNaturalOrder('d.name')}, d.asset_id))::int AS id, d.*
          FROM difference d
         ORDER BY ${inNaturalOrder('d.name')}, d.asset_id
         LIMIT ${paging.limit} OFFSET ${paging.offset}
      ) page ON true
     ORDER BY page.id`;
}
