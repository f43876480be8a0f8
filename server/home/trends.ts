import { z } from 'zod';
import { sessionProcedure } from '../trpc.js';
import { timestampParameter } from '../validation/parameters.js';
import { viewersDay } from './day-start.js';
import type { Trends } from './trend-queries.js';

/** The figures of the first page beside those of the day before; up to five minutes old. */
export const readHomeTrends = sessionProcedure('viewer')
  .input(z.strictObject({ day_start: timestampParameter() }))
  .query(
    ({ ctx, input }): Promise<Trends> => ctx.services.homeFigures.trendsOf(ctx.orgId, viewersDay(input.day_start)),
  );
