import { z } from 'zod';
import type { Reason } from '../../kernel/reasons.js';
import { inBatch, recordBatch } from '../../people/activity/batches.js';
import { sessionProcedure } from '../../trpc.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { retireAssets } from './bulk-queries.js';
import { manyMax } from './list-many.js';
import { assetNotFound } from './procedure.js';

/** The result for one asset; a failure has the reason of the procedure for one asset. */
export type BulkResult = { id: number; status: 'done' } | { id: number; status: 'failed'; reason?: Reason | undefined };

const ids = idListField(manyMax);

/** Deletes many assets and retires their tags. The failure of one does not affect the others. `batch_id` is for the undo. */
export const deleteMany = sessionProcedure('manager')
  .input(z.strictObject({ ids }))
  .mutation(async ({ ctx, input: { ids: wanted } }): Promise<{ results: BulkResult[]; batch_id: string | null }> => {
    const { orgId } = ctx;
    const author = inBatch(ctx.author);
    const deleted = await ctx.services.db.$transaction(async (tx) => {
      const retired = await retireAssets(tx, orgId, { ids: wanted, author });
      await recordBatch(tx, { orgId, author }, { kind: 'deletion', objectKind: 'asset', count: retired.size });
      return retired;
    });
    const results = wanted.map(
      (id): BulkResult =>
        deleted.has(id) ? { id, status: 'done' } : { id, status: 'failed', reason: assetNotFound().reason },
    );
    return { results, batch_id: deleted.size === 0 ? null : author.batchId };
  });
