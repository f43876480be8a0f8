import { isNestedTooDeep } from '../../server/index.js';

/** A JSON object from a device; since the device chooses the keys, only own properties may be read. */
export type Frame = Readonly<Record<string, unknown>>;

/** The objects of a payload in order, and whether it contains anything else. */
export type Frames = { frames: Frame[]; hasOther: boolean };

/**
 * Values that are examined in one message, and in one list of an object; further ones are ignored. With the shortest
 * EPCs and nothing else, the 256 KiB of a message hold 7,281 reads.
 */
export const valuesMax = 10_000;
/** Broken objects and arrays of a message after which the rest is ignored, since each makes the parser throw. */
const failuresMax = 100;

/**
 * Returns the JSON objects in a payload: one object, an array of objects, or several of either joined with white space
 * or nothing between. Skips a byte order mark. Undefined if there is no JSON at all.
 */
export function readFrames(payload: Uint8Array): Frames | undefined {
  const text = decode(payload);
  if (text === undefined) return undefined;
  const { values, isBroken } = parseValues(text);
  if (values.length === 0) return undefined;
  const frames: Frame[] = [];
  let hasOther = isBroken;
  let left = valuesMax;
  for (const value of values) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (items.length > left) hasOther = true;
    for (const item of items.slice(0, left)) {
      if (isFrame(item)) frames.push(item);
      else hasOther = true;
    }
    left = Math.max(0, left - items.length);
  }
  return { frames, hasOther };
}

export function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own property of a frame; null counts as missing. */
export function fieldOf(frame: Frame, key: string): unknown {
  return Object.hasOwn(frame, key) ? (frame[key] ?? undefined) : undefined;
}

function decode(payload: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    return undefined;
  }
}

function parseValues(text: string): { values: unknown[]; isBroken: boolean } {
  const whole = parse(text);
  if (whole) return { values: [whole.value], isBroken: false };
  const values: unknown[] = [];
  let isBroken = false;
  let failures = 0;
  for (const piece of piecesOf(text)) {
    const isCandidate = startsWithBracket(piece);
    const parsed = isCandidate ? parse(piece) : undefined;
    if (parsed) values.push(parsed.value);
    else isBroken = true;
    if (isCandidate && !parsed) failures += 1;
    if (values.length > valuesMax || failures === failuresMax) break;
  }
  return { values, isBroken };
}

function startsWithBracket(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

function parse(text: string): { value: unknown } | undefined {
  if (isNestedTooDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Splits joined objects and arrays by their brackets; other text between them is a piece too, except white space. */
function* piecesOf(text: string): Generator<string> {
  let depth = 0;
  let begin = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = depth > 0;
    else if (character === '{' || character === '[') {
      if (depth === 0) {
        yield* piece(text, begin, i);
        begin = i;
      }
      depth += 1;
    } else if ((character === '}' || character === ']') && depth > 0) {
      depth -= 1;
      if (depth === 0) {
        yield* piece(text, begin, i + 1);
        begin = i + 1;
      }
    }
  }
  yield* piece(text, begin, text.length);
}

function* piece(text: string, begin: number, end: number): Generator<string> {
  const found = text.slice(begin, end);
  if (found.trim() !== '') yield found;
}
