import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { integerParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import type { AssetFigures } from './asset-figures.js';
import { viewersDay } from './day-start.js';
import { type Bounded, intervalMinutes, type Notices, readNotices, readsByInterval } from './queries.js';

export type Summary = Pick<Notices, 'rejected_messages' | 'problem_assets' | 'away_assets'> & {
  /** Live effective assets; `total - seen` were never seen. */
  assets: AssetFigures & { unseen_days: number };
  /** Readers by status, as on the page of readers; readers that have been silent longest come first. */
  readers: Record<'total' | 'silent' | 'never' | 'refused', number> & Pick<Notices, 'most_silent'>;
  /** Values that were read and are not attached to anything, and the value that was read last. */
  unknown_tags: Bounded & { newest: Notices['newest_unknown'] };
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
    const { readers, most_silent, unknown_tags, newest_unknown, ...further } = notices;
    const { silent = 0, never = 0, refused = 0 } = readers;
    const total = Object.values(readers).reduce((sum, count) => sum + count, 0);
    return {
      ...further,
      assets: { ...figures, unseen_days: unseenDays },
      readers: { total, silent, never, refused, most_silent },
      unknown_tags: { ...unknown_tags, newest: newest_unknown },
      reads: { slot_minutes: intervalMinutes, slots },
    };
  });
