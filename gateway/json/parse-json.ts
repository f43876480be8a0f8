import { isUtf8 } from 'node:buffer';
import { endOfString, isNestedTooDeep } from '../../server/index.js';
import { type FractionRule, numberOfToken } from './json-number.js';

/** Why bytes are rejected as JSON: they violate the grammar, or are nested too deeply. */
export type JsonErrorKind = 'syntax' | 'depth';

/** Thrown by `parseJson`; the REST handler converts the kind to the contract's message. */
export class JsonError extends Error {
  readonly kind: JsonErrorKind;

  constructor(kind: JsonErrorKind) {
    super(kind === 'depth' ? 'nested too deeply' : 'not valid JSON');
    this.name = 'JsonError';
    this.kind = kind;
  }
}

const space = 0x20;
const comma = 0x2c;
const colon = 0x3a;
const numberToken = /[-+.\dEe]+/y;

/** A valid text; `at` is the index of the next character. */
type Cursor = { readonly text: string; at: number };

/**
 * Parses one JSON value, strictly: RFC 8259 in UTF-8, no byte order mark, nothing after the value, no duplicate key in
 * one object (compared after unescaping). The engine checks the grammar; the values are read again, because it reports no duplicate
 * keys and rounds integers. Takes time linear in the number of bytes.
 *
 * Integers are exact: numbers where safe, otherwise bigints (`json-number.ts`). Objects are ordinary ones that own
 * every key that was sent, including `__proto__`. Strings are kept as sent, including NUL and lone surrogates; the
 * schemas decide whether they can be stored.
 *
 * @param freeKey a key of the outermost object whose value has no meaning to the service: fractions in it are
 *   the nearest doubles, as in JavaScript
 * @throws JsonError of kind `depth` if the text opens too many levels, whatever else is wrong with it; of kind `syntax` for other
 *   invalid JSON
 */
export function parseJson(bytes: Uint8Array, freeKey?: string): unknown {
  const text = decode(bytes);
  if (isNestedTooDeep(text)) throw new JsonError('depth');
  try {
    JSON.parse(text);
  } catch {
    throw new JsonError('syntax');
  }
  return readValue({ text, at: 0 }, 'reject', freeKey);
}

/** Decodes UTF-8. A byte order mark stays in the text, where the grammar rejects it. */
function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new JsonError('syntax');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Returns the next character, but no white space, comma or colon: they mean nothing more in valid JSON. */
function nextCharacter(cursor: Cursor): string | undefined {
  const { text } = cursor;
  let { at } = cursor;
  for (let code = text.charCodeAt(at); code <= space || code === comma || code === colon; code = text.charCodeAt(at)) {
    at += 1;
  }
  cursor.at = at;
  return text[at];
}

function readValue(cursor: Cursor, rule: FractionRule, freeKey?: string): unknown {
  switch (nextCharacter(cursor)) {
    case '{':
      return readObject(cursor, rule, freeKey);
    case '[':
      return readArray(cursor, rule);
    case '"':
      return readString(cursor);
    case 't':
      cursor.at += 'true'.length;
      return true;
    case 'f':
      cursor.at += 'false'.length;
      return false;
    case 'n':
      cursor.at += 'null'.length;
      return null;
    default:
      return readNumber(cursor, rule);
  }
}

function readNumber(cursor: Cursor, rule: FractionRule): number | bigint {
  const start = cursor.at;
  numberToken.lastIndex = start;
  numberToken.test(cursor.text);
  cursor.at = numberToken.lastIndex;
  return numberOfToken(cursor.text.slice(start, cursor.at), rule);
}

function readArray(cursor: Cursor, rule: FractionRule): unknown[] {
  const values: unknown[] = [];
  cursor.at += 1;
  while (nextCharacter(cursor) !== ']') values.push(readValue(cursor, rule));
  cursor.at += 1;
  return values;
}

function readObject(cursor: Cursor, rule: FractionRule, freeKey?: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  cursor.at += 1;
  while (nextCharacter(cursor) !== '}') {
    const key = readString(cursor);
    // JSON has no undefined, so most new keys need no slower check whether the object owns them.
    if (object[key] !== undefined && Object.hasOwn(object, key)) throw new JsonError('syntax');
    put(object, key, readValue(cursor, key === freeKey ? 'round' : rule));
  }
  cursor.at += 1;
  return object;
}

/** Sets a key. Assigning to `__proto__` would change the prototype instead of adding a key. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Reads a string. The engine unescapes it, and returns one flat string with any number of escapes. */
function readString(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at = endOfString(cursor.text, start) + 1;
  const quoted = cursor.text.slice(start, cursor.at);
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
