import { jsonLevelsMax } from '../../server/parsing.js';
import { type Continuation, createRecordFinder, type Level, type RecordFinder } from './record-finder.js';
import { createStringReader, type StringReader } from './tolerant-strings.js';

/** Broken parts of a message after which the rest is ignored. */
const lossesMax = 1000;

/** The values of a text, and where something of it could not be read: at most one place in words. */
export type Salvaged = { values: unknown[]; loss: string | undefined };

/** Thrown where reading cannot go on; `State.failed` has the place. */
class Failure extends Error {}
const failure = new Failure('a JSON text is broken');

/** `name`: the key or the index of what is read in the level. */
type OpenLevel = Level & { name: string | number };

type State = {
  readonly text: string;
  readonly strings: StringReader;
  readonly records: RecordFinder;
  /** The levels that are open, the message first. */
  readonly levels: OpenLevel[];
  at: number;
  depth: number;
  losses: number;
  first: string | undefined;
  /** The broken part, the place behind which its rest is searched for, and the object that is the value before it. */
  failed: { at: number; from: number; depth: number; value: number };
  /** Where reading goes on, once the lists and objects of inner levels have ended. */
  continuation: Continuation | undefined;
  /** What is being read has no end: the text ends, or another level continues. */
  isCut: boolean;
};

const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const standardNumber = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;
/** Python writes the last ones, C the first ones. */
const word = /[-+]?(?:true|false|null|undefined|nan|infinity|inf|none)\b/iy;
const startsNumber = /[-+.\d]/;
const numberFirst = [number, word];
const wordFirst = [word];
const none = -1;
const tab = 0x09;
const carriageReturn = 0x0d;
const blank = 0x20;
const noBreakSpace = 0xa0;

/**
 * Parses what devices write for JSON: values one after the other, with raw control characters and unescaped quotes in
 * texts, and NaN for null. What is broken is left out and reported with its place. Where a record is cut, the next record
 * of the same list, line or object is read, and nothing of it becomes a part of the cut one. A number that a program would
 * write otherwise is its text. Takes time in proportion to the length.
 *
 * @param valuesMax values that are read; the rest of the text is ignored
 */
export function salvageJson(text: string, valuesMax = Number.POSITIVE_INFINITY): Salvaged {
  const state: State = {
    text,
    strings: createStringReader(text),
    records: createRecordFinder(text),
    levels: [{ begin: none, isKeyed: false, name: '' }],
    at: 0,
    depth: 0,
    losses: 0,
    first: undefined,
    failed: { at: 0, from: 0, depth: 0, value: none },
    continuation: undefined,
    isCut: false,
  };
  const values: unknown[] = [];
  for (skipSpace(state); state.at < text.length && state.losses < lossesMax; skipSpace(state)) {
    if (values.length === valuesMax) break;
    const begin = state.at;
    const character = text[begin];
    if (character === '{' || character === '[') {
      noteRecord(state, 0, begin);
      try {
        values.push(valueAt(state));
      } catch (error) {
        recover(state, error, { begin, level: 0 });
      }
      continuesAt(state, 0);
      state.isCut = false;
    } else {
      state.at = nextBracket(text, begin);
      if (/[^\s\0,;]/.test(text.slice(begin, state.at))) state.first ??= `text at offset ${begin}`;
    }
  }
  return { values, loss: state.first };
}

/** Goes to the record with which a level continues; returns whether it does. */
function continuesAt(state: State, level: number): boolean {
  const { continuation } = state;
  if (continuation?.level !== level) return false;
  state.at = continuation.at;
  state.continuation = undefined;
  state.isCut = false;
  return true;
}

/** @param given `from`: where the rest of the broken part begins; `value`: an object that is the value before it */
function fail(state: State, at: number, { from = at, value = none }: { from?: number; value?: number } = {}): never {
  state.failed = { at, from, depth: state.depth, value };
  throw failure;
}

/** Notes what the records of a level look like: objects, or rows of scalars. */
function noteRecord({ text, records, levels }: State, level: number, begin: number): void {
  const known = levels[level];
  if (known?.begin === none && (text[begin] === '{' || records.isRow(begin))) known.begin = begin;
}

function noteLoss(state: State, at: number): void {
  state.losses += 1;
  state.first ??= `${placeOf(state)}error at offset ${at}`;
}

/** Names what is read in the innermost level that is open. */
function placeOf({ levels }: State): string {
  const path = levels.slice(1).map(({ name }) => (typeof name === 'number' ? `[${name}]` : `.${name}`));
  return path.length === 0 ? '' : `${path.join('').replace(/^\./, '')} could not be read: `;
}

type Broken = { begin: number; level: number };

/**
 * Decides where reading goes on behind a broken part: behind its end, if the brackets show it, or at the next record,
 * which may be one of an outer level.
 */
function recover(state: State, error: unknown, { begin, level }: Broken): void {
  if (error !== failure) throw error;
  // A part of it has decided already.
  if (state.continuation || state.isCut) return;
  const { text, failed, records, strings, levels } = state;
  noteLoss(state, failed.at);
  const inside = failed.value === none ? undefined : records.insteadOfValue(failed.value, failed.at, levels);
  const next = inside ?? records.next(failed.from, levels);
  const open = '{['.includes(text[begin] ?? ' ') ? failed.depth - state.depth : 0;
  const place = strings.placeBehind({ from: failed.from, open, before: inside?.at ?? next?.at ?? text.length });
  if (place !== none && (level === 0 || canFollow(text, place))) {
    state.at = place;
    return;
  }
  state.continuation = next;
  state.isCut = next?.level !== level;
  if (!next) state.at = text.length;
}

/** Returns whether what stands at a place can follow an item of a list or an object. */
function canFollow(text: string, place: number): boolean {
  return ',]}{'.includes(text[behindSpace(text, place)] ?? '.');
}

function skipSpace(state: State): void {
  state.at = behindSpace(state.text, state.at);
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  if (code > blank) return code >= noBreakSpace && /\s/.test(String.fromCharCode(code));
  return code === blank || (code >= tab && code <= carriageReturn) || code === 0;
}

function valueAt(state: State): unknown {
  skipSpace(state);
  switch (state.text[state.at]) {
    case '{':
    case '[':
      return nested(state);
    case '"':
      return textAt(state);
    default:
      return scalarAt(state);
  }
}

function nested(state: State): unknown {
  if (state.depth >= jsonLevelsMax) fail(state, state.at);
  const { depth, levels, text, at } = state;
  const level = levels.length;
  const opened: OpenLevel = { begin: none, isKeyed: text[at] === '{', name: '' };
  levels.push(opened);
  state.depth += 1;
  try {
    return opened.isKeyed ? objectAt(state, opened, level) : listAt(state, opened, level);
  } finally {
    state.depth = depth;
    levels.length = level;
  }
}

function objectAt(state: State, own: OpenLevel, level: number): Record<string, unknown> {
  const { text } = state;
  const object: Record<string, unknown> = {};
  /** Whether all its values are objects, so that its fields may be records. */
  let isOfRecords = true;
  let value = none;
  let isEmpty = true;
  for (state.at += 1; ; isEmpty = false) {
    skipSpace(state);
    if (text[state.at] === '}') break;
    if (text[state.at] === ',' && !isEmpty) {
      state.at += 1;
      continue;
    }
    if (text[state.at] !== '"') fail(state, state.at, { value });
    const keyBegin = state.at;
    const key = keyAt(state);
    own.name = key;
    skipSpace(state);
    const begin = state.at;
    value = text[begin] === '{' ? begin : none;
    isOfRecords &&= value !== none;
    try {
      if (isOfRecords) noteRecord(state, level, begin);
      const found = valueAt(state);
      // The second record of two that were cut into one.
      if (object[key] !== undefined && Object.hasOwn(object, key)) fail(state, keyBegin);
      put(object, key, found);
    } catch (error) {
      if (!isOfRecords) {
        own.begin = none;
        throw error;
      }
      recover(state, error, { begin, level });
    }
    if (!isOfRecords) own.begin = none;
    if (continuesAt(state, level)) continue;
    if (state.isCut) return object;
    skipSpace(state);
    if (text[state.at] !== ',' && text[state.at] !== '}') fail(state, state.at, { value });
  }
  state.at += 1;
  return object;
}

/** Sets a key. Assigning to `__proto__` would change the prototype instead of adding a key. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function listAt(state: State, own: OpenLevel, level: number): unknown[] {
  const { text, levels } = state;
  const items: unknown[] = [];
  state.at += 1;
  for (let index = 0; ; index += 1) {
    skipSpace(state);
    if (text[state.at] === ']') break;
    own.name = index;
    const begin = state.at;
    const isRecord = text[begin] === '{' || text[begin] === '[';
    const other = isRecord ? state.records.insteadOfItem(begin, levels) : undefined;
    if (other) {
      noteLoss(state, begin);
      state.continuation = other;
      state.isCut = true;
      if (!items.some(isWhole)) throw failure;
      return items;
    }
    if (isRecord) noteRecord(state, level, begin);
    try {
      if (begin >= text.length) fail(state, begin);
      items.push(valueAt(state));
      if (!state.isCut) endItem(state, items, isRecord);
    } catch (error) {
      recover(state, error, { begin, level });
      // What is around the list counts only if the list has a whole record.
      if (state.isCut && state.continuation?.level !== level && !items.some(isWhole)) throw error;
    }
    if (!continuesAt(state, level)) {
      if (state.isCut) return items;
      skipSpace(state);
      if (text[state.at] === ',') state.at += 1;
    }
    if (state.losses >= lossesMax) {
      state.isCut = true;
      return items;
    }
  }
  state.at += 1;
  return items;
}

const isWhole = (item: unknown) => typeof item === 'object' && item !== null;

/** Checks that an item has an end; of a number or text that has none, a part may be missing. */
function endItem(state: State, items: unknown[], isRecord: boolean): void {
  skipSpace(state);
  const next = state.text[state.at];
  if (next === ',' || next === ']' || (isRecord && (next === '{' || next === '['))) return;
  if (!isRecord) items.pop();
  fail(state, state.at);
}

/** Parses a key, which the next quote ends. */
function keyAt(state: State): string {
  const begin = state.at;
  const end = state.strings.endOfKey(begin);
  if (end === none) fail(state, begin, { from: begin + 1 });
  state.at = end + 1;
  skipSpace(state);
  if (state.text[state.at] !== ':') fail(state, begin, { from: begin + 1 });
  state.at += 1;
  return state.strings.textBetween(begin, end);
}

function textAt(state: State): string {
  const begin = state.at;
  const end = state.strings.endOfText(begin);
  const isCutHere = end === none || state.records.hasRow({ from: begin + 1, to: end, levels: state.levels });
  if (isCutHere) fail(state, begin, { from: begin + 1 });
  state.at = end + 1;
  return state.strings.textBetween(begin, end);
}

function scalarAt(state: State): unknown {
  for (const pattern of startsNumber.test(state.text.charAt(state.at)) ? numberFirst : wordFirst) {
    pattern.lastIndex = state.at;
    if (!pattern.test(state.text)) continue;
    const found = state.text.slice(state.at, pattern.lastIndex);
    state.at += found.length;
    if (pattern === number) {
      return String(Number(found)) !== found && standardNumber.test(found) ? found : Number(found);
    }
    const name = found.toLowerCase();
    return name === 'true' ? true : name === 'false' ? false : null;
  }
  return fail(state, state.at);
}

function nextBracket(text: string, from: number): number {
  let i = from;
  while (i < text.length && text[i] !== '{' && text[i] !== '[') i += 1;
  return i;
}
