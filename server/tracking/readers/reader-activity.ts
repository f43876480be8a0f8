import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { readerNotFound } from './not-found.js';
import { byMinute } from './overview.js';
import { readerActivity } from './overview-queries.js';
import { findReader } from './queries.js';
import { readerIdInput } from './schemas.js';

/** What a reader sent in each of the last 60 minutes, the present minute last. */
export type ReaderActivity = {
  /** The beginning of the first minute. */
  from: string;
  messages: number[];
  reads: number[];
  /** The number of messages that could not be parsed. */
  rejected: number[];
  last_connected_at: string | null;
  last_refused_at: string | null;
  last_refusal_reason: string | null;
};

const hourButOneMinuteMs = 59 * 60_000;

/** Returns a reader's last hour, minute by minute, and its last logins. Counts are a few seconds late. */
export const getReaderActivity = sessionProcedure('admin')
  .input(readerIdInput)
  .query(async ({ ctx, input: { id } }): Promise<ReaderActivity> => {
    const { db } = ctx.services;
    const [reader, { nowMs, rows }] = await Promise.all([
      findReader(db, ctx.orgId, id),
      readerActivity(db, ctx.orgId, id),
    ]);
    if (!reader) throw readerNotFound();
    const byAge = new Map(rows.map((row) => [row.age, row]));
    return {
      from: formatTimestamp(nowMs - hourButOneMinuteMs),
      messages: byMinute((age) => byAge.get(age)?.messages ?? 0),
      reads: byMinute((age) => byAge.get(age)?.reads ?? 0),
      rejected: byMinute((age) => byAge.get(age)?.rejected ?? 0),
      last_connected_at: formatNullableTimestamp(reader.last_connected_at),
      last_refused_at: formatNullableTimestamp(reader.last_refused_at),
      last_refusal_reason: reader.last_refusal_reason,
    };
  });
