const lineFeed = 10;
const space = 32;
const minus = 45;
const digitZero = 48;

/**
 * A position in a text of lines, whose fields are separated by spaces, as the statements of ingestion return them.
 * Splitting the text into lines and words first takes several times as long.
 */
export type LineReader = { readonly text: string; at: number };

/** Starts at the beginning of a text. */
export function readLines(text: string): LineReader {
  return { text, at: 0 };
}

/** Returns whether there is another line. A text of one empty line has none. */
export function hasLine({ text, at }: LineReader): boolean {
  return at < text.length;
}

/** Returns whether the field is empty. */
export function isEmptyField({ text, at }: LineReader): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === space || code === lineFeed;
}

/** Reads a whole number and skips the space after it; null for an empty field. */
export function nullableField(reader: LineReader): number | null {
  const isEmpty = isEmptyField(reader);
  const value = numberField(reader);
  return isEmpty ? null : value;
}

/** Reads a number as `nullableField` does, but returns 0 for an empty field. */
export function numberField(reader: LineReader): number {
  const { text } = reader;
  let { at } = reader;
  let value = 0;
  let sign = 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === space) {
      at += 1;
      break;
    }
    if (code === lineFeed) break;
    if (code === minus) sign = -1;
    else value = value * 10 + (code - digitZero);
  }
  reader.at = at;
  return sign * value;
}

/** Skips the rest of the line, and its end. */
export function nextLine(reader: LineReader): void {
  const end = reader.text.indexOf('\n', reader.at);
  reader.at = end < 0 ? reader.text.length : end + 1;
}
