import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, inNaturalOrder } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { allOf, type CountedRow, likePattern, orderBy, type Paging, rowsOfPage } from '../../kernel/lists.js';
import type { SortItem } from '../../kernel/validation/parameters.js';
import { namedRow } from '../../things/locations/tree.js';
import type { ReaderFormat } from './formats.js';
import { type ReaderStatus, statedReaders, thisMinute } from './status-queries.js';

/** A connected reader updates `last_connected_at` every 30 s; two updates may be missing. */
const connected = Prisma.raw(`r.last_connected_at > statement_timestamp() - interval '65 seconds'`);

const hour = Prisma.raw(`interval '59 minutes'`);

export type OverviewRow = {
  id: number;
  name: string;
  format: ReaderFormat;
  location: { id: number; name: string } | null;
  status: ReaderStatus;
  is_connected: boolean;
  last_message_at: number | null;
  last_connected_at: number | null;
  last_refused_at: number | null;
  last_refusal_reason: string | null;
  recognized_format: ReaderFormat | null;
  /** Reads of the last five minutes, the present one included. */
  recent_reads: number;
  rejected_24h: number;
  ignored_24h: number;
  /** Reads by the age of their minute, in minutes. Minutes without reads are missing. */
  reads_by_age: Record<string, number>;
};

export type OverviewFilter = {
  q?: string | undefined;
  status?: ReaderStatus | undefined;
  readerId?: number | undefined;
};

type OverviewPage = {
  rows: OverviewRow[];
  totalCount: number;
  counts: Record<string, number>;
  /** The age of the present minute, in milliseconds. */
  minuteAgeMs: number;
};

type PageCounts = { total_count: number; counts: Record<string, number>; minute_age_ms: number };

export const readerSortFields = ['name', 'status', 'last_message_at', 'location', 'rate', 'rejected_24h'] as const;

export type ReaderSortField = (typeof readerSortFields)[number];

const byName: readonly SortItem<ReaderSortField>[] = [{ field: 'name', descending: false }];

/**
 * Returns the sort orders of readers `s` with their locations `l`. Statuses sort by how urgently they need attention.
 */
function orderOf(orgId: number, sort: readonly SortItem<ReaderSortField>[]): Prisma.Sql {
  const columns = {
    name: inNaturalOrder('s.name'),
    status: Prisma.sql`array_position(${['refused', 'rejecting', 'silent', 'never', 'connected', 'receiving']}::text[], s.status)`,
    last_message_at: Prisma.sql`coalesce(s.last_message_at, '-infinity')`,
    location: inNaturalOrder("coalesce(l.name, '')"),
    rate: Prisma.sql`s.recent_reads`,
    rejected_24h: Prisma.sql`(
        SELECT coalesce(sum(c.rejected), 0)
          FROM reader_minutes c
         WHERE c.org_id = ${orgId} AND c.reader_id = s.id AND c.rejected > 0
           AND c.minute > statement_timestamp() - interval '1 day')`,
  };
  return orderBy(sort, { column: (field) => columns[field], id: Prisma.sql`s.id` });
}

/**
 * Returns a page of an organization's live readers with their status, and how many have each status. The counters of
 * the last hour and day are looked up only for the readers of the page.
 */
export async function readerOverview(
  db: Queries,
  orgId: number,
  {
    filter,
    paging,
    sort = byName,
  }: { filter: OverviewFilter; paging: Paging; sort?: readonly SortItem<ReaderSortField>[] | undefined },
): Promise<OverviewPage> {
  const conditions = allOf([
    Prisma.sql`r.org_id = ${orgId} AND r.deleted_at IS NULL`,
    filter.readerId === undefined ? undefined : Prisma.sql`r.id = ${filter.readerId}`,
    filter.q === undefined
      ? undefined
      : Prisma.sql`fold_case(r.name) LIKE (SELECT fold_case(${likePattern(filter.q)}))`,
  ]);
  const ofStatus = filter.status === undefined ? Prisma.sql`true` : Prisma.sql`s.status = ${filter.status}`;
  const rows = await db.$queryRaw<CountedRow<OverviewRow, PageCounts>[]>`
    WITH stated AS MATERIALIZED (
      ${statedReaders(conditions)}
    ), page AS MATERIALIZED (
      SELECT s.*, row_number() OVER () AS ordinal
        FROM (SELECT s.*
                FROM stated s
                LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = s.location_id AND l.deleted_at IS NULL
               WHERE ${ofStatus}
               ORDER BY ${orderOf(orgId, sort)}
               LIMIT ${paging.limit}::int OFFSET ${paging.offset}::int) s
    )
    SELECT counted.*, found.*
      FROM (SELECT (SELECT count(*)::int FROM stated s WHERE ${ofStatus}) AS total_count,
                   (SELECT coalesce(json_object_agg(g.status, g.n), '{}')
                      FROM (SELECT s.status, count(*)::int AS n FROM stated s GROUP BY s.status) g) AS counts,
                   (extract(epoch FROM statement_timestamp() - ${thisMinute}) * 1000)::float8 AS minute_age_ms) counted
      LEFT JOIN LATERAL (
        SELECT p.id, p.name, p.status, p.recent_reads, r.format, ${namedRow('l')} AS location,
               coalesce(${connected}, false) AS is_connected,
               ${epochMs('r.last_message_at')} AS last_message_at,
               ${epochMs('r.last_connected_at')} AS last_connected_at,
               ${epochMs('r.last_refused_at')} AS last_refused_at,
               r.last_refusal_reason,
               CASE WHEN r.recognized_format <> r.format THEN r.recognized_format END AS recognized_format,
               (SELECT coalesce(json_object_agg(
                         round(extract(epoch FROM ${thisMinute} - c.minute) / 60), c.reads), '{}')
                  FROM reader_minutes c
                 WHERE c.org_id = ${orgId} AND c.reader_id = p.id AND c.minute >= ${thisMinute} - ${hour}
                   AND c.minute <= ${thisMinute}) AS reads_by_age,
               (SELECT coalesce(sum(c.rejected), 0)::float8
                  FROM reader_minutes c
                 WHERE c.org_id = ${orgId} AND c.reader_id = p.id AND c.rejected > 0
                   AND c.minute > statement_timestamp() - interval '1 day') AS rejected_24h,
               (SELECT coalesce(sum(c.ignored), 0)::float8
                  FROM reader_minutes c
                 WHERE c.org_id = ${orgId} AND c.reader_id = p.id AND c.ignored > 0
                   AND c.minute > statement_timestamp() - interval '1 day') AS ignored_24h
          FROM page p
          JOIN readers r ON r.org_id = ${orgId} AND r.id = p.id
          LEFT JOIN locations l ON l.org_id = r.org_id AND l.id = r.location_id AND l.deleted_at IS NULL
         ORDER BY p.ordinal
      ) found ON true`;
  const [first] = rows;
  return {
    rows: rowsOfPage(rows),
    totalCount: first?.total_count ?? 0,
    counts: first?.counts ?? {},
    minuteAgeMs: first?.minute_age_ms ?? 0,
  };
}

export type ActivityRow = { age: number; messages: number; reads: number; rejected: number };

/**
 * Returns what a reader sent in each of the last 60 minutes, by the age of the minute; minutes without messages are
 * missing.
 */
export async function readerActivity(
  db: Queries,
  orgId: number,
  readerId: number,
): Promise<{ nowMs: number; rows: ActivityRow[] }> {
  const rows = await db.$queryRaw<CountedRow<ActivityRow, { now_ms: number }>[]>`
    SELECT ${epochMs('present.minute')} AS now_ms,
           (extract(epoch FROM present.minute - c.minute) / 60)::float8 AS age, c.messages, c.reads, c.rejected
      FROM (SELECT ${thisMinute} AS minute) present
      LEFT JOIN reader_minutes c
        ON c.org_id = ${orgId} AND c.reader_id = ${readerId}
       AND c.minute >= ${thisMinute} - ${hour} AND c.minute <= present.minute`;
  return { nowMs: rows[0]?.now_ms ?? Date.now(), rows: rows.filter((row) => row.age !== null) };
}

/** Returns the names of the live ones of these locations. */
export async function locationNames(
  db: Queries,
  orgId: number,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return db.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, name FROM locations WHERE org_id = ${orgId} AND id = ANY (${ids}::int[]) AND deleted_at IS NULL ORDER BY id`;
}
