import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, instant, inNaturalOrder } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { allOf, type CountedRow, type Paging } from '../../kernel/lists.js';
import { always, subtreeOf } from '../../things/locations/tree.js';
import type { AuditRow, DifferenceRow, ItemRow } from './view.js';
import type { AuditOutcome } from './schemas.js';

const columns = Prisma.sql`
  u.id,
  json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL)
    AS location,
  ${epochMs('u.started_at')} AS started_at, ${epochMs('u.saved_at')} AS saved_at, p.name AS saved_by, u.found, u.missing, u.unexpected, u.unassigned`;

const joins = (orgId: number) => Prisma.sql`
  JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
  LEFT JOIN users p ON p.id = u.saved_by`;

export type AuditFilter = {
  locationId: number | null;
  includingSublocations: boolean;
  fromMs: number | null;
  untilMs: number | null;
};

/** Returns a page of audits, newest first, with the count of all matches. An organization has at most 10,000. */
export async function listAuditRows(
  db: Queries,
  orgId: number,
  { filter, paging }: { filter: AuditFilter; paging: Paging },
): Promise<CountedRow<AuditRow>[]> {
  const { locationId, includingSublocations, fromMs, untilMs } = filter;
  const conditions = allOf([
    Prisma.sql`a.org_id = ${orgId}`,
    locationId === null ? undefined : Prisma.sql`a.location_id = ANY (ARRAY(SELECT d.id FROM down d))`,
    fromMs === null ? undefined : Prisma.sql`a.saved_at >= ${instant(fromMs)}`,
    untilMs === null ? undefined : Prisma.sql`a.saved_at < ${instant(untilMs)}`,
  ]);
  return db.$queryRaw<CountedRow<AuditRow>[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId, { belongs: always, below: includingSublocations })}
    SELECT total.n AS total_count, page.*
      FROM (SELECT count(*)::float8 AS n FROM audits a WHERE ${conditions}) total
      LEFT JOIN (
        SELECT ${columns}
          FROM (
            SELECT a.* FROM audits a WHERE ${conditions}
             ORDER BY a.saved_at DESC, a.id DESC
             LIMIT ${paging.limit} OFFSET ${paging.offset}
          ) u
          ${joins(orgId)}
      ) page ON true
     ORDER BY page.saved_at DESC, page.id DESC`;
}

/** Returns one audit, or undefined if there is none with the id. */
export async function findAudit(db: Queries, orgId: number, id: string): Promise<AuditRow | undefined> {
  const rows = await db.$queryRaw<AuditRow[]>`
    SELECT ${columns} FROM audits u ${joins(orgId)} WHERE u.org_id = ${orgId} AND u.id = ${id}`;
  return rows[0];
}

/** Returns the asset of an item as JSON; null for a tag. */
const assetOf = (alias: string) =>
  Prisma.raw(`CASE WHEN ${alias}.asset_id IS NOT NULL
    THEN json_build_object('id', ${alias}.asset_id, 'external_key', coalesce(${alias}.external_key, '')) END`);

/**
 * Returns a page of the items of an audit, in this order: missing, unexpected, unassigned and found items, each by
 * name.
 */
export async function listItemRows(
  db: Queries,
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
        SELECT i.position AS id, i.outcome, ${assetOf('i')} AS asset, i.name,
               CASE WHEN i.last_location_id IS NOT NULL
                    THEN json_build_object('id', i.last_location_id, 'name', coalesce(i.last_location_name, '')) END AS last_location,
               ${epochMs('i.last_seen_at')} AS last_seen_at
          FROM audit_items i
         WHERE ${wanted}
         ORDER BY i.position
         LIMIT ${paging.limit} OFFSET ${paging.offset}
      ) page ON true
     ORDER BY page.id`;
}

/** Returns a page of the differences between an audit and an earlier one, by name. */
export async function listDifferenceRows(
  db: Queries,
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
        SELECT (row_number() OVER (ORDER BY ${inNaturalOrder('d.name')}, d.asset_id))::int AS id,
               ${assetOf('d')} AS asset, d.name, d.before, d.after
          FROM difference d
         ORDER BY ${inNaturalOrder('d.name')}, d.asset_id
         LIMIT ${paging.limit} OFFSET ${paging.offset}
      ) page ON true
     ORDER BY page.id`;
}
