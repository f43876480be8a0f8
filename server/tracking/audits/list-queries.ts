import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, instant, inNaturalOrder } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import { always, subtreeOf } from '../../things/locations/tree.js';
import type { AuditRow, DifferenceRow, ItemRow } from './view.js';
import type { AuditOutcome } from './schemas.js';

const columns = Prisma.sql`
  u.id,
  CASE WHEN l.id IS NOT NULL
       THEN json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL)
       END AS location,
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
  const list: ListQuery = {
    given: subtreeOf(orgId, locationId, { belongs: always, below: includingSublocations }),
    source: Prisma.raw('audits u'),
    conditions: [
      Prisma.sql`u.org_id = ${orgId}`,
      locationId === null ? undefined : Prisma.sql`u.location_id = ANY (ARRAY(SELECT d.id FROM down d))`,
      fromMs === null ? undefined : Prisma.sql`u.saved_at >= ${instant(fromMs)}`,
      untilMs === null ? undefined : Prisma.sql`u.saved_at < ${instant(untilMs)}`,
    ],
    order: Prisma.raw('u.saved_at DESC, u.id DESC'),
    paging,
    total: 'apart',
  };
  return db.$queryRaw<CountedRow<AuditRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, ${columns}
      FROM counts
      LEFT JOIN (page u ${joins(orgId)}) ON true
     ORDER BY ${list.order}`;
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
  const conditions = [
    Prisma.sql`i.org_id = ${orgId} AND i.audit_id = ${auditId}`,
    outcome === null ? undefined : Prisma.sql`i.outcome = ${outcome}`,
  ];
  const [source, order] = [Prisma.raw('audit_items i'), Prisma.raw('i.position')];
  return db.$queryRaw<CountedRow<ItemRow>[]>`
    ${listQuery({ source, conditions, order, paging, total: 'apart' })}
    SELECT counts.*, i.position AS id, i.outcome, ${assetOf('i')} AS asset, i.name,
           CASE WHEN i.last_location_id IS NOT NULL
                THEN json_build_object('id', i.last_location_id, 'name', coalesce(i.last_location_name, '')) END AS last_location,
           ${epochMs('i.last_seen_at')} AS last_seen_at
      FROM counts
      LEFT JOIN page i ON true
     ORDER BY ${order}`;
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
  const list: ListQuery = {
    source: Prisma.sql`(
      SELECT coalesce(n.asset_id, e.asset_id) AS asset_id, coalesce(n.name, e.name) AS name,
             coalesce(n.external_key, e.external_key) AS external_key, e.outcome AS before, n.outcome AS after
        FROM (${items(earlierId)}) e
        FULL JOIN (${items(auditId)}) n ON n.key = e.key
       WHERE e.outcome IS DISTINCT FROM n.outcome
    ) d`,
    columns: Prisma.sql`d.*, (row_number() OVER (ORDER BY ${inNaturalOrder('d.name')}, d.asset_id))::int AS id`,
    order: Prisma.raw('d.id'),
    alias: 'd',
    paging,
  };
  return db.$queryRaw<CountedRow<DifferenceRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, d.id, ${assetOf('d')} AS asset, d.name, d.before, d.after
      FROM counts
      LEFT JOIN page d ON true
     ORDER BY ${list.order}`;
}
