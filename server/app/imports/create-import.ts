import { randomUUID } from 'node:crypto';
import { sessionProcedure } from '../../trpc.js';
import { insertImport } from './queries.js';
import { createImportInput } from './schemas.js';
import { type ImportView, viewImport } from './view.js';

/** The size of a request without its rows. */
const envelopeBytes = 512;

/**
 * Creates an import of a file from its kind, its columns, and the number of its rows. `chunk_bytes_max` limits the JSON
 * text of the `rows` of one `addRows`.
 */
export const createImport = sessionProcedure('manager')
  .input(createImportInput)
  .mutation(async ({ ctx, input }): Promise<{ import: ImportView; chunk_bytes_max: number }> => {
    const { db, settings } = ctx.services;
    const row = await insertImport(db, ctx.orgId, {
      id: randomUUID(),
      kind: input.kind,
      fileName: input.file_name,
      columns: input.columns,
      ignoredColumns: input.ignored_columns,
      rowCount: input.row_count,
      userId: ctx.actor.userId,
    });
    return { import: viewImport(row), chunk_bytes_max: settings.bodyBytesMax - envelopeBytes };
  });
