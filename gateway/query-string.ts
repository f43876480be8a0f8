import { isUtf8 } from 'node:buffer';

const plus = 0x2b;
const percent = 0x25;
const space = 0x20;
const plainPattern = /^[^%+\x80-\uffff]*$/;

/**
 * Stands for a value that is not percent-encoded UTF-8. A lone surrogate cannot be stored, so the check of every string
 * rejects it, and it is not a number, boolean or timestamp.
 */
export const undecodableValue = '\uD800';

export type Query = { parameters: Map<string, string[]> };

/**
 * Returns the parameters of a query, in order of first appearance, each with its values in order. A plus sign is a
 * space, percent escapes and raw bytes are UTF-8, a part without `=` has an empty value, and empty parts are ignored.
 *
 * A value that cannot be decoded becomes `undecodableValue`. A name that cannot be decoded is kept as sent, and matches
 * no declared parameter. Takes time linear in the length of the query.
 *
 * @param rawQuery what follows the question mark, one character per byte as Node provides it
 */
export function parseQuery(rawQuery: string): Query {
  const parameters = new Map<string, string[]>();
  if (rawQuery === '') return { parameters };
  for (const piece of rawQuery.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const rawName = equals === -1 ? piece : piece.slice(0, equals);
    const name = decode(rawName) ?? rawName;
    const value = equals === -1 ? '' : (decode(piece.slice(equals + 1)) ?? undecodableValue);
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return { parameters };
}

/** Decodes a name or value; undefined if an escape is malformed or the bytes are not UTF-8. */
function decode(raw: string): string | undefined {
  if (plainPattern.test(raw)) return raw;
  const bytes = Buffer.from(raw, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === plus) byte = space;
    else if (byte === percent) {
      byte = hexValue(bytes[at + 1]) * 16 + hexValue(bytes[at + 2]);
      if (Number.isNaN(byte)) return undefined;
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  const decoded = bytes.subarray(0, length);
  return isUtf8(decoded) ? decoded.toString('utf8') : undefined;
}

/** Returns the value of a hexadecimal digit, or NaN for anything else. */
function hexValue(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
