import { t } from '@lingui/core/macro';
import { isInvisible, trimmed } from './cell-text.js';

/** A file that cannot be parsed, with the line. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * A record with the line on which it begins, from 1, and the positions of quoted cells. In a workbook also the positions of dates, and
 * whether the row is hidden, by a filter or by hand.
 */
export type CsvRecord = {
  line: number;
  cells: string[];
  quoted: ReadonlySet<number>;
  dates?: ReadonlySet<number>;
  isHidden?: boolean;
};

export type Delimiter = ',' | ';' | '\t' | '|';

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Returns the records of a text by RFC 4180, strictly: quotes enclose a whole cell or do not occur. Lines end as on any
 * system. A line break inside a cell counts as one, so that lines are counted as in an editor. White space around a cell
 * and around its quotes is no part of it.
 *
 * @throws CsvError with the line of the first error
 */
export function* readRecords(text: string, delimiter: Delimiter): Generator<CsvRecord> {
  const separator = delimiter.charCodeAt(0);
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const quoted = new Set<number>();
    const record: CsvRecord = { line, cells: [], quoted };
    for (let isOpen = true; isOpen; ) {
      const start = blankEnd(text, at, separator);
      if (text.charCodeAt(start) === quote) {
        const end = closingQuote(text, start, line);
        const inside = text.slice(start + 1, end);
        quoted.add(record.cells.length);
        record.cells.push(inside.includes('"') ? inside.replaceAll('""', '"') : inside);
        line += breaksIn(inside);
        at = blankEnd(text, end + 1, separator);
      } else if (text.startsWith('="', start)) {
        // A formula that is only a text.
        const end = closingQuote(text, start + 1, line) + 1;
        record.cells.push(text.slice(start, end));
        at = blankEnd(text, end, separator);
      } else {
        const end = cellEnd(text, at, separator);
        if (text.charCodeAt(end) === quote) {
          throw new CsvError(
            line,
            t`A cell contains a quote. Put quotes around the whole cell, and double the one inside.`,
          );
        }
        record.cells.push(trimmed(text.slice(at, end)));
        at = end;
      }
      const code = text.charCodeAt(at);
      if (code === separator) at += 1;
      else if (at >= text.length) isOpen = false;
      else if (code === lineFeed || code === carriageReturn) {
        at += code === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 1;
        line += 1;
        isOpen = false;
      } else throw new CsvError(line, t`Something follows the closing quote of a cell.`);
    }
    yield record;
  }
}

/** Returns the index after white space and invisible characters before or after the quotes of a cell. */
function blankEnd(text: string, start: number, separator: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); isInvisible(code); code = text.charCodeAt(at)) {
    if (code === separator || code === lineFeed || code === carriageReturn) break;
    at += 1;
  }
  return at;
}

/** Returns the index of the quote that ends the cell which begins at `start`; doubled ones belong to the cell. */
function closingQuote(text: string, start: number, line: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
  if (at === -1) throw new CsvError(line, t`The quotes around a cell that begins here are never closed.`);
  return at;
}

function cellEnd(text: string, start: number, separator: number): number {
  for (let at = start; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === lineFeed || code === carriageReturn || code === quote || Number.isNaN(code)) {
      return at;
    }
  }
}

function breaksIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/**
 * Returns the delimiter that occurs most often both in the header and in the first row, outside of quotes: the words of a
 * header can contain commas. Titles above the header have no delimiter in common. If no delimiter is in two lines, the first one
 * decides. Without any delimiter it is a comma.
 */
export function detectDelimiter(text: string): Delimiter {
  const all: readonly Delimiter[] = [',', ';', '\t', '|'];
  const counts = firstLines(text).map((line) => all.map((one) => line.split(one).length));
  const pairs = counts.map((header, index) => ({ header, row: counts[index + 1] ?? header }));
  const isTable = ({ header, row }: (typeof pairs)[number]) =>
    all.some((_, at) => Math.min(header[at] ?? 1, row[at] ?? 1) > 1);
  const { header, row } = pairs.slice(0, -1).find(isTable) ?? pairs[0] ?? { header: [], row: [] };
  const score = (one: Delimiter) => {
    const [inHeader = 1, inRow = 1] = [header[all.indexOf(one)], row[all.indexOf(one)]];
    return Math.min(inHeader, inRow) + inHeader / (text.length + 2);
  };
  return all.reduce((best, one) => (score(one) > score(best) ? one : best));
}

/** As many lines are looked at to find the delimiter. */
const firstLinesMax = 30;

/** Returns the first lines that are not blank, without what is in quotes. */
function firstLines(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character !== '\n' && character !== '\r') line += character;
    else if (trimmed(line) === '') line = '';
    else {
      lines.push(line);
      if (lines.length === firstLinesMax) return lines;
      line = '';
    }
  }
  return trimmed(line) === '' ? lines : [...lines, line];
}
