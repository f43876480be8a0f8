import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { effective, epochMs } from '../../kernel/database/columns.js';
import { isInsideWindow, positionCount, positionsOutsideWindow } from '../../kernel/database/counts.js';
import { type ListQuery, listQuery, pageQuery } from '../../kernel/database/list-query.js';
import { deleted, firstPositions, shown } from '../../kernel/database/position-order.js';
import { type CountedRow, orderBy, type Paging } from '../../kernel/lists.js';
import type { SortItem } from '../../kernel/validation/parameters.js';
import { type ReportStarts, skippedMax } from './page-starts.js';

export const reportSortFields = ['asset_last_seen', 'asset_external_key', 'location_external_key'] as const;

type Sort = readonly SortItem<(typeof reportSortFields)[number]>[];

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
  const list = await reportList(db, orgId, request);
  return db.$queryRaw<CountedRow<ReportRow>[]>`
    ${listQuery(list)}
    SELECT counts.total_count,
           page.asset_id AS id,
           page.asset_external_key,
           page.location_id,
           page.location_external_key,
           ${epochMs('page.asset_last_seen')} AS asset_last_seen,
           ${epochMs('page.deleted_at')} AS asset_deleted_at
      FROM counts
      LEFT JOIN page ON true
     ORDER BY ${list.order}`;
}

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

/** Collects the report if a filter narrows it; otherwise scans it, or seeks by time. */
async function reportList(db: Database, orgId: number, request: ReportRequest): Promise<ListQuery> {
  const { filter, sort, paging, starts } = request;
  const { include_deleted: includeDeleted } = filter;
  const narrowing = narrowingOf(filter);
  const list: ListQuery = {
    source: positions,
    columns,
    paging,
    conditions: [
      Prisma.sql`p.org_id = ${orgId}`,
      includeDeleted ? undefined : Prisma.sql`a.deleted_at IS NULL`,
      effective('a'),
      ...narrowing,
    ],
    // Nulls are where PostgreSQL has them by default.
    order: orderBy(sort, { column: (field) => Prisma.raw(field), id: Prisma.raw('asset_id') }),
  };
  if (narrowing.length > 0) return list;
  const whole = {
    ...list,
    given: positionsOutsideWindow(orgId, { includeDeleted }),
    total: positionCount(orgId, { includeDeleted }),
  };
  const [first, ...others] = sort;
  if (first?.field !== 'asset_last_seen') return whole;
  const { limit, offset } = paging;
  const { descending } = first;
  const { key, skip } =
    offset > skippedMax && others.length === 0 && !includeDeleted
      ? await starts.startOf(db, { orgId, descending }, offset)
      : { key: undefined, skip: offset };
  const states = includeDeleted ? [shown, deleted] : [shown];
  const seen = Prisma.sql`(${firstPositions(orgId, { descending, states, conditions: [isInsideWindow], start: key, count: skip + limit })}) p`;
  const byTime = { ...whole, conditions: [], paging: { limit, offset: skip } };
  if (others.length > 0) return { ...byTime, source: Prisma.sql`${seen} ${lookedUp(orgId)}` };
  const page = pageQuery({ order: list.order, source: seen, paging: byTime.paging });
  return { ...byTime, source: Prisma.sql`(${page}) p ${lookedUp(orgId)}`, paging: { limit, offset: 0 } };
}

function narrowingOf(filter: ReportFilter): Prisma.Sql[] {
  return [
    filter.asset_id && Prisma.sql`p.asset_id = ANY(${filter.asset_id}::int[])`,
    filter.asset_external_key && Prisma.sql`a.external_key = ANY(${filter.asset_external_key}::text[])`,
    filter.location_id && Prisma.sql`p.location_id = ANY(${filter.location_id}::int[])`,
    filter.location_external_key && Prisma.sql`l.external_key = ANY(${filter.location_external_key}::text[])`,
  ].filter((condition) => condition !== undefined);
}
