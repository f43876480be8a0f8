import type { MailAttachment } from '../../people/mail/mailer.js';
import { csvCell, workbookCell } from './cells.js';
import { localClock } from './local-clock.js';
import type { FileFormat } from './schemas.js';

/** The value of a cell: an instant is an RFC 3339 timestamp, a duration is in seconds. */
export type Cell = string | number | null;

export type Row = readonly Cell[];

export type Column = { title: string; kind: 'text' | 'number' | 'instant' | 'duration' };

/** A table that is collected page by page. */
export type Table = { columns: readonly Column[]; pages: AsyncIterable<readonly Row[]> };

/** The largest file in an email. */
const fileBytesMax = 5 * 1024 * 1024;
/**
 * The most text that is collected for a file. It is more than the largest file, since Excel workbooks are compressed.
 */
const textMax = 2 * fileBytesMax;
/** Excel's limit for a cell, in characters. */
const cellMax = 32_767;

type FileOptions = {
  name: string;
  /** The first row of a workbook. */
  title: string;
  format: FileFormat;
  /** In which instants are written. */
  timeZone: string;
  /** When collecting ends, in epoch milliseconds. */
  untilMs: number;
};

/**
 * Collects a table as a file, in which instants have the local time of a time zone.
 *
 * @returns null if the file would be too large, or takes too long
 */
export async function fileOf(
  { columns, pages }: Table,
  options: FileOptions,
): Promise<{ rows: readonly Row[]; file: MailAttachment } | null> {
  const { name, format, untilMs } = options;
  const rows: Row[] = [];
  let length = 0;
  for await (const page of pages) {
    rows.push(...page);
    for (const row of page) for (const cell of row) length += 1 + String(cell ?? '').length;
    if (length > textMax || Date.now() > untilMs) return null;
  }
  const content = await (format === 'csv' ? csvOf(columns, rows, options) : workbookOf(columns, rows, options));
  if (!content || content.length > fileBytesMax) return null;
  return { rows, file: { filename: `${name}.${format}`, content, contentType: mediaTypes[format] } };
}

const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Returns a file marked as UTF-8. It has no title: programs expect the columns in the first line. */
async function csvOf(columns: readonly Column[], rows: readonly Row[], { timeZone }: FileOptions): Promise<Buffer> {
  const clock = localClock(timeZone);
  const textOf = (cell: Cell, kind: Column['kind'] | undefined): string => {
    if (cell === null) return '';
    if (kind === 'duration') return durationOf(Number(cell));
    if (kind === 'instant') return clock.at(String(cell)).toISOString().slice(0, 16).replace('T', ' ');
    return typeof cell === 'string' ? csvCell(cell) : String(cell);
  };
  const lines = [columns.map(({ title }) => csvCell(title)).join(',')];
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === 0) await otherWork();
    lines.push(row.map((cell, at) => textOf(cell, columns[at]?.kind)).join(','));
  }
  return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
}

/** Returns seconds as `1:02:03`. */
function durationOf(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
  return [Math.floor(whole / 3600), ...parts].join(':');
}

const daySeconds = 86_400;

/** How Excel shows numbers and dates. */
const numberFormats: Partial<Record<Column['kind'], string>> = { instant: 'yyyy-mm-dd hh:mm', duration: '[h]:mm:ss' };

const widthMin = 10;
const widthMax = 50;

/**
 * Returns an Excel workbook with one sheet: the title, an empty row, the names of the columns, and the rows. Its texts are never
 * formulas. Null if a cell is too long for Excel.
 */
async function workbookOf(
  columns: readonly Column[],
  rows: readonly Row[],
  { name, title, timeZone }: FileOptions,
): Promise<Buffer | null> {
  if (rows.some((row) => row.some((cell) => typeof cell === 'string' && cell.length > cellMax))) return null;
  // The library is loaded when it is needed.
  const { writeXlsxStream } = await import('hucre/xlsx');
  const clock = localClock(timeZone);
  const valueOf = (cell: Cell, kind: Column['kind'] | undefined) => {
    if (cell === null) return null;
    if (kind === 'duration') return Number(cell) / daySeconds;
    if (kind === 'instant') return clock.at(String(cell));
    return typeof cell === 'string' ? workbookCell(cell) : cell;
  };
  const sheetRows = async function* () {
    yield [workbookCell(title)];
    yield [];
    yield columns.map((column) => workbookCell(column.title));
    for (const [index, row] of rows.entries()) {
      if (index % rowsAtOnce === 0) await otherWork();
      yield row.map((cell, at) => valueOf(cell, columns[at]?.kind));
    }
  };
  const widths = columns.map((column, at) => {
    const numFmt = numberFormats[column.kind];
    return { width: widthOf(column, rows, at), ...(numFmt !== undefined && { numFmt }) };
  });
  const chunks: Uint8Array[] = [];
  const sheet = { name, columns: widths, freezePane: { rows: 3 } };
  for await (const chunk of writeXlsxStream(sheetRows(), sheet)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the width of a column in characters, by its longest text. */
function widthOf({ title, kind }: Column, rows: readonly Row[], at: number): number {
  const lengths = kind === 'instant' ? 16 : rows.reduce((max, row) => Math.max(max, String(row[at] ?? '').length), 0);
  return Math.min(widthMax, Math.max(widthMin, title.length, lengths) + 2);
}

const rowsAtOnce = 500;

/** Lets the event loop do other work. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
