import { numberText } from '../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { textOfCell } from './cells.js';
import { trimmed } from './cell-text.js';
import { canMean, columnOf, headerIndexIn, headerRowsMax, isExactName, startRowsMax } from './column-words.js';
import { columnNames, comparedColumns, detailColumn, type FileKind, importedNames, placeColumns } from './columns.js';
import { layoutOf } from './layout.js';
import { isTotal } from './totals.js';
import { CsvError, type CsvRecord, type Delimiter } from './records.js';

export type FileProblem = { line: number; message: string };

/**
 * What a header is taken for: the column, or null if it is not imported. `index` is its place in the file, `samples` are the first
 * different values below it.
 */
export type Meaning = { index: number; header: string; column: string | null; samples: string[] };

const samplesMax = 3;
/** The longest sample, in characters. */
const sampleMax = 40;

/** What a person has chosen. */
export type Choices = {
  /** What single headers are taken for, by their places in the file. */
  columns?: ReadonlyMap<number, string | null>;
  /** The line that has the names of the columns. */
  headerLine?: number;
  /** Whether rows are imported that seem to be totals, or that are hidden. */
  withTotals?: boolean;
  withHidden?: boolean;
};

/** A row with the first of its texts. */
type NamedRow = { line: number; text: string };

/** A parsed file; it can be sent if it has rows and no problems. */
export type ReadFile = {
  /** Null for a workbook. */
  delimiter: Delimiter | null;
  /** What each header of the file is taken for, in the order of the file. */
  meanings: Meaning[];
  /** The columns that are sent, in the order of the file: those that are imported, and those that are compared. */
  columns: string[];
  /** Their headers, as the file has them. */
  headers: string[];
  /** Headers of columns that are not imported, those that are compared among them. */
  ignored: string[];
  rows: { line: number; cells: string[] }[];
  /** The line with the names of the columns, and the first rows with text, which could have them. */
  headerLine: number;
  firstRows: NamedRow[];
  /** Rows that seem to be totals, and how many rows are hidden; they are imported only if a person has chosen so. */
  totals: NamedRow[];
  hiddenRows: number;
  /** Headers of hidden columns. */
  hiddenColumns: string[];
  problems: FileProblem[];
  /** How many there are altogether; `problems` holds the first. */
  problemCount: number;
};

export const rowsMax = 100_000;
const problemsMax = 100;
/** So long one stretch of reading may keep the page from answering. */
const stretchMs = 25;

/** Takes a file's text apart, and reads its table. */
export async function readFile(text: string, kind: FileKind, choices?: Choices): Promise<ReadFile> {
  return readTable(layoutOf(text), kind, choices);
}

type Table = { delimiter: Delimiter | null; records: Iterable<CsvRecord>; hiddenColumns?: ReadonlySet<number> };

/**
 * Finds the columns of a table by their headers, in any order, in the words that people use for them, and reads its rows.
 *
 * @param choices what a person has chosen instead
 */
export async function readTable(
  { delimiter, records, hiddenColumns }: Table,
  kind: FileKind,
  choices: Choices = {},
): Promise<ReadFile> {
  const read: ReadFile = {
    delimiter,
    meanings: [],
    columns: [],
    headers: [],
    ignored: [],
    rows: [],
    headerLine: 1,
    firstRows: [],
    totals: [],
    hiddenRows: 0,
    hiddenColumns: [],
    problems: [],
    problemCount: 0,
  };
  const report = (line: number, message: string) => {
    read.problemCount += 1;
    if (read.problems.length < problemsMax) read.problems.push({ line, message });
  };
  let indexes: number[] | undefined;
  let unnamed: number[] = [];
  let width = 0;
  let since = performance.now();
  try {
    const { firstRows, sample, rest } = startOf(records, kind, choices.headerLine);
    read.firstRows = firstRows;
    for (const { line, cells, dates, isHidden = false } of rest) {
      if (cells.every((cell) => trimmed(cell) === '')) continue;
      if (!indexes) {
        read.headerLine = line;
        const chosen = choices.columns ?? new Map<number, string | null>();
        indexes = readHeader(cells, { kind, chosen, sample, read, report: (message) => report(line, message) });
        read.hiddenColumns = read.meanings.flatMap(({ index, header }) => (hiddenColumns?.has(index) ? [header] : []));
        width = cells.length;
        unnamed = Array.from(cells.keys()).filter((index) => !read.meanings.some((meaning) => meaning.index === index));
        if (read.problemCount > 0) return read;
        continue;
      }
      if (isHidden) {
        read.hiddenRows += 1;
        if (choices.withHidden !== true) continue;
      }
      const isIdentifierAt = (index: number) => isIdentifier(read.columns[indexes?.indexOf(index) ?? -1]);
      if (isTotal(cells, isIdentifierAt)) {
        read.totals.push({ line, text: textsOf(cells) });
        if (choices.withTotals !== true) continue;
      }
      for (const index of unnamed.filter((at) => trimmed(cells[at] ?? '') !== '')) {
        unnamed.splice(unnamed.indexOf(index), 1);
        const header = nameOfColumn(index);
        read.meanings.push({ index, header, column: null, samples: samplesAt(sample, index) });
        read.meanings.sort((one, other) => one.index - other.index);
        read.ignored.push(header);
      }
      const date = indexes.find((index, at) => dates?.has(index) && isIdentifier(read.columns[at]));
      if (date !== undefined) {
        report(
          line,
          t`The spreadsheet has turned “${read.headers[indexes.indexOf(date)] ?? ''}” into the date ${cells[date] ?? ''}.`,
        );
        continue;
      }
      // Spreadsheets leave out empty cells at the end of a row, and add some.
      if (cells.slice(width).some((cell) => trimmed(cell) !== '')) {
        report(line, t`This row has ${cells.length} cells where the header has ${width}.`);
      } else if (read.rows.length === rowsMax) {
        report(line, t`A file can have at most ${numberText(rowsMax)} rows. Split it into several files.`);
        return read;
      } else {
        read.rows.push({ line, cells: indexes.map((index) => textOfCell(cells[index] ?? '')) });
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

/** The first rows with text, the rows from the names of the columns on, and the first ones below them. */
type Start = { firstRows: NamedRow[]; sample: readonly CsvRecord[]; rest: Iterable<CsvRecord> };

/** The most texts of a row that are shown, and the longest of all of them together, in characters. */
const textsShown = 4;
const textShownMax = 60;

function textsOf(cells: readonly string[]): string {
  const texts = cells.map((cell) => trimmed(textOfCell(cell))).filter((text) => text !== '');
  const shown = texts.slice(0, textsShown).join(' · ');
  return shown.length > textShownMax ? `${shown.slice(0, textShownMax)}…` : shown;
}

/** Finds the row that has the names of the columns, if a person has chosen none; rows with titles can be above it. */
function startOf(records: Iterable<CsvRecord>, kind: FileKind, headerLine: number | undefined): Start {
  const iterator = records[Symbol.iterator]();
  const first: CsvRecord[] = [];
  let failure: CsvError | undefined;
  try {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      first.push(next.value);
      if (first.length === startRowsMax) break;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    failure = error;
  }
  const chosen = first.findIndex(({ line }) => line === headerLine);
  const texts = first.map(({ cells }) => cells.map(textOfCell));
  const header = chosen === -1 ? headerIndexIn(texts, kind) : chosen;
  const firstRows = first
    .slice(0, headerRowsMax)
    .map(({ line, cells }) => ({ line, text: textsOf(cells) }))
    .filter(({ text }) => text !== '');
  const rest = function* (): Generator<CsvRecord> {
    yield* first.slice(header);
    if (failure) throw failure;
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) yield next.value;
  };
  return { firstRows, sample: first.slice(header + 1), rest: rest() };
}

/** Returns the name of a column without a header, with its letters in spreadsheets. */
function nameOfColumn(index: number): string {
  let letters = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(0x41 + (rest % 26)) + letters;
  }
  return t`Column ${letters}`;
}

function isIdentifier(column: string | undefined): boolean {
  return column?.endsWith('_tags') === true || column?.endsWith('external_key') === true;
}

type Header = {
  kind: FileKind;
  chosen: ReadonlyMap<number, string | null>;
  sample: readonly CsvRecord[];
  read: ReadFile;
  report: (message: string) => void;
};

/** Returns the indexes of the columns that are sent. */
function readHeader(cells: readonly string[], { kind, chosen: choices, sample, read, report }: Header): number[] {
  const headers = cells.map(
    (cell, index) => trimmed(textOfCell(cell)) || (choices.get(index) ? nameOfColumn(index) : ''),
  );
  const guesses = guessesOf(headers, kind, sample);
  const indexes: number[] = [];
  headers.forEach((header, index) => {
    const chosen = choices.get(index);
    const column = chosen === undefined ? (guesses[index] ?? null) : chosen;
    if (header !== '') {
      const isCompared = column !== null && comparedColumns.includes(column);
      read.meanings.push({ index, header, column: isCompared ? null : column, samples: samplesAt(sample, index) });
      if (column === null || isCompared) read.ignored.push(header);
    }
    if (column === null) return;
    const other = read.headers[read.columns.indexOf(column)];
    if (other?.toLowerCase() === header.toLowerCase()) report(t`The column ${header} appears twice.`);
    else if (other !== undefined) {
      report(t`The columns ${other} and ${header} are both read as ${column}. Choose another meaning for one of them.`);
    }
    read.columns.push(column);
    read.headers.push(header);
    indexes.push(index);
  });
  if (!read.columns.includes('name')) {
    const [first = ''] = headers;
    report(
      read.delimiter !== null && cells.length === 1 && read.columns.every((column) => column === detailColumn(first))
        ? t`The whole first line is in one column: ${first}. In Excel, split the text into columns (Data, Text to Columns), or save it as CSV again.`
        : t`The column name is missing. The first line must have the names of the columns; known are ${columnNames(kind).join(', ')}.`,
    );
  }
  return indexes;
}

/**
 * Returns what each header seems to mean. Of several headers for one column, the name of the column counts. What is unknown is a custom
 * detail of an asset.
 */
function guessesOf(headers: readonly string[], kind: FileKind, sample: readonly CsvRecord[]): (string | null)[] {
  const meant = headers.map((header, index) => {
    const column = columnOf(header, kind);
    return column !== undefined && canMean(header, column, valuesAt(sample, index)) ? column : undefined;
  });
  // A list of another program says where its assets are; an export of the app says where they were.
  const isExport = meant.includes('location_external_key') || meant.includes('last_seen_at');
  const place =
    isExport || placeColumns[kind].some(({ name }) => meant.includes(name)) ? -1 : meant.indexOf('location');
  if (place !== -1) meant[place] = 'place_at_or_create';
  const exact = new Set(
    meant.filter((column, index) => column !== undefined && isExactName(headers[index] ?? '', column)),
  );
  const sent = [...importedNames(kind), ...comparedColumns];
  const details = new Set<string>();
  return headers.map((header, index) => {
    const column = meant[index];
    if (column !== undefined) {
      const isGuess = exact.has(column) && !isExactName(header, column);
      return sent.includes(column) && !isGuess ? column : null;
    }
    const detail = detailColumn(header);
    if (kind !== 'assets' || header === '' || details.has(detail) || details.size === detailsMax) return null;
    details.add(detail);
    return detail;
  });
}

/** Returns the values of a column in the first rows. */
function valuesAt(sample: readonly CsvRecord[], index: number): string[] {
  return sample.map(({ cells }) => trimmed(textOfCell(cells[index] ?? ''))).filter((value) => value !== '');
}

function samplesAt(sample: readonly CsvRecord[], index: number): string[] {
  return [...new Set(valuesAt(sample, index).map((value) => value.slice(0, sampleMax)))].slice(0, samplesMax);
}

/** A file has at most 200 columns; the others are no custom details. */
const detailsMax = 180;
