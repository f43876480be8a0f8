import { jsonLevelsMax } from '../../server/index.js';

/** Broken items of a message after which the rest is ignored, since each makes the parser search for the next one. */
const lossesMax = 100;

/** The values of a text, and where something of it could not be read: at most one place in words, and the number. */
export type Salvaged = { values: unknown[]; loss: string | undefined };

class Failure extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super(`error at offset ${offset}`);
    this.offset = offset;
  }
}

type State = {
  text: string;
  at: number;
  depth: number;
  losses: number;
  first: string | undefined;
  /** The text ended inside an array: what is around it has no end either. */
  isCut: boolean;
};

const space = /[\s\0]*/y;
const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
/** Python writes the last ones, C the first ones. */
const word = /[-+]?(?:true|false|null|undefined|nan|infinity|inf|none)\b/iy;
const hexDigits = /[0-9a-fA-F]{4}/y;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Parses what devices write for JSON: values one after the other, with raw control characters and unescaped quotes in
 * texts, and NaN for null. An item of a list that cannot be parsed is left out and reported with its place; a text that
 * ends too early loses its last item. Takes time in proportion to the length.
 */
export function salvageJson(text: string): Salvaged {
  const state: State = { text, at: 0, depth: 0, losses: 0, first: undefined, isCut: false };
  const values: unknown[] = [];
  for (skipSpace(state); state.at < text.length && state.losses < lossesMax; skipSpace(state)) {
    const begin = state.at;
    const character = text[begin];
    if (character === '{' || character === '[') {
      try {
        values.push(valueAt(state, '$'));
      } catch (error) {
        lose(state, error, '');
        goBehindValue(state, text[begin] === '{' ? '}' : ']');
      }
      state.isCut = false;
    } else {
      state.at = nextBracket(text, begin);
      const between = text.slice(begin, state.at);
      if (/[^\s\0,;]/.test(between)) state.first ??= `text at offset ${begin}`;
    }
  }
  return { values, loss: state.first };
}

function lose(state: State, error: unknown, path: string): void {
  if (!(error instanceof Failure)) throw error;
  state.losses += 1;
  const place = path === '' ? '' : `${path.replace(/^\$\.?/, '')} could not be read: `;
  state.first ??= `${place}error at offset ${error.offset}`;
  state.at = Math.max(state.at, error.offset);
}

function skipSpace(state: State): void {
  space.lastIndex = state.at;
  space.test(state.text);
  state.at = Math.max(state.at, space.lastIndex);
}

function valueAt(state: State, path: string): unknown {
  skipSpace(state);
  switch (state.text[state.at]) {
    case '{':
      return nested(state, () => objectAt(state, path));
    case '[':
      return nested(state, () => arrayAt(state, path));
    case '"':
      return stringAt(state, 'value');
    default:
      return scalarAt(state);
  }
}

function nested<Value>(state: State, parse: () => Value): Value {
  if (state.depth >= jsonLevelsMax) throw new Failure(state.at);
  const { depth } = state;
  state.depth += 1;
  try {
    return parse();
  } finally {
    state.depth = depth;
  }
}

function objectAt(state: State, path: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  state.at += 1;
  for (;;) {
    skipSpace(state);
    const character = state.text[state.at];
    if (character === '}') break;
    if (character === ',') {
      state.at += 1;
      continue;
    }
    if (character !== '"') throw new Failure(state.at);
    const key = stringAt(state, 'key');
    skipSpace(state);
    state.at += 1;
    const value = valueAt(state, `${path}.${key}`);
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    if (state.isCut) return object;
    skipSpace(state);
    const next = state.text[state.at];
    if (next !== ',' && next !== '}') throw new Failure(state.at);
  }
  state.at += 1;
  return object;
}

function arrayAt(state: State, path: string): unknown[] {
  const items: unknown[] = [];
  state.at += 1;
  for (let index = 0; ; index += 1) {
    skipSpace(state);
    if (state.text[state.at] === ']') break;
    const begin = state.at;
    try {
      if (begin >= state.text.length) throw new Failure(begin);
      items.push(valueAt(state, `${path}[${index}]`));
      if (state.isCut) return items;
      skipSpace(state);
      const next = state.text[state.at];
      if (next === undefined) throw new Failure(state.at);
      if (next !== ',' && next !== ']') {
        items.pop();
        throw new Failure(state.at);
      }
    } catch (error) {
      lose(state, error, `${path}[${index}]`);
      goBehindItem(state, begin);
      skipSpace(state);
      if (state.at >= state.text.length || state.losses >= lossesMax) {
        state.isCut = true;
        return items;
      }
    }
    if (state.text[state.at] === ',') state.at += 1;
  }
  state.at += 1;
  return items;
}

/** Goes to what follows the next closing bracket of a kind, or to the end. */
function goBehindValue(state: State, close: string): void {
  const end = state.text.indexOf(close, state.at);
  state.at = end === -1 ? state.text.length : end + 1;
}

/** Goes to what follows a broken item: the comma before another item of its kind, the end of its list, or of the text. */
function goBehindItem(state: State, begin: number): void {
  const { text } = state;
  const open = text[begin] ?? '';
  const close = { '{': '}', '[': ']' }[open];
  for (let i = state.at; i < text.length; i += 1) {
    const character = text[i];
    if (close === undefined && (character === ',' || character === ']')) {
      state.at = i;
      return;
    }
    if (close === undefined || character !== close) continue;
    state.at = i + 1;
    skipSpace(state);
    const next = text[state.at];
    if (next === undefined || next === ']' || next === open) return;
    if (next === ',') {
      const comma = state.at;
      state.at += 1;
      skipSpace(state);
      const isItem = text[state.at] === open;
      state.at = comma;
      if (isItem) return;
    }
    i = state.at - 1;
  }
  state.at = text.length;
}

/** Parses a text. A quote ends it only if what follows can follow a text there. */
function stringAt(state: State, role: 'key' | 'value'): string {
  const { text } = state;
  const begin = state.at;
  let result = '';
  let pieceBegin = begin + 1;
  for (let i = pieceBegin; i < text.length; i += 1) {
    const character = text[i];
    if (character === '\\') {
      const { value, length } = escapeAt(text, i + 1);
      result += text.slice(pieceBegin, i) + value;
      i += length;
      pieceBegin = i + 1;
    } else if (character === '"' && isEnd(state, i + 1, role)) {
      state.at = i + 1;
      return result + text.slice(pieceBegin, i);
    }
  }
  throw new Failure(begin);
}

function isEnd(state: State, behind: number, role: 'key' | 'value'): boolean {
  const { text } = state;
  let i = behind;
  const isSpace = (at: number) => ' \t\r\n'.includes(text[at] ?? '.');
  while (isSpace(i)) i += 1;
  if (role === 'key') return text[i] === ':';
  if (text[i] === '}' || text[i] === ']') return true;
  if (text[i] !== ',') return false;
  do i += 1;
  while (isSpace(i));
  return /["{[\dtfnN+-]/.test(text[i] ?? '.');
}

function escapeAt(text: string, at: number): { value: string; length: number } {
  const character = text[at] ?? '';
  if (character !== 'u') return { value: escapes[character] ?? character, length: 1 };
  hexDigits.lastIndex = at + 1;
  const digits = hexDigits.exec(text)?.[0];
  if (digits === undefined) return { value: 'u', length: 1 };
  return { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 5 };
}

function scalarAt(state: State): unknown {
  for (const pattern of [word, number]) {
    pattern.lastIndex = state.at;
    const found = pattern.exec(state.text)?.[0];
    if (found === undefined) continue;
    state.at += found.length;
    // Digits with a leading zero are an identifier. Without the zero it would be another identifier.
    if (pattern === number) return /^0\d+$/.test(found) ? found : Number(found);
    const name = found.toLowerCase();
    return name === 'true' ? true : name === 'false' ? false : null;
  }
  throw new Failure(state.at);
}

function nextBracket(text: string, from: number): number {
  let i = from;
  while (i < text.length && text[i] !== '{' && text[i] !== '[') i += 1;
  return i;
}
