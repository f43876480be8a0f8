import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { allOf, type CountedRow, type Paging } from '../../kernel/lists.js';
import { always, subtreeOf } from '../../things/locations/tree.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** A saved audit. Instants are epoch milliseconds. */
export type AuditRow = {
  id: string;
  location_id: number;
  location_name: string;
  location_external_key: string;
  is_location_deleted: boolean;
  started_at: number;
  saved_at: number;
  saved_by_name: string | null;
  found: number;
  missing: number;
  unexpected: number;
  unassigned: number;
};

const columns = Prisma.sql`
  u.id, u.location_id, l.name AS location_name, l.external_key AS location_external_key,
  l.deleted_at IS NOT NULL AS is_location_deleted, ${epochMs('u.started_at')} AS started_at,
  ${epochMs('u.saved_at')} AS saved_at, p.name AS saved_by_name, u.found, u.missing, u.unexpected, u.unassigned`;

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
  db: Queryable,
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
export async function findAudit(db: Queryable, orgId: number, id: string): Promise<AuditRow | undefined> {
  const rows = await db.$queryRaw<AuditRow[]>`
    SELECT ${columns} FROM audits u ${joins(orgId)} WHERE u.org_id = ${orgId} AND u.id = ${id}`;
  return rows[0];
}
