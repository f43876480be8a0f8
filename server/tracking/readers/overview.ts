import { z } from 'zod';
import { roleIncludes } from '../../people/auth/scopes.js';
import { type ListOf, pagingFields } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import { sortParameter, textParameter } from '../../kernel/validation/parameters.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import type { ReaderFormat } from './formats.js';
import { type OverviewRow, readerOverview, readerSortFields } from './overview-queries.js';
import { type ReaderStatus, readerStatuses } from './status-queries.js';

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
  /** Whether it is known to be connected at this moment; always false for readers of an external broker. */
  is_connected: boolean;
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
  return {
    id: row.id,
    name: row.name,
    format: row.format,
    location: row.location,
    status: row.status,
    is_connected: row.is_connected,
    last_message_at: formatNullableTimestamp(row.last_message_at),
    last_connected_at: formatNullableTimestamp(row.last_connected_at),
    last_refused_at: formatNullableTimestamp(row.last_refused_at),
    last_refusal_reason: row.last_refusal_reason,
    recognized_format: row.recognized_format,
    reads_per_minute: Math.round((row.recent_reads / elapsedMinutes) * 10) / 10,
    reads_by_minute: byMinute((age) => row.reads_by_age[age] ?? 0),
    rejected_24h: row.rejected_24h,
    ignored_24h: row.ignored_24h,
  };
}

/** Returns a value for each of the last 60 minutes, the present minute last. */
export function byMinute(valueAt: (ageMinutes: number) => number): number[] {
  return Array.from({ length: minutesShown }, (_, index) => valueAt(minutesShown - 1 - index));
}
