import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { allOf, type Paging } from '../../kernel/lists.js';

/** An event of one asset; instants are epoch milliseconds, `next_at` is the following event in the requested range. */
export type EventRow = {
  event_observed_at: number;
  location_id: number | null;
  location_external_key: string | null;
  next_at: number | null;
};

type HistoryQuery = {
  assetId: number;
  fromMs: number | null;
  toMs: number | null;
  descending: boolean;
  paging: Paging;
};

type CountedRow = {
  total_count: number;
  event_observed_at: number | null;
  location_id: number | null;
  location_external_key: string | null;
};

/**
 * Returns a page of a live asset's events with their count, or undefined if there is no such asset. Reads one more
 * event on the newer side, so that each event of the page knows when it ended.
 */
export async function listEventRows(
  db: Database,
  orgId: number,
  { assetId, fromMs, toMs, descending, paging }: HistoryQuery,
): Promise<{ rows: EventRow[]; totalCount: number } | undefined> {
  const newerOnPreviousPage = descending && paging.offset > 0;
  const offset = newerOnPreviousPage ? paging.offset - 1 : paging.offset;
  const limit = descending && !newerOnPreviousPage ? paging.limit : paging.limit + 1;
  const conditions = allOf([
    Prisma.sql`e.org_id = ${orgId}`,
    Prisma.sql`e.asset_id = ${assetId}`,
    fromMs === null ? undefined : Prisma.sql`e.event_observed_at >= ${instant(fromMs)}`,
    toMs === null ? undefined : Prisma.sql`e.event_observed_at <= ${instant(toMs)}`,
  ]);
  const direction = descending ? Prisma.raw('DESC') : Prisma.raw('ASC');
  const found = await db.$queryRaw<CountedRow[]>`
    WITH page AS MATERIALIZED (
      SELECT e.event_observed_at, e.location_id
        FROM scan_events e
       WHERE ${conditions}
       ORDER BY e.event_observed_at ${direction}
       LIMIT ${limit} OFFSET ${offset}
    )
    SELECT (SELECT count(*)::float8 FROM scan_events e WHERE ${conditions}) AS total_count,
           ${epochMs('page.event_observed_at')} AS event_observed_at,
           page.location_id,
           l.external_key AS location_external_key
      FROM assets a
      LEFT JOIN page ON true
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = page.location_id AND l.deleted_at IS NULL
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL
     ORDER BY page.event_observed_at ${direction}`;
  if (found.length === 0) return undefined;
  const events = found.flatMap(({ total_count: _, event_observed_at: at, ...row }) =>
    at === null ? [] : [{ ...row, event_observed_at: at }],
  );
  const timed = events.map((event, index) => ({
    ...event,
    next_at: events[descending ? index - 1 : index + 1]?.event_observed_at ?? null,
  }));
  const start = newerOnPreviousPage ? 1 : 0;
  return { rows: timed.slice(start, start + paging.limit), totalCount: found[0]?.total_count ?? 0 };
}
