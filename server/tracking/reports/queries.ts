import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { effective, epochMs } from '../../kernel/database/columns.js';
import { allOf, type CountedRow, type Paging } from '../../kernel/lists.js';
import { filteredPage, orderOf, pageByKey, pageByTime, type Sort } from './page.js';
import { type ReportStarts, skippedMax } from './page-starts.js';

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
