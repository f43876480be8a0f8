import { z } from 'zod';
import { ContractError } from '../../kernel/errors.js';
import type { Reason } from '../../kernel/reasons.js';
import { sessionProcedure } from '../../trpc.js';
import { nullableIdField } from '../../kernel/validation/fields.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { removeReader } from './delete-reader.js';
import { readerFormats } from './formats.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { changeSettings } from './update-reader.js';

/** Readers of one request. */
const manyMax = 100;

/** The result for one reader; a failure has the reason of the procedure for one reader. */
export type ReaderResult =
  | { id: number; status: 'done' }
  | { id: number; status: 'failed'; reason?: Reason | undefined };

const ids = idListField(manyMax);
const simpleFormats = readerFormats.filter((format) => format !== 'mapped');

const updateManyInput = z.strictObject({
  ids,
  location_id: nullableIdField().exactOptional(),
  format: choiceParameter(simpleFormats).exactOptional(),
});

/** Changes the location or the format of many readers. The failure of one does not affect the others. */
export const updateManyReaders = sessionProcedure('admin')
  .input(updateManyInput)
  .mutation(async ({ ctx, input: { ids: wanted, ...changes } }) =>
    forEach(wanted, async (id) => {
      await changeSettings(ctx.services.db, ctx, { id, ...changes });
    }),
  );

/** Deletes many readers. The failure of one does not affect the others. */
export const deleteManyReaders = sessionProcedure('admin')
  .input(z.strictObject({ ids }))
  .mutation(async ({ ctx, input: { ids: wanted } }) => forEach(wanted, (id) => removeReader(ctx.services.db, ctx, id)));

/** Acts on the readers one at a time, so that one request holds one connection. */
async function forEach(
  wanted: readonly number[],
  act: (id: number) => Promise<void>,
): Promise<{ results: ReaderResult[] }> {
  const results: ReaderResult[] = [];
  for (const id of new Set(wanted)) {
    try {
      await act(id);
      results.push({ id, status: 'done' });
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      results.push({ id, status: 'failed', reason: error.reason });
    }
  }
  return { results };
}
