import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { effective, epochMs } from '../database/columns.js';
import { allOf, orderBy, type Paging } from '../lists.js';
import type { SortItem } from '../validation/parameters.js';

export const reportSortFields = ['asset_last_seen', 'asset_external_key', 'location_external_key'] as const;

export type ReportSortField = (typeof reportSortFields)[number];

// PostgreSQL puts nulls last ascending and first descending, which is the order the report promises.
const sortColumns: Record<ReportSortField, Prisma.Sql> = {
  asset_last_seen: Prisma.raw('p.asset_last_seen'),
  asset_external_key: Prisma.raw('a.external_key'),
  location_external_key: Prisma.raw('l.external_key'),
};

export type ReportFilter = {
  asset_id?: number[];
  asset_external_key?: string[];
  location_id?: number[];
  location_external_key?: string[];
  include_deleted: boolean;
};

/** A row of the report; instants are epoch milliseconds, and a page beyond the end is one row without an asset. */
export type ReportRow = {
  id: number | null;
  asset_external_key: string;
  location_id: number | null;
  location_external_key: string | null;
  asset_last_seen: number;
  asset_deleted_at: number | null;
  total_count: number;
};

type ReportQuery = { filter: ReportFilter; sort: readonly SortItem<ReportSortField>[]; paging: Paging };

/** A page of the current positions with the count of all that match; it reads positions and never events. */
export async function listPositionRows(
  db: Database,
  orgId: number,
  { filter, sort, paging }: ReportQuery,
): Promise<ReportRow[]> {
  const narrowing = [
    filter.asset_id && Prisma.sql`p.asset_id = ANY(${filter.asset_id}::int[])`,
    filter.asset_external_key && Prisma.sql`a.external_key = ANY(${filter.asset_external_key}::text[])`,
    filter.location_id && Prisma.sql`p.location_id = ANY(${filter.location_id}::int[])`,
    filter.location_external_key && Prisma.sql`l.external_key = ANY(${filter.location_external_key}::text[])`,
  ];
  const source = Prisma.sql`
    asset_positions p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
      LEFT JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL`;
  const conditions = allOf([
    Prisma.sql`p.org_id = ${orgId}`,
    filter.include_deleted ? undefined : Prisma.sql`a.deleted_at IS NULL`,
    effective('a'),
    ...narrowing,
  ]);
  const order = orderBy(sort, { columns: sortColumns, id: Prisma.raw('p.asset_id') });
  const total = narrowing.some((condition) => condition !== undefined)
    ? Prisma.sql`(SELECT count(*)::float8 FROM ${source} WHERE ${conditions})`
    : positionCount(orgId, filter.include_deleted);
  return db.$queryRaw<ReportRow[]>`
    WITH page AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY ${order}) AS place,
             p.asset_id AS id,
             a.external_key AS asset_external_key,
             p.location_id,
             l.external_key AS location_external_key,
             ${epochMs('p.asset_last_seen')} AS asset_last_seen,
             ${epochMs('a.deleted_at')} AS asset_deleted_at
        FROM ${source}
       WHERE ${conditions}
       ORDER BY ${order}
       LIMIT ${paging.limit} OFFSET ${paging.offset}
    )
    SELECT counted.total_count, page.*
      FROM (SELECT ${total} AS total_count) counted
      LEFT JOIN page ON true
     ORDER BY page.place`;
}

/** All positions of effective assets: the kept count, less those of the few assets whose window has not begun or is over. */
function positionCount(orgId: number, includeDeleted: boolean): Prisma.Sql {
  const keptLive = includeDeleted ? Prisma.empty : Prisma.sql`AND NOT is_deleted`;
  const assetsLive = includeDeleted ? Prisma.empty : Prisma.sql`AND a.deleted_at IS NULL`;
  const hasPosition = Prisma.sql`EXISTS (SELECT FROM asset_positions p WHERE p.org_id = a.org_id AND p.asset_id = a.id)`;
  return Prisma.sql`(
    (SELECT coalesce(sum(n), 0) FROM row_counts WHERE org_id = ${orgId} AND kind = 'position' ${keptLive})
    - (SELECT count(*) FROM assets a WHERE a.org_id = ${orgId} AND a.valid_from > statement_timestamp() ${assetsLive} AND ${hasPosition})
    - (SELECT count(*) FROM assets a
        WHERE a.org_id = ${orgId} AND a.valid_to <= statement_timestamp() AND a.valid_from <= statement_timestamp()
              ${assetsLive} AND ${hasPosition})
  )::float8`;
}
