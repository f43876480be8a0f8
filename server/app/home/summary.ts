import { z } from 'zod';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { integerParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import type { AssetFigures } from './asset-figures.js';
import { viewersDay } from './day-start.js';
import { readNotices, readsByInterval, intervalMinutes } from './queries.js';

/** A count up to a maximum; `is_more` is true if there are more. */
export type Bounded = { count: number; is_more: boolean };

export type Summary = {
  /** Live effective assets; `total - seen` were never seen. */
  assets: AssetFigures & { unseen_days: number };
  /** Readers by status, as on the page of readers; readers that have been silent longest come first. */
  readers: {
    total: number;
    silent: number;
    never: number;
    refused: number;
    most_silent: { id: number; name: string; last_message_at: string | null }[];
  };
  /** Values that were read and are not attached to anything, and the value that was read last. */
  unknown_tags: Bounded & { newest: { value: string; tag_type: string | null; last_seen: string } | null };
  /** Messages of the last 24 hours that could not be parsed. */
  rejected_messages: Bounded;
  /** Assets with open problems. */
  problem_assets: Bounded;
  /** Assets that are away from the location that they belong to. */
  away_assets: Bounded;
  /** Reads of the last 24 hours, oldest first, including slots without reads. */
  reads: { slot_minutes: number; slots: { at: string; reads: number }[] };
};

const input = z.strictObject({
  /** The beginning of the user's day in their time zone. */
  day_start: timestampParameter(),
  unseen_days: integerParameter({ min: 1, max: 365 }).default(7),
});

/** Returns the home page of an organization: present figures, and what needs attention. */
export const summarize = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { day_start: dayStart, unseen_days: unseenDays } }): Promise<Summary> => {
    const { db, homeFigures } = ctx.services;
    const dayStartMs = viewersDay(dayStart);
    const [figures, notices, slots] = await Promise.all([
      homeFigures.of(ctx.orgId, { dayStartMs, unseenDays }),
      readNotices(db, ctx.orgId),
      readsByInterval(db, ctx.orgId),
    ]);
    const { newest_unknown: newest, most_silent: silent, readers } = notices;
    return {
      assets: { ...figures, unseen_days: unseenDays },
      readers: {
        total: Object.values(readers).reduce((sum, count) => sum + count, 0),
        silent: readers.silent ?? 0,
        never: readers.never ?? 0,
        refused: readers.refused ?? 0,
        most_silent: silent.map(({ last_message_at: at, ...reader }) => ({
          ...reader,
          last_message_at: formatNullableTimestamp(at),
        })),
      },
      unknown_tags: {
        ...notices.unknown_tags,
        newest: newest && { ...newest, last_seen: formatTimestamp(newest.last_seen) },
      },
      rejected_messages: notices.rejected_messages,
      problem_assets: notices.problem_assets,
      away_assets: notices.away_assets,
      reads: {
        slot_minutes: intervalMinutes,
        slots: slots.map(({ at, reads }) => ({ at: formatTimestamp(at), reads })),
      },
    };
  });
