import { refusal } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { cancelRow, findImport, removeContents } from './queries.js';
import { importIdInput } from './schemas.js';
import { importNotFound, type ImportView, viewImport } from './view.js';

/** Cancels an import that is not applied, and the work on it. Nothing of the file is kept. */
export const cancelImport = sessionProcedure('manager')
  .input(importIdInput)
  .mutation(async ({ ctx, input: { import_id: importId } }): Promise<ImportView> => {
    const { orgId } = ctx;
    const canceled = await ctx.services.db.$transaction(async (tx) => {
      const row = await cancelRow(tx, orgId, importId);
      if (row) await removeContents(tx, orgId, importId);
      return row;
    });
    if (canceled) return viewImport(canceled);
    const row = await findImport(ctx.services.db, orgId, importId);
    if (!row) throw importNotFound();
    if (row.status === 'cancelled') return viewImport(row);
    throw refusal('import_applied');
  });
