import { trimmed } from './cell-text.js';
import { CsvError, type CsvRecord, type Delimiter, detectDelimiter, readRecords } from './records.js';

/** How the records of a file are written. */
export type Layout = { delimiter: Delimiter; records: Iterable<CsvRecord> };

/** The line that names the separator for Excel; it can be quoted like a cell. */
const separatorLine = /^"?sep=(.)"?[ ,;|\t]*(?:\r\n|\r|\n|$)/i;

/**
 * Finds out how a file is written: with `sep=;` in its first line, or with whole records in the first cells, as Excel saves a
 * file that it did not split into columns. Lines are counted in the file.
 */
export function layoutOf(text: string): Layout {
  const [line = '', named] = separatorLine.exec(text) ?? [];
  const rest = text.slice(line.length);
  const outer = isDelimiter(named) ? named : detectDelimiter(rest);
  const inner = innerDelimiter(rest, outer);
  const linesBefore = line === '' ? 0 : 1;
  return { delimiter: inner ?? outer, records: recordsOf(rest, { outer, inner, linesBefore }) };
}

function isDelimiter(text: string | undefined): text is Delimiter {
  return text !== undefined && ',;\t|'.includes(text);
}

/** Returns the separator within the first cell, if the rest of its record is empty and it has several columns in it. */
function innerDelimiter(text: string, outer: Delimiter): Delimiter | undefined {
  try {
    for (const { cells, quoted } of readRecords(text, outer)) {
      if (cells.every((cell) => trimmed(cell) === '')) continue;
      const [first = '', ...others] = cells;
      if (others.some((cell) => trimmed(cell) !== '') || (others.length === 0 && !quoted.has(0))) return undefined;
      const inner = detectDelimiter(first);
      return first.includes(inner) ? inner : undefined;
    }
  } catch (error) {
    // Reading the file reports it.
    if (!(error instanceof CsvError)) throw error;
  }
  return undefined;
}

type Wrapping = { outer: Delimiter; inner: Delimiter | undefined; linesBefore: number };

function* recordsOf(text: string, { outer, inner, linesBefore }: Wrapping): Generator<CsvRecord> {
  let width = 0;
  for (const record of shifted(readRecords(text, outer), linesBefore)) {
    const { line, cells, quoted } = record;
    if (inner !== undefined) {
      // A separator of the outer file within a record has cut it into several cells.
      const whole = cells.join(outer).replace(new RegExp(`\\${outer}+$`), '');
      yield* shifted(readRecords(whole, inner), line - 1);
      continue;
    }
    width ||= cells.length;
    const [first = ''] = cells;
    const isWhole = width > 1 && cells.length === 1 && quoted.has(0) && first.includes(outer);
    if (isWhole) yield* shifted(readRecords(first, outer), line - 1);
    else yield record;
  }
}

/** Adds to the line of each record, or of the error. */
function* shifted(records: Iterable<CsvRecord>, lines: number): Generator<CsvRecord> {
  try {
    for (const record of records) yield { ...record, line: record.line + lines };
  } catch (error) {
    throw error instanceof CsvError ? new CsvError(error.line + lines, error.message) : error;
  }
}
