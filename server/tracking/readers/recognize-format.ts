import { epochMs } from '../../kernel/database/columns.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import type { ReaderFormat } from './formats.js';
import { readerNotFound } from './not-found.js';
import { readerIdInput } from './schemas.js';

/**
 * Returns the format that can parse the messages that the reader's own format rejected; null if there is none, or
 * nothing was rejected.
 */
export const recognizeReaderFormat = sessionProcedure('admin')
  .input(readerIdInput)
  .query(async ({ ctx, input: { id } }): Promise<{ format: ReaderFormat | null; recognized_at: string | null }> => {
    const [found] = await ctx.services.db.$queryRaw<{ format: ReaderFormat | null; recognized_at: number | null }[]>`
      SELECT CASE WHEN recognized_format <> format THEN recognized_format END AS format,
             CASE WHEN recognized_format <> format THEN ${epochMs('recognized_at')} END AS recognized_at
        FROM readers
       WHERE org_id = ${ctx.orgId} AND id = ${id} AND deleted_at IS NULL`;
    if (!found) throw readerNotFound();
    return { format: found.format, recognized_at: formatNullableTimestamp(found.recognized_at) };
  });
