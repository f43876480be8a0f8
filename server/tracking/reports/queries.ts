import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { effective, epochMs } from '../../kernel/database/columns.js';
import { isInsideWindow, positionCount, positionsOutsideWindow } from '../../kernel/database/counts.js';
import { deleted, firstPositions, shown } from '../../kernel/database/position-order.js';
import { allOf, type CountedRow, orderBy, type Paging } from '../../kernel/lists.js';
import type { SortItem } from '../../kernel/validation/parameters.js';
import { type PageStart, type ReportStarts, skippedMax } from './page-starts.js';

export const reportSortFields = ['asset_last_seen', 'asset_external_key', 'location_external_key'] as const;

type ReportSortField = (typeof reportSortFields)[number];

type Sort = readonly SortItem<ReportSortField>[];

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

export type ReportRequest = { filter: ReportFilter; sort: Sort; paging: Paging; starts: ReportStarts };

/** Returns a page of the present positions with the count of all matches. Reads positions and never events. */
export async function listPositionRows(
  db: Database,
  orgId: number,
  request: ReportRequest,
): Promise<CountedRow<ReportRow>[]> {
  const { ctes, total } = await pageOfReport(db, orgId, request);
  return db.$queryRaw<CountedRow<ReportRow>[]>`
    WITH ${ctes}
    SELECT counted.total_count,
           page.asset_id AS id,
           page.asset_external_key,
           page.location_id,
           page.location_external_key,
           ${epochMs('page.asset_last_seen')} AS asset_last_seen,
           ${epochMs('page.deleted_at')} AS asset_deleted_at
      FROM (SELECT ${total} AS total_count) counted
      LEFT JOIN page ON true
     ORDER BY ${orderOf(request.sort)}`;
}

async function pageOfReport(db: Database, orgId: number, { filter, sort, paging, starts }: ReportRequest) {
  const { include_deleted: includeDeleted } = filter;
  const narrowing = narrowingOf(filter);
  const conditions = allOf([
    Prisma.sql`p.org_id = ${orgId}`,
    includeDeleted ? undefined : Prisma.sql`a.deleted_at IS NULL`,
    effective('a'),
    ...narrowing,
  ]);
  if (narrowing.length > 0) return filteredPage(conditions, { sort, paging });
  const [first, ...others] = sort;
  if (first?.field !== 'asset_last_seen') return pageByKey(orgId, conditions, { sort, paging, includeDeleted });
  const { offset } = paging;
  const start =
    offset > skippedMax && others.length === 0 && !includeDeleted
      ? await starts.startOf(db, { orgId, descending: first.descending }, offset)
      : { key: undefined, skip: offset };
  return pageByTime(orgId, { sort, paging, includeDeleted, start });
}

function narrowingOf(filter: ReportFilter): Prisma.Sql[] {
  return [
    filter.asset_id && Prisma.sql`p.asset_id = ANY(${filter.asset_id}::int[])`,
    filter.asset_external_key && Prisma.sql`a.external_key = ANY(${filter.asset_external_key}::text[])`,
    filter.location_id && Prisma.sql`p.location_id = ANY(${filter.location_id}::int[])`,
    filter.location_external_key && Prisma.sql`l.external_key = ANY(${filter.location_external_key}::text[])`,
  ].filter((condition) => condition !== undefined);
}

/** The rows of a page as the CTE `page`, in any order. */
type Page = {
  ctes: Prisma.Sql;
  /** The number of rows on all pages. */
  total: Prisma.Sql;
};

type PageRequest = { sort: Sort; paging: Paging };

type WholeRequest = PageRequest & { includeDeleted: boolean };

/** Returns the order of rows with the columns of `page`. Nulls are sorted as PostgreSQL does by default. */
function orderOf(sort: Sort): Prisma.Sql {
  return orderBy(sort, {
    column: (field) => Prisma.raw(field),
    id: Prisma.raw('asset_id'),
  });
}

const windowOf = ({ sort, paging: { limit, offset } }: PageRequest) =>
  Prisma.sql`ORDER BY ${orderOf(sort)} LIMIT ${limit} OFFSET ${offset}`;

const columns = Prisma.raw(`
  p.asset_id, p.asset_last_seen, p.location_id, a.external_key AS asset_external_key, a.deleted_at,
  l.external_key AS location_external_key`);

/** All positions, with their assets and their locations that are not deleted; the planner chooses where to begin. */
const positions = Prisma.raw(`
  asset_positions p
  JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
  LEFT JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL`);

/**
 * Joins the asset and the location of each position `p`. Looks them up by key, since a generic plan overestimates the
 * page.
 */
const lookedUp = (orgId: number) => Prisma.sql`
  CROSS JOIN LATERAL (
    SELECT r.external_key, r.deleted_at FROM assets r WHERE r.org_id = ${orgId} AND r.id = p.asset_id OFFSET 0) a
  LEFT JOIN LATERAL (
    SELECT r.external_key FROM locations r
     WHERE r.org_id = ${orgId} AND r.id = p.location_id AND r.deleted_at IS NULL OFFSET 0) l ON true`;

/** Finds a page of the report with filters. All matches are read, beginning with the narrowest filter. */
function filteredPage(conditions: Prisma.Sql, request: PageRequest): Page {
  return {
    ctes: Prisma.sql`
      matched AS MATERIALIZED (SELECT ${columns} FROM ${positions} WHERE ${conditions}),
      page AS MATERIALIZED (SELECT * FROM matched ${windowOf(request)})`,
    total: Prisma.sql`(SELECT count(*)::float8 FROM matched)`,
  };
}

/** Finds a page of the whole report in the order of keys. */
function pageByKey(orgId: number, conditions: Prisma.Sql, request: WholeRequest): Page {
  return {
    ctes: Prisma.sql`
      ${positionsOutsideWindow(orgId, request)},
      page AS MATERIALIZED (SELECT ${columns} FROM ${positions} WHERE ${conditions} ${windowOf(request)})`,
    total: positionCount(orgId, request),
  };
}

/** Finds a page of the whole report in the order of the last sighting. */
function pageByTime(orgId: number, { start, ...request }: WholeRequest & { start: PageStart }): Page {
  const { sort, paging, includeDeleted } = request;
  const { limit } = paging;
  const first = firstPositions(orgId, {
    descending: sort[0]?.descending ?? false,
    states: includeDeleted ? [shown, deleted] : [shown],
    conditions: [isInsideWindow],
    start: start.key,
    count: start.skip + limit,
  });
  const window = windowOf({ sort, paging: { limit, offset: start.skip } });
  const rows =
    sort.length === 1
      ? Prisma.sql`(SELECT * FROM first ${window}) p ${lookedUp(orgId)}`
      : Prisma.sql`first p ${lookedUp(orgId)} ${window}`;
  return {
    ctes: Prisma.sql`
      ${positionsOutsideWindow(orgId, request)}, first AS MATERIALIZED (${first}),
      page AS MATERIALIZED (SELECT ${columns} FROM ${rows})`,
    total: positionCount(orgId, request),
  };
}
