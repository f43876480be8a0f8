import { numberText } from '../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { unshieldCell } from './cells.js';
import { columnNames, type FileKind, readOnlyColumns } from './columns.js';
import { CsvError, detectDelimiter, type Delimiter, readRecords } from './records.js';

export type FileProblem = { line: number; message: string };

/** A parsed file; it can be sent if it has rows and no problems. */
export type ReadFile = {
  delimiter: Delimiter;
  /** The columns that are imported, in the order of the file. */
  columns: string[];
  /** Headers that mean nothing here. */
  ignored: string[];
  rows: { line: number; cells: string[] }[];
  problems: FileProblem[];
  /** How many there are altogether; `problems` holds the first. */
  problemCount: number;
};

export const rowsMax = 100_000;
const problemsMax = 100;
/** So long one stretch of reading may keep the page from answering. */
const stretchMs = 25;

/** Takes a file's text apart and finds the columns by their headers, in any order, ignoring case and blanks. */
export async function readFile(text: string, kind: FileKind): Promise<ReadFile> {
  const delimiter = detectDelimiter(text);
  const read: ReadFile = { delimiter, columns: [], ignored: [], rows: [], problems: [], problemCount: 0 };
  const report = (line: number, message: string) => {
    read.problemCount += 1;
    if (read.problems.length < problemsMax) read.problems.push({ line, message });
  };
  let indexes: number[] | undefined;
  let width = 0;
  let since = performance.now();
  try {
    for (const { line, cells, quoted } of readRecords(text, delimiter)) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (!indexes) {
        indexes = readHeader(cells, kind, { read, report: (message) => report(line, message) });
        width = cells.length;
        if (read.problemCount > 0) return read;
        continue;
      }
      if (cells.length !== width) {
        report(line, t`This row has ${cells.length} cells where the header has ${width}.`);
      } else if (read.rows.length === rowsMax) {
        report(line, t`A file can have at most ${numberText(rowsMax)} rows. Split it into several files.`);
        return read;
      } else {
        read.rows.push({
          line,
          cells: indexes.map((index, at) => {
            const cell = unshieldCell(cells[index] ?? '');
            return isTagColumn(read.columns[at]) && !quoted.has(index) ? withoutBlanks(cell) : cell;
          }),
        });
      }
      if (performance.now() - since > stretchMs) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    report(error.line, error.message);
  }
  if (read.problemCount === 0 && read.rows.length === 0) report(1, t`The file has no rows.`);
  return read;
}

function isTagColumn(column: string | undefined): boolean {
  return column?.endsWith('_tags') === true;
}

/** Returns a cell of tags without blanks around their separators, as people type them. */
function withoutBlanks(cell: string): string {
  return cell.replaceAll(/\s*(?<!\\)\|\s*/g, '|');
}

type Header = { read: ReadFile; report: (message: string) => void };

/** Returns the indexes of the columns that are known. */
function readHeader(cells: readonly string[], kind: FileKind, { read, report }: Header): number[] {
  const known = columnNames(kind);
  const indexes: number[] = [];
  cells.forEach((cell, index) => {
    const name = unshieldCell(cell)
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_');
    if (read.columns.includes(name)) report(t`The column ${name} appears twice.`);
    else if (known.includes(name)) {
      read.columns.push(name);
      indexes.push(index);
    } else if (cell.trim() !== '' && !readOnlyColumns[kind].includes(name)) read.ignored.push(cell.trim());
  });
  if (!read.columns.includes('name')) {
    report(
      t`The column name is missing. The first line must have the names of the columns; known are ${known.join(', ')}.`,
    );
  }
  return indexes;
}
