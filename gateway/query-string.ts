const rawByte = /[\x80-\xff]/g;
const plainPattern = /^[^%+\x80-\uffff]*$/;

/**
 * Stands for a value that is not percent-encoded UTF-8. A lone surrogate cannot be stored, so the check of every string
 * rejects it, and it is not a number, boolean or timestamp.
 */
export const undecodableValue = '\uD800';

/**
 * Returns the parameters of a query, in order of first appearance, each with its values in order. A plus sign is a
 * space, percent escapes and raw bytes are UTF-8, a part without `=` has an empty value, and empty parts are ignored.
 *
 * A value that cannot be decoded becomes `undecodableValue`. A name that cannot be decoded is kept as sent, and matches
 * no declared parameter. Takes time linear in the length of the query.
 *
 * @param rawQuery what follows the question mark, one character per byte as Node provides it
 */
export function parseQuery(rawQuery: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
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
  return parameters;
}

/** Decodes a name or value; undefined if an escape is malformed or the bytes are not UTF-8. */
function decode(raw: string): string | undefined {
  if (plainPattern.test(raw)) return raw;
  const escaped = raw.replaceAll('+', ' ').replaceAll(rawByte, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}
