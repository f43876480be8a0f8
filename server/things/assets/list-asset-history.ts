import { z } from 'zod';
import { type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import { directionOf } from '../../kernel/database/position-order.js';
import { listOf, pagingFields, type Paging, type CountedRow } from '../../kernel/lists.js';
import { formatTimestamp } from '../../kernel/time.js';
import { described, scopedProcedure } from '../../trpc.js';
import { describedAs } from '../../kernel/validation/failure.js';
import { sortParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { viewFields } from '../../kernel/validation/resource-fields.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { assetNotFound } from './procedure.js';
import { assetId } from './schemas.js';

export const assetHistoryItem = z
  .object({
    event_observed_at: viewFields.timestamp,
    location_id: viewFields.nullableId,
    location_external_key: z.string().nullable(),
    duration_seconds: z
      .int()
      .nullable()
      .meta(describedAs({ type: 'integer', format: 'int64', minimum: 0, nullable: true })),
  })
  .meta({ id: 'AssetHistoryItem' });

const input = z.strictObject({
  ...assetId,
  from: timestampParameter().exactOptional(),
  to: timestampParameter().exactOptional(),
  ...pagingFields,
  sort: sortParameter(['event_observed_at'], '-event_observed_at'),
});

/**
 * `GET /api/v1/assets/{asset_id}/history`: returns where a live asset was seen, newest first by default (contract 3.6).
 */
export const listAssetHistory = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/assets/{asset_id}/history',
      operationId: 'listAssetHistory',
      summary: 'Read where an asset was seen',
      description:
        'Lists the sightings of an asset, by default newest first. Repeated reads at one location add at most one row per deduplication window.',
      tags: ['tracking'],
    },
    scopes: ['tracking:read'],
    schemas: { response: 'AssetHistoryResponse' },
  })
  .input(input)
  .output(described(listOf(assetHistoryItem)))
  .query(async ({ ctx, input: { asset_id: asset, from, to, limit, offset, sort } }) => {
    const descending = sort[0]?.descending ?? true;
    const page = await listEventRows(ctx.services.db, ctx.orgId, {
      assetId: asset,
      fromMs: from,
      toMs: to,
      descending,
      paging: { limit, offset },
    });
    if (!page) throw assetNotFound();
    return {
      data: page.rows.map((row) => ({
        event_observed_at: formatTimestamp(row.event_observed_at),
        location_id: row.location_id,
        location_external_key: row.location_external_key,
        duration_seconds: row.next_at === null ? null : Math.floor((row.next_at - row.event_observed_at) / 1000),
      })),
      limit,
      offset,
      total_count: page.totalCount,
    };
  });

/** An event of one asset; instants are epoch milliseconds, `next_at` is the following event in the requested range. */
type EventRow = {
  event_observed_at: number;
  location_id: number | null;
  location_external_key: string | null;
  next_at: number | null;
};

type HistoryQuery = {
  assetId: number;
  fromMs: number | undefined;
  toMs: number | undefined;
  descending: boolean;
  paging: Paging;
};

/**
 * Returns a page of a live asset's events with their count, or undefined if there is no such asset. Reads one more
 * event on the newer side, so that each event of the page knows when it ended.
 */
async function listEventRows(
  db: Database,
  orgId: number,
  { assetId, fromMs, toMs, descending, paging }: HistoryQuery,
): Promise<{ rows: EventRow[]; totalCount: number } | undefined> {
  const newerOnPreviousPage = descending && paging.offset > 0;
  const offset = newerOnPreviousPage ? paging.offset - 1 : paging.offset;
  const limit = descending && !newerOnPreviousPage ? paging.limit : paging.limit + 1;
  const conditions = [
    Prisma.sql`e.org_id = ${orgId}`,
    Prisma.sql`e.asset_id = ${assetId}`,
    fromMs === undefined ? undefined : Prisma.sql`e.event_observed_at >= ${instant(fromMs)}`,
    toMs === undefined ? undefined : Prisma.sql`e.event_observed_at <= ${instant(toMs)}`,
  ];
  const list: ListQuery = {
    source: Prisma.raw('scan_events e'),
    conditions,
    paging: { limit, offset },
    total: 'apart',
    columns: Prisma.raw('e.event_observed_at, e.location_id'),
    order: Prisma.sql`e.event_observed_at ${directionOf(descending)}`,
    furtherCounts: Prisma.sql`FROM assets a WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL`,
  };
  const found = await db.$queryRaw<CountedRow<Omit<EventRow, 'next_at'>>[]>`
    ${listQuery(list)}
    SELECT counts.*,
           ${epochMs('e.event_observed_at')} AS event_observed_at,
           e.location_id,
           l.external_key AS location_external_key
      FROM counts
      LEFT JOIN page e ON true
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = e.location_id AND l.deleted_at IS NULL
     ORDER BY ${list.order}`;
  if (found.length === 0) return undefined;
  const events = found.filter((row) => row.event_observed_at !== null);
  const timed = events.map(({ total_count: _, ...event }, index) => ({
    ...event,
    next_at: events[descending ? index - 1 : index + 1]?.event_observed_at ?? null,
  }));
  const start = newerOnPreviousPage ? 1 : 0;
  return { rows: timed.slice(start, start + paging.limit), totalCount: found[0]?.total_count ?? 0 };
}
