import { z } from 'zod';
import type { Reason } from '../../kernel/reasons.js';
import { sessionProcedure } from '../../trpc.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { retireAssets } from './bulk-queries.js';
import { manyMax } from './list-many.js';
import { assetNotFound } from './procedure.js';

/** The result for one asset; a failure has the reason of the procedure for one asset. */
export type BulkResult = { id: number; status: 'done' } | { id: number; status: 'failed'; reason?: Reason | undefined };

const ids = idListField(manyMax);

/** Deletes many assets and retires their tags. The failure of one does not affect the others. */
export const deleteMany = sessionProcedure('manager')
  .input(z.strictObject({ ids }))
  .mutation(async ({ ctx, input: { ids: wanted } }): Promise<{ results: BulkResult[] }> => {
    const deleted = await retireAssets(ctx.services.db, ctx.orgId, { ids: wanted, author: ctx.author });
    const results = wanted.map(
      (id): BulkResult =>
        deleted.has(id) ? { id, status: 'done' } : { id, status: 'failed', reason: assetNotFound().reason },
    );
    return { results };
  });
