import { t } from '@lingui/core/macro';
import { trimmed } from './cell-text.js';

/** A file that cannot be parsed, with the line. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A record with the line on which it begins, from 1, the positions of quoted cells and, in a workbook, those of dates. */
export type CsvRecord = { line: number; cells: string[]; quoted: ReadonlySet<number>; dates?: ReadonlySet<number> };

export type Delimiter = ',' | ';' | '\t' | '|';

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Returns the records of a text by RFC 4180, strictly: quotes enclose a whole cell or do not occur. Lines end as on any
 * system. A line break inside a cell counts as one, so that lines are those an editor shows. White space around a cell
 * is part of it only in quotes.
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
      if (text.charCodeAt(at) === quote) {
        const end = closingQuote(text, at, line);
        const inside = text.slice(at + 1, end);
        quoted.add(record.cells.length);
        record.cells.push(inside.includes('"') ? inside.replaceAll('""', '"') : inside);
        line += breaksIn(inside);
        at = end + 1;
      } else if (text.startsWith('="', at)) {
        // A formula that is only a text.
        const end = closingQuote(text, at + 1, line) + 1;
        record.cells.push(text.slice(at, end));
        at = end;
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

/** Returns the delimiter that the first record has most of, outside of quotes; a comma where it has none. */
export function detectDelimiter(text: string): Delimiter {
  const counts: Record<Delimiter, number> = { ',': 0, ';': 0, '\t': 0, '|': 0 };
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && character in counts) counts[character as Delimiter] += 1;
  }
  const all = Object.keys(counts) as Delimiter[];
  return all.reduce((best, one) => (counts[one] > counts[best] ? one : best));
}
