import { t } from '@lingui/core/macro';
import { type Cell, readXlsx, type Sheet, writeXlsx } from 'hucre/xlsx';
import { withoutFurigana } from './furigana.js';
import { columnOf, headerIndexIn, startRowsMax } from './column-words.js';
import type { CsvRecord } from './records.js';

/** What a workbook may unpack to, in bytes: a small file can hold gigabytes of zeros. */
const unpackedMax = 256 * 1024 * 1024;
const rowsMax = 200_000;
/** Excel's limit of a cell, in characters. */
const cellMax = 32_767;

/** Why a workbook cannot be read or written, in words. */
export class WorkbookError extends Error {
  override readonly name = 'WorkbookError';
}

/** The rows of a sheet, the places of its hidden columns, its name, and the names of the other visible sheets that have rows. */
export type ReadSheet = { name: string; records: CsvRecord[]; hiddenColumns: ReadonlySet<number>; others: string[] };

/**
 * Returns the rows of the chosen sheet of an Excel workbook (.xlsx), by default of the visible sheet that has names of columns; of
 * several, the one that the workbook opens with, else the first. Lines are its row numbers. Texts are as they are; numbers
 * have the zeros and the texts that their format shows; dates without a time of day are `2026-01-31`. What is merged below the first row
 * is in each row that has other cells.
 *
 * @throws WorkbookError also if its formulas were never calculated
 */
export async function readWorkbook(bytes: Uint8Array, wanted?: string): Promise<ReadSheet> {
  if (unpackedBytes(bytes) > unpackedMax) {
    throw new WorkbookError(t`This workbook is too large. Save the sheet as CSV, or split it into several files.`);
  }
  const names: string[] = [];
  const workbook = await readXlsx(plainTexts(bytes), {
    sheets: ({ name, index, hidden, veryHidden }) => {
      names[index] = name;
      return !hidden && !veryHidden;
    },
    readStyles: true,
    maxRows: rowsMax,
  }).catch((error: unknown) => {
    if (error instanceof Error && /cells\), over the \d+ limit/.test(error.message)) {
      throw new WorkbookError(
        t`This sheet has a cell far outside of its table. Delete the rows below the table and the columns beside it, or save the table as CSV.`,
      );
    }
    throw new WorkbookError(t`This is a spreadsheet of another kind. Save it as an Excel workbook (.xlsx) or as CSV.`);
  });
  const sheets = workbook.sheets.filter(({ rows }) => rows.length > 0);
  const tables = sheets.filter(hasHeader);
  const [first, ...more] = tables.length > 0 ? tables : sheets;
  const opened = names[workbook.activeSheet ?? 0];
  const chosen = sheets.find(({ name }) => name === wanted);
  const sheet = chosen ?? more.find(({ name }) => name === opened) ?? first;
  if (!sheet) return { name: '', records: [], hiddenColumns: new Set(), others: [] };
  const others = sheets.filter((other) => other !== sheet);
  const formulas = [...(sheet.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined);
  if (formulas.length > 0 && formulas.every(({ value }) => value === null)) {
    throw new WorkbookError(
      t`The formulas of this workbook have no results. Open it in a spreadsheet program, save it, and choose it again.`,
    );
  }
  const rows = sheet.rows.map((row, index) => ({
    isHidden: sheet.rowDefs?.get(index)?.hidden === true,
    dates: new Set(row.flatMap((value, at) => (value instanceof Date ? [at] : []))),
    cells: row.map((value, at) => textOf(value, sheet.cells?.get(`${index},${at}`))),
  }));
  const top = rows.findIndex(hasText);
  for (const { startRow, endRow, startCol: at } of sheet.merges ?? []) {
    if (startRow <= top) continue;
    const text = rows[startRow]?.cells[at] ?? '';
    for (const { cells } of rows.slice(startRow + 1, endRow + 1).filter(hasText)) cells[at] = text;
  }
  const records = rows.map((row, index): CsvRecord => ({ line: index + 1, quoted: new Set(), ...row }));
  const hiddenColumns = new Set(sheet.columns?.flatMap(({ hidden }, index) => (hidden === true ? [index] : [])));
  return { name: sheet.name, records, hiddenColumns, others: others.map(({ name }) => name) };
}

/** A damaged archive is left as it is: reading it says what is wrong. */
function plainTexts(bytes: Uint8Array): Uint8Array {
  try {
    return withoutFurigana(bytes);
  } catch {
    return bytes;
  }
}

/** Returns whether a sheet has a row with the names of columns, not only instructions. */
function hasHeader({ rows }: Pick<Sheet, 'rows'>): boolean {
  const texts = rows.slice(0, startRowsMax).map((row) => row.map((value) => (typeof value === 'string' ? value : '')));
  return fileKinds.some((kind) => {
    const columns = texts[headerIndexIn(texts, kind)]?.map((header) => columnOf(header, kind)) ?? [];
    return columns.includes('name');
  });
}

const fileKinds = ['assets', 'locations'] as const;

function hasText({ cells }: Pick<CsvRecord, 'cells'>): boolean {
  return cells.some((cell) => cell !== '');
}

/** Spreadsheets store times of day and durations as the first days of their calendar. A date that is 0 is one, too. */
const calendarStartMs = Date.UTC(1899, 11, 31);
const datesSinceMs = Date.UTC(1900, 2, 1);

const midnight = /^\d{4}-\d{2}-\d{2}T00:00:00(?:\.0+)?Z?$/;

function textOf(value: Cell['value'] | undefined, cell: Cell | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.getTime() < datesSinceMs ? durationText(value) : dateText(value);
  // Strict workbooks write days as texts.
  if (typeof value === 'string' && midnight.test(value) && /y/i.test(cell?.style?.numFmt ?? ''))
    return value.slice(0, 10);
  if (typeof value !== 'number') return String(value);
  // The number has lost its last digits.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  return filled(value, cell?.style?.numFmt ?? '');
}

function dateText(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .slice(0, 19)
    .replace(/ 00:00:00$/, '');
}

function durationText(date: Date): string {
  const seconds = Math.round((date.getTime() - calendarStartMs) / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** A quoted or escaped text, the width of a character as a blank, zeros, signs that stand for themselves, the formats of other numbers. */
const formatParts = /"([^"]*)"|\\(.)|_.|(0+)|([-+() ])|;.*$|(.)/gs;

/**
 * Returns a number as a format shows it that only fills up its digits and puts texts around them, such as `00000;@`, `"A-"0000`
 * and `00000\-0000`. With any other format it returns the number as it is.
 */
function filled(value: number, format: string): string {
  const parts = Array.from(format.matchAll(formatParts), ([, quoted, escaped, zeros, sign, other]) => ({
    zeros: zeros?.length ?? 0,
    text: quoted ?? escaped ?? sign ?? '',
    isOther: other !== undefined,
  }));
  const isFilling = parts.some(({ zeros }) => zeros > 0) && !parts.some(({ isOther }) => isOther);
  if (!isFilling || !Number.isSafeInteger(value) || value < 0) return String(value);
  let digits = String(value).padStart(
    parts.reduce((sum, { zeros }) => sum + zeros, 0),
    '0',
  );
  const first = parts.findIndex(({ zeros }) => zeros > 0);
  return parts.reduceRight((text, { zeros, text: literal }, index) => {
    const shown = zeros === 0 ? literal : index === first ? digits : digits.slice(-zeros);
    if (zeros > 0) digits = digits.slice(0, -zeros);
    return shown + text;
  }, '');
}

/** Returns how large the files in an archive say they are, by its directory; 0 if it has none. */
function unpackedBytes(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = Math.max(0, bytes.length - 65_557);
  let end = bytes.length - 22;
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < first) return 0;
  let sum = 0;
  let at = view.getUint32(end + 16, true);
  while (at + 46 <= bytes.length && view.getUint32(at, true) === 0x02014b50) {
    sum += view.getUint32(at + 24, true);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return sum;
}

/** Characters that XML cannot hold (XML 1.0, 2.2), lone surrogates among them. A workbook with one does not open. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/**
 * Returns an Excel workbook with one sheet whose cells are all texts, so that no program makes numbers of them.
 *
 * @throws WorkbookError if a cell is too long for Excel
 */
export async function writeWorkbook(name: string, rows: readonly (readonly string[])[]): Promise<Blob> {
  const isTooLong = rows.some((row) => row.some((cell) => cell.length > cellMax));
  if (isTooLong) throw new WorkbookError(t`A cell is too long for Excel. Export as CSV instead.`);
  const [header = []] = rows;
  const columns = header.map((text) => ({ width: Math.max(14, text.length + 2), numFmt: '@' }));
  // Such a text in a cell would be read as the character with this number.
  const escaped = /_(?=x[\dA-Fa-f]{4}_)/g;
  const texts = rows.map((row) => row.map((cell) => cell.replaceAll(escaped, '_x005F_').replaceAll(notXml, '\uFFFD')));
  const bytes = await writeXlsx({ sheets: [{ name, columns, rows: texts, freezePane: { rows: 1 } }] });
  return new Blob([bytes.slice()], { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' });
}
