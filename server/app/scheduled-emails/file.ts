import type { MailAttachment } from '../../people/mail/mailer.js';
import { csvCell, workbookCell } from './cells.js';
import type { FileFormat } from './schemas.js';

export type Cell = string | number | null;

/** A table that is collected page by page. */
export type Table = { columns: readonly string[]; pages: AsyncIterable<readonly (readonly Cell[])[]> };

/** The largest file in an email. */
const fileBytesMax = 5 * 1024 * 1024;
/**
 * The most text that is collected for a file. It is more than the largest file, since Excel workbooks are compressed.
 */
const textMax = 2 * fileBytesMax;
/** Excel's limit for a cell, in characters. */
const cellMax = 32_767;

/**
 * Collects a table as a file.
 *
 * @param untilMs when collecting ends, in epoch milliseconds
 * @returns null if the file would be too large, or takes too long
 */
export async function fileOf(
  { columns, pages }: Table,
  { name, format, untilMs }: { name: string; format: FileFormat; untilMs: number },
): Promise<{ rows: number; file: MailAttachment } | null> {
  const rows: (readonly Cell[])[] = [];
  let length = 0;
  for await (const page of pages) {
    rows.push(...page);
    for (const row of page) for (const cell of row) length += 1 + String(cell ?? '').length;
    if (length > textMax || Date.now() > untilMs) return null;
  }
  const content = format === 'csv' ? csvOf([columns, ...rows]) : await workbookOf(name, columns, rows);
  if (!content || content.length > fileBytesMax) return null;
  return { rows: rows.length, file: { filename: `${name}.${format}`, content, contentType: mediaTypes[format] } };
}

const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Returns a file marked as UTF-8. */
function csvOf(rows: readonly (readonly Cell[])[]): Buffer {
  const lines = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? csvCell(cell) : (cell ?? ''))).join(','),
  );
  return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
}

/** Returns an Excel workbook with one sheet, whose texts are never formulas; null if a cell is too long for Excel. */
async function workbookOf(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Buffer | null> {
  if (rows.some((row) => row.some((cell) => typeof cell === 'string' && cell.length > cellMax))) return null;
  // The library is loaded when it is needed.
  const { writeXlsxStream } = await import('hucre/xlsx');
  const header = columns.map((text) => ({ width: Math.max(14, text.length + 2) }));
  const sheet = { name, columns: header, freezePane: { rows: 1 } };
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeXlsxStream(sheetRows(columns, rows), sheet)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const rowsAtOnce = 500;

/** Yields the rows of a sheet, and yields the event loop in between. */
async function* sheetRows(columns: readonly string[], rows: readonly (readonly Cell[])[]): AsyncGenerator<Cell[]> {
  yield [...columns];
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    yield row.map((cell) => (typeof cell === 'string' ? workbookCell(cell) : cell));
  }
}
