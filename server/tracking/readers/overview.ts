import { z } from 'zod';
import { roleIncludes } from '../../people/auth/scopes.js';
import {
  allOf,
  type CountedRow,
  likePattern,
  type ListOf,
  orderBy,
  type Paging,
  pagingFields,
  rowsOfPage,
} from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { formatNullableTimestamp, type Stored } from '../../kernel/time.js';
import { type SortItem, sortParameter, textParameter } from '../../kernel/validation/parameters.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { type ReaderStatus, readerStatuses, statedReaders, thisMinute } from './status-queries.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, inNaturalOrder } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { namedRow } from '../../things/locations/tree.js';
import type { ReaderFormat } from './formats.js';

const minuteMs = 60_000;
const minutesShown = 60;
const recentMinutesBefore = 4;

/** The status of a reader with its figures. */
export type ReaderState = {
  id: number;
  name: string;
  format: ReaderFormat;
  location: { id: number; name: string } | null;
  status: ReaderStatus;
  last_message_at: string | null;
  last_connected_at: string | null;
  last_refused_at: string | null;
  /** For administrators only, like `recognized_format`. */
  last_refusal_reason: string | null;
  /** Another format that can parse the messages that the reader's own format rejects. */
  recognized_format: ReaderFormat | null;
  /** The average of the last five minutes. */
  reads_per_minute: number;
  /** Reads in each of the last 60 minutes, the present minute last. */
  reads_by_minute: number[];
  /** Messages of the last 24 hours that could not be parsed. */
  rejected_24h: number;
  /** Reads of private BLE addresses in the last 24 hours that were not counted as unknown tags. */
  ignored_24h: number;
};

export type ReaderOverview = ListOf<ReaderState> & {
  /** How many readers that match the search have each status, regardless of the status filter. */
  counts: Record<ReaderStatus, number>;
};

const readerSortFields = ['name', 'status', 'last_message_at', 'location', 'rate', 'rejected_24h'] as const;

type ReaderSortField = (typeof readerSortFields)[number];

const overviewInput = z
  .strictObject({
    ...pagingFields,
    q: textParameter({ min: 1, max: 255 }).exactOptional(),
    status: choiceParameter(readerStatuses).exactOptional(),
    sort: sortParameter(readerSortFields, 'name').exactOptional(),
  })
  .prefault({});

/**
 * Returns the organization's readers with their status, by name by default. Visible to all members; login details only
 * to administrators.
 */
export const overviewReaders = sessionProcedure('viewer')
  .input(overviewInput)
  .query(async ({ ctx, input: { limit, offset, sort, ...filter } }): Promise<ReaderOverview> => {
    const paging = { limit, offset };
    const page = await readerOverview(ctx.services.db, ctx.orgId, { filter, paging, sort });
    const isAdmin = roleIncludes(ctx.actor.role, 'admin');
    return {
      data: page.rows.map((row) => {
        const state = readerState(row, page.minuteAgeMs);
        return isAdmin ? state : { ...state, last_refusal_reason: null, recognized_format: null };
      }),
      ...paging,
      total_count: page.totalCount,
      counts: countsOf(page.counts),
    };
  });

function countsOf(counts: Record<string, number>): Record<ReaderStatus, number> {
  return Object.fromEntries(readerStatuses.map((status) => [status, counts[status] ?? 0])) as Record<
    ReaderStatus,
    number
  >;
}

export function readerState(row: OverviewRow, minuteAgeMs: number): ReaderState {
  const elapsedMinutes = recentMinutesBefore + Math.max(minuteAgeMs, 1) / minuteMs;
  const { recent_reads: recentReads, counts_by_age: countsByAge, ...shown } = row;
  return {
    ...shown,
    last_message_at: formatNullableTimestamp(row.last_message_at),
    last_connected_at: formatNullableTimestamp(row.last_connected_at),
    last_refused_at: formatNullableTimestamp(row.last_refused_at),
    reads_per_minute: Math.round((recentReads / elapsedMinutes) * 10) / 10,
    reads_by_minute: byMinute((age) => countsByAge[age]?.[0] ?? 0),
  };
}

/** Returns a value for each of the last 60 minutes, the present minute last. */
export function byMinute(valueAt: (ageMinutes: number) => number): number[] {
  return Array.from({ length: minutesShown }, (_, index) => valueAt(minutesShown - 1 - index));
}

const hour = Prisma.raw(`interval '59 minutes'`);

type InstantsOfState = 'last_message_at' | 'last_connected_at' | 'last_refused_at';

type OverviewRow = Stored<Omit<ReaderState, 'reads_per_minute' | 'reads_by_minute'>, InstantsOfState> & {
  /** Reads of the last five minutes, the present one included. */
  recent_reads: number;
  /** Reads and rejected messages by the age of their minute, in minutes. Minutes without messages are missing. */
  counts_by_age: Record<string, [reads: number, rejected: number]>;
};

type OverviewFilter = {
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

type FoundRow = OverviewRow & Partial<PageCounts>;

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
               ${epochMs('r.last_message_at')} AS last_message_at,
               ${epochMs('r.last_connected_at')} AS last_connected_at,
               ${epochMs('r.last_refused_at')} AS last_refused_at,
               r.last_refusal_reason,
               CASE WHEN r.recognized_format <> r.format THEN r.recognized_format END AS recognized_format,
               (SELECT coalesce(json_object_agg(
                         round(extract(epoch FROM ${thisMinute} - c.minute) / 60), json_build_array(c.reads, c.rejected)), '{}')
                  FROM reader_minutes c
                 WHERE c.org_id = ${orgId} AND c.reader_id = p.id AND c.minute >= ${thisMinute} - ${hour}
                   AND c.minute <= ${thisMinute}) AS counts_by_age,
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
    rows: rowsOfPage(rows).map(withoutCounts),
    totalCount: first?.total_count ?? 0,
    counts: first?.counts ?? {},
    minuteAgeMs: first?.minute_age_ms ?? 0,
  };
}

function withoutCounts({ total_count: _total, counts: _counts, minute_age_ms: _age, ...row }: FoundRow): OverviewRow {
  return row;
}
