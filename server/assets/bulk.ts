import { z } from 'zod';
import { sessionProcedure } from '../trpc.js';
import { booleanField } from '../validation/fields.js';
import { idListField } from '../validation/id-list.js';
import { type BulkOutcome, retireAssets, setActive } from './bulk-queries.js';
import { manyMax } from './list-many.js';
import { assetNotFound } from './procedure.js';

/** The result for one asset; a failure has the detail of the procedure for one asset. */
export type BulkResult =
  | { id: number; status: 'done' | 'unchanged' }
  | { id: number; status: 'failed'; detail: string };

const ids = idListField(manyMax);

/** Activates or deactivates many assets. The failure of one does not affect the others. */
export const setActiveMany = sessionProcedure('manager')
  .input(z.strictObject({ ids, is_active: booleanField('patch') }))
  .mutation(async ({ ctx, input: { ids: wanted, is_active: isActive } }): Promise<{ results: BulkResult[] }> => {
    return resultsOf(
      wanted,
      await setActive(ctx.services.db, ctx.orgId, { ids: wanted, isActive, author: ctx.author }),
    );
  });

/** Deletes many assets and retires their tags. The failure of one does not affect the others. */
export const deleteMany = sessionProcedure('manager')
  .input(z.strictObject({ ids }))
  .mutation(async ({ ctx, input: { ids: wanted } }): Promise<{ results: BulkResult[] }> => {
    return resultsOf(wanted, await retireAssets(ctx.services.db, ctx.orgId, { ids: wanted, author: ctx.author }));
  });

/** Returns one result for each given id, in order. */
function resultsOf(wanted: readonly number[], { found, changed }: BulkOutcome): { results: BulkResult[] } {
  const results = wanted.map((id): BulkResult => {
    if (changed.has(id)) return { id, status: 'done' };
    return found.has(id) ? { id, status: 'unchanged' } : { id, status: 'failed', detail: assetNotFound().message };
  });
  return { results };
}
