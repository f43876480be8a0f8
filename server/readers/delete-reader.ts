import { sessionProcedure } from '../trpc.js';
import { readerNotFound } from './not-found.js';
import { retireReader } from './queries.js';
import { readerIdInput } from './schemas.js';

/** Deletes a reader: its connections end within 2 s and it never gets in again. What it saw stays. */
export const deleteReader = sessionProcedure('admin')
  .input(readerIdInput)
  .mutation(async ({ ctx, input: { id } }) => {
    if (!(await retireReader(ctx.services.db, ctx.orgId, id))) throw readerNotFound();
  });
