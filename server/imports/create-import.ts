import { randomUUID } from 'node:crypto';
import { sessionProcedure } from '../trpc.js';
import { insertImport } from './queries.js';
import { createImportInput } from './schemas.js';
import { type ImportView, viewImport } from './view.js';

/** What a request is besides its rows. */
const envelopeBytes = 512;

/**
 * Announces a file: what it holds, under which columns, and how many rows will come. `chunk_bytes_max` bounds the JSON text of
 * the `rows` of one `addRows`.
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
      rowCount: input.row_count,
      userId: ctx.actor.userId,
    });
    return { import: viewImport(row), chunk_bytes_max: settings.bodyBytesMax - envelopeBytes };
  });
