import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { effective, epochMs } from '../database/columns.js';
import { assetsNotShown } from '../database/counts.js';
import { marginMin, readUntilDone } from '../database/position-order.js';
import { allOf, type CountedRow, orderBy, type Paging, rowsOfPage } from '../lists.js';
import { countListings, type Page, type Sort, type SortColumns, sortColumns } from './page.js';
import { collectPage, scanPage } from './collect-and-scan.js';
import { scanByTime } from './scan-by-time.js';

const pageSortColumns: SortColumns = {
  asset_last_seen: Prisma.raw('page.asset_last_seen'),
  asset_external_key: Prisma.raw('page.asset_external_key'),
  location_external_key: Prisma.raw('l.external_key'),
};

export type ReportFilter = {
  asset_id?: number[];
  asset_external_key?: string[];
  location_id?: number[];
  location_external_key?: string[];
  include_deleted: boolean;
};

/** A row of the report; instants are epoch milliseconds. */
export type ReportRow = {
  id: number;
  asset_external_key: string;
  location_id: number | null;
  location_external_key: string | null;
  asset_last_seen: number;
  asset_deleted_at: number | null;
};

type ReportCounts = {
  total_count: number;
  /** Whether the page was made from all positions that can be on it or before it. */
  is_complete: boolean;
};

type CountedReportRow = CountedRow<ReportRow, ReportCounts>;

type ReportQuery = { filter: ReportFilter; sort: Sort; paging: Paging };

/** Returns a page of the present positions with the count of all matches. Reads positions and never events. */
export async function listPositionRows(
  db: Database,
  orgId: number,
  { filter, sort, paging }: ReportQuery,
): Promise<CountedReportRow[]> {
  const { include_deleted: includeDeleted } = filter;
  const shown = allOf([includeDeleted ? undefined : Prisma.sql`a.deleted_at IS NULL`, effective('a')]);
  const narrowing = narrowingOf(filter);
  const conditions = allOf([Prisma.sql`a.org_id = ${orgId}`, shown, ...narrowing]);
  if (narrowing.length > 0) return readRows(db, orgId, { ...collectPage(orgId, { conditions, sort, paging }), sort });
  const total = positionCount(orgId, includeDeleted);
  const [first] = sort;
  if (first?.field !== 'asset_last_seen') {
    return readRows(db, orgId, { ...scanPage(orgId, { conditions, sort, paging, total }), sort });
  }
  const request = {
    ...{ shown, includeDeleted, paging, total, descending: first.descending, isPlain: sort.length === 1 },
    order: orderBy(sort, { columns: sortColumns, id: Prisma.raw('p.asset_id') }),
  };
  return readUntilDone(
    (margin) => readRows(db, orgId, { ...scanByTime(orgId, { ...request, margin }), sort }),
    (rows) => rows[0]?.is_complete !== false || isFull(rows, paging),
    marginMin,
  );
}

function narrowingOf(filter: ReportFilter): Prisma.Sql[] {
  return [
    filter.asset_id && Prisma.sql`s.asset_id = ANY(${filter.asset_id}::int[])`,
    filter.asset_external_key && Prisma.sql`a.external_key = ANY(${filter.asset_external_key}::text[])`,
    filter.location_id && Prisma.sql`s.location_id = ANY(${filter.location_id}::int[])`,
    filter.location_external_key && Prisma.sql`l.external_key = ANY(${filter.location_external_key}::text[])`,
  ].filter((condition) => condition !== undefined);
}

/** Returns whether a page has as many rows as the count of all allows. */
function isFull(rows: readonly CountedReportRow[], { limit, offset }: Paging): boolean {
  const left = (rows[0]?.total_count ?? 0) - offset;
  return rowsOfPage(rows).length >= Math.min(limit, left);
}

async function readRows(
  db: Database,
  orgId: number,
  { ctes, isComplete, total, sort }: Page & { sort: Sort },
): Promise<CountedReportRow[]> {
  // Locations are looked up one by one: a generic plan overestimates the length of a page, and would read all of them.
  return db.$queryRaw<CountedReportRow[]>`
    WITH ${ctes}
    SELECT counted.total_count,
           counted.is_complete,
           page.asset_id AS id,
           page.asset_external_key,
           page.location_id,
           l.external_key AS location_external_key,
           ${epochMs('page.asset_last_seen')} AS asset_last_seen,
           ${epochMs('page.deleted_at')} AS asset_deleted_at
      FROM (SELECT ${total} AS total_count, ${isComplete} AS is_complete) counted
      LEFT JOIN page ON true
      LEFT JOIN LATERAL (
        SELECT r.external_key FROM locations r WHERE r.org_id = ${orgId} AND r.id = page.location_id AND r.deleted_at IS NULL OFFSET 0
      ) l ON true
     ORDER BY ${orderBy(sort, { columns: pageSortColumns, id: Prisma.raw('page.asset_id') })}`;
}

/**
 * Counts the positions of effective assets: the kept count, minus those of the few unflagged assets outside their
 * window.
 */
function positionCount(orgId: number, includeDeleted: boolean): Prisma.Sql {
  const live = includeDeleted ? Prisma.empty : Prisma.sql`AND NOT is_deleted`;
  const outside = assetsNotShown(orgId, includeDeleted ? 'unflagged or deleted' : 'unflagged');
  return Prisma.sql`(
    (SELECT coalesce(sum(n), 0) FROM row_counts WHERE org_id = ${orgId} AND kind = 'position' AND NOT is_expired ${live})
    - ${countListings(orgId, outside)}
  )::float8`;
}
