import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { timestampParameter } from '../../kernel/validation/parameters.js';
import { viewersDay } from './day-start.js';
import type { Trends } from './trend-queries.js';

/** Returns the comparison of the home page's figures with the day before; up to five minutes old. */
export const readHomeTrends = sessionProcedure('viewer')
  .input(z.strictObject({ day_start: timestampParameter() }))
  .query(
    ({ ctx, input }): Promise<Trends> => ctx.services.homeFigures.trendsOf(ctx.orgId, viewersDay(input.day_start)),
  );
