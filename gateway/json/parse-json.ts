import { isUtf8 } from 'node:buffer';
import { jsonLevelsMax } from '../../server/index.js';
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

/** Sums of this many digits stay safe integers. */
const fastDigitsMax = 15;

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const digit0 = 0x30;
const digit9 = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const lowerE = 0x65;
const lowerF = 0x66;
const lowerN = 0x6e;
const lowerT = 0x74;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const caseBit = 0x20;

/**
 * The state of the parser: `at` is the index of the next character, `levels` how many more containers may open.
 * `fractions` is the rule at this position: `round` inside the value of `freeKey` of the outermost object.
 */
type Cursor = {
  readonly text: string;
  readonly freeKey: string | undefined;
  readonly outermost: number;
  at: number;
  levels: number;
  fractions: FractionRule;
};

type JsonObject = { [key: string]: unknown };

/**
 * Parses one JSON value, strictly: RFC 8259 in UTF-8, no byte order mark, nothing after the value, no duplicate key in
 * one object (compared after unescaping). Takes time linear in the number of bytes.
 *
 * Integers are exact: numbers where safe, otherwise bigints (`json-number.ts`). Objects are ordinary ones that own
 * every key that was sent, including `__proto__`. Strings are kept as sent, including NUL and lone surrogates; the
 * schemas decide whether they can be stored.
 *
 * @param limits.depthMax nested arrays and objects, 200 by default; at most 1000, as each level takes a few stack
 *   frames
 * @param limits.freeKey a key of the outermost object whose value has no meaning to the service: fractions in its value
 * become the nearest doubles, as in JavaScript
 * @throws JsonError of kind `syntax` for invalid JSON, of kind `depth` at the first level beyond `depthMax`
 */
export function parseJson(bytes: Uint8Array, limits: { depthMax?: number; freeKey?: string } = {}): unknown {
  const levels = limits.depthMax ?? jsonLevelsMax;
  const cursor: Cursor = {
    text: decode(bytes),
    freeKey: limits.freeKey,
    outermost: levels - 1,
    at: 0,
    levels,
    fractions: 'reject',
  };
  skipSpace(cursor);
  const value = readValue(cursor);
  skipSpace(cursor);
  if (cursor.at !== cursor.text.length) throw new JsonError('syntax');
  return value;
}

/** Decodes UTF-8. A byte order mark stays in the text, where the grammar rejects it. */
function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new JsonError('syntax');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  let { at } = cursor;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) break;
    at += 1;
  }
  cursor.at = at;
}

/** Skips white space and returns the character at the cursor; NaN at the end of the text. */
function nextCharacter(cursor: Cursor): number {
  skipSpace(cursor);
  const code = cursor.text.charCodeAt(cursor.at);
  cursor.at += 1;
  return code;
}

function readValue(cursor: Cursor): unknown {
  switch (cursor.text.charCodeAt(cursor.at)) {
    case quote:
      return readString(cursor);
    case openBrace:
      return readNested(cursor, readObject);
    case openBracket:
      return readNested(cursor, readArray);
    case lowerT:
      return readWord(cursor, 'true', true);
    case lowerF:
      return readWord(cursor, 'false', false);
    case lowerN:
      return readWord(cursor, 'null', null);
    default:
      return readNumber(cursor);
  }
}

function readWord<Value>(cursor: Cursor, word: string, value: Value): Value {
  if (!cursor.text.startsWith(word, cursor.at)) throw new JsonError('syntax');
  cursor.at += word.length;
  return value;
}

function readNested(cursor: Cursor, read: (cursor: Cursor) => unknown): unknown {
  if (cursor.levels === 0) throw new JsonError('depth');
  cursor.levels -= 1;
  cursor.at += 1;
  const value = read(cursor);
  cursor.levels += 1;
  return value;
}

function readArray(cursor: Cursor): unknown[] {
  const values: unknown[] = [];
  skipSpace(cursor);
  if (cursor.text.charCodeAt(cursor.at) === closeBracket) {
    cursor.at += 1;
    return values;
  }
  for (;;) {
    skipSpace(cursor);
    values.push(readValue(cursor));
    const character = nextCharacter(cursor);
    if (character === closeBracket) return values;
    if (character !== comma) throw new JsonError('syntax');
  }
}

function readObject(cursor: Cursor): JsonObject {
  const object: JsonObject = {};
  skipSpace(cursor);
  if (cursor.text.charCodeAt(cursor.at) === closeBrace) {
    cursor.at += 1;
    return object;
  }
  for (;;) {
    skipSpace(cursor);
    if (cursor.text.charCodeAt(cursor.at) !== quote) throw new JsonError('syntax');
    const key = readString(cursor);
    // JSON has no undefined, so most new keys need no slower check whether the object owns them.
    if (object[key] !== undefined && Object.hasOwn(object, key)) throw new JsonError('syntax');
    if (nextCharacter(cursor) !== colon) throw new JsonError('syntax');
    skipSpace(cursor);
    const isFree = key === cursor.freeKey && cursor.levels === cursor.outermost;
    if (isFree) cursor.fractions = 'round';
    put(object, key, readValue(cursor));
    if (isFree) cursor.fractions = 'reject';
    const character = nextCharacter(cursor);
    if (character === closeBrace) return object;
    if (character !== comma) throw new JsonError('syntax');
  }
}

/** Sets a key. Assigning to `__proto__` would change the prototype instead of adding a key. */
function put(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Reads a string. The cursor is at the opening quote. */
function readString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at + 1;
  let at = start;
  let escaped = false;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === quote) break;
    // A control character, or NaN past the end.
    if (!(code >= space)) throw new JsonError('syntax');
    if (code === backslash) {
      escaped = true;
      at += 1;
    }
    at += 1;
  }
  cursor.at = at + 1;
  return escaped ? unescape(text.slice(start - 1, at + 1)) : text.slice(start, at);
}

/** Parses a string with escapes by the engine, which returns one flat string with any number of them. */
function unescape(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new JsonError('syntax');
  }
}

function readNumber(cursor: Cursor): number | bigint {
  const { text } = cursor;
  const start = cursor.at;
  const negative = text.charCodeAt(start) === minus;
  const digitsStart = negative ? start + 1 : start;
  const digitsEnd = skipDigits(text, digitsStart);
  const digitCount = digitsEnd - digitsStart;
  if (digitCount > 1 && text.charCodeAt(digitsStart) === digit0) throw new JsonError('syntax');
  let end = digitsEnd;
  if (text.charCodeAt(end) === point) end = skipDigits(text, end + 1);
  if ((text.charCodeAt(end) | caseBit) === lowerE) {
    const sign = text.charCodeAt(end + 1);
    end = skipDigits(text, sign === plus || sign === minus ? end + 2 : end + 1);
  }
  cursor.at = end;
  if (end > digitsEnd || digitCount > fastDigitsMax) return numberOfToken(text.slice(start, end), cursor.fractions);
  let value = 0;
  for (let at = digitsStart; at < digitsEnd; at += 1) value = value * 10 + text.charCodeAt(at) - digit0;
  return negative && value !== 0 ? -value : value;
}

/** Returns the end of the digits that begin at `start`; there must be at least one. */
function skipDigits(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code >= digit0 && code <= digit9; code = text.charCodeAt(at)) at += 1;
  if (at === start) throw new JsonError('syntax');
  return at;
}
