import { formatNullableTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import type { ReaderFormat } from './formats.js';
import { readerNotFound } from './not-found.js';
import { findRecognizedFormat } from './overview-queries.js';
import { readerIdInput } from './schemas.js';

/** Returns the format that can parse what the reader's own rejected; null if there is none, or nothing was rejected. */
export const recognizeReaderFormat = sessionProcedure('admin')
  .input(readerIdInput)
  .query(async ({ ctx, input: { id } }): Promise<{ format: ReaderFormat | null; recognized_at: string | null }> => {
    const found = await findRecognizedFormat(ctx.services.db, ctx.orgId, id);
    if (!found) throw readerNotFound();
    return { format: found.format, recognized_at: formatNullableTimestamp(found.recognized_at) };
  });
