import { refusal, validationError } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { insertRows, lockImport } from './queries.js';
import type { FileRow } from './row-reader.js';
import { addRowsInput, importBytesMax } from './schemas.js';
import { importNotFound, type ImportView, viewImport } from './view.js';

/**
 * Stores the next chunk of a file's rows. Chunks come in order from 0. A chunk that is stored already is acknowledged
 * and not stored again, so a chunk whose answer was lost is simply repeated.
 */
export const addRows = sessionProcedure('manager')
  .input(addRowsInput)
  .mutation(async ({ ctx, input: { import_id: importId, chunk, rows } }): Promise<ImportView> => {
    const { orgId } = ctx;
    return ctx.services.db.$transaction(async (tx) => {
      const current = await lockImport(tx, orgId, importId);
      if (!current) throw importNotFound();
      if (chunk < current.next_chunk) return viewImport(withoutInternals(current));
      if (current.status !== 'uploading') throw refusal('import_complete');
      if (chunk > current.next_chunk) {
        throw refusal('import_chunk_out_of_order', { next: current.next_chunk, chunk });
      }
      ensureInOrder(rows, current);
      const bytes = rows.reduce(
        (sum, { cells }) => sum + cells.reduce((row, cell) => row + Buffer.byteLength(cell), 0),
        0,
      );
      if (current.received_bytes + bytes > importBytesMax) {
        throw refusal('import_too_large', { bytes: importBytesMax });
      }
      return viewImport(await insertRows(tx, orgId, { importId, rows, bytes }));
    });
  });

type Current = NonNullable<Awaited<ReturnType<typeof lockImport>>>;

function withoutInternals({ last_line: _line, received_bytes: _bytes, ...row }: Current) {
  return row;
}

/** Checks that lines ascend, that there are no more rows than announced, and that each has a cell for every column. */
function ensureInOrder(rows: readonly FileRow[], current: Current): void {
  const reject = (message: string) => {
    throw validationError([{ field: 'rows', code: 'invalid_value', message }]);
  };
  if (current.received_rows + rows.length > current.row_count) reject(`rows must be ${current.row_count} altogether`);
  let last = current.last_line;
  for (const { line, cells } of rows) {
    if (line <= last) reject(`rows must be in the order of their lines; ${line} came after ${last}`);
    if (cells.length !== current.columns.length) reject(`line ${line} must have ${current.columns.length} cells`);
    last = line;
  }
}
