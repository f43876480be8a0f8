import { endOfString, isNestedTooDeep, jsonLevelsMax } from '../../server/parsing.js';
import { salvageJson } from './tolerant-json.js';
import { beginsAsBinary, binaryReason, textReason } from './unreadable.js';

/** A JSON object from a device; since the device chooses the keys, only own properties may be read. */
export type Frame = Readonly<Record<string, unknown>>;

/** The objects of a payload in order. */
export type Frames = {
  frames: Frame[];
  /** Whether the payload contains anything else. */
  hasOther: boolean;
  /** What of the payload could not be read, with its place. */
  loss: string | undefined;
  /** Returns the same objects with the texts of numbers (`Content`). */
  exact?: () => Frames;
};

/** The values of a payload, or why it has none. */
export type Content =
  | {
      values: readonly unknown[];
      /**
       * Returns the same values with the text of each number that a program would write otherwise, such as `5172E2`: as
       * an identifier, it is these characters. Missing if the values have them already.
       */
      exact?: () => readonly unknown[];
      loss: string | undefined;
    }
  /** `text`: the payload, if it is text without objects and lists. */
  | { unreadable: string; text?: string };

/**
 * Values that are examined in one message, and in one list of an object; further ones are ignored. With the shortest
 * EPCs and nothing else, the 256 KiB of a message hold 7,281 reads.
 */
export const valuesMax = 10_000;

const decoder = new TextDecoder();

/** Decodes a payload without its byte order mark; bytes that are no UTF-8 become U+FFFD. */
export function textOfPayload(payload: Uint8Array): string {
  return decoder.decode(payload);
}

/**
 * Returns the JSON values in a payload: one, or several joined with white space or nothing between. What is no valid
 * JSON is read as far as possible. An empty payload has no values.
 */
export function readContent(payload: Uint8Array): Content {
  const text = textOfPayload(payload);
  if (isNestedTooDeep(text)) return { unreadable: `the payload is nested deeper than ${jsonLevelsMax} levels` };
  const whole = /^\s*["{[]/.test(text) ? parse(text) : undefined;
  if (whole) return contentOfValue(text, whole.value);
  const plain = text.replaceAll('\0', '').trim();
  if (plain === '') return { values: [], loss: undefined };
  // Serial readers may send nothing but a control character.
  // oxlint-disable-next-line no-control-regex
  const isBinary = beginsAsBinary(payload, text) && !/^[\x00-\x1F]+$/.test(plain);
  if (!/[{[]/.test(text))
    return isBinary ? { unreadable: binaryReason(payload) } : { unreadable: textReason, text: plain };
  const { values, loss } = salvageJson(text, valuesMax + 1);
  const reason = isBinary && loss !== undefined ? binaryReason(payload) : loss;
  if (values.length > 0) return { values, loss: reason };
  if (isBinary) return { unreadable: binaryReason(payload) };
  if (!/^[{[]/.test(plain)) return { unreadable: textReason, text: plain };
  return { unreadable: `the payload is not valid JSON: ${loss ?? 'it ends too early'}` };
}

function contentOfValue(text: string, value: unknown): Content {
  const plain = unwrapped(value, parse);
  if (typeof plain === 'string') return { unreadable: textReason, text: plain };
  const exact = () => [unwrapped(JSON.parse(withTextOfNumbers(text)), parseExactly)];
  return { values: [plain], exact, loss: undefined };
}

const numberToken = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Puts quotes around the numbers of a JSON text that a program would write otherwise. */
function withTextOfNumbers(text: string): string {
  let result = '';
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from);
    const begin = quote === -1 ? text.length : quote;
    result += text
      .slice(from, begin)
      .replaceAll(numberToken, (digits) => (String(Number(digits)) === digits ? digits : `"${digits}"`));
    from = quote === -1 ? begin : endOfString(text, quote) + 1;
    result += text.slice(begin, from);
  }
  return result;
}

/**
 * Returns the JSON objects in a message: one object, an array of objects, or several of either joined with white space
 * or nothing between.
 */
export function readFrames(content: Content): Frames | { unreadable: string } {
  if ('unreadable' in content) return content;
  const found = framesOf(content);
  const { exact, loss } = content;
  if (exact) found.exact = () => framesOf({ values: exact(), loss });
  return found;
}

export function framesOf({ values, loss }: { values: readonly unknown[]; loss: string | undefined }): Frames {
  const frames: Frame[] = [];
  let hasOther = false;
  let left = valuesMax;
  for (const value of values) {
    const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
    const length = items ? items.length : 1;
    const examined = Math.min(length, left);
    if (length > left) hasOther = true;
    for (let index = 0; index < examined; index += 1) {
      const item = items ? items[index] : value;
      if (isFrame(item)) frames.push(item);
      else hasOther = true;
    }
    left -= examined;
  }
  return { frames, hasOther, loss };
}

export function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own property of a frame; null counts as missing. */
export function fieldOf(frame: Frame, key: string): unknown {
  return Object.hasOwn(frame, key) ? (frame[key] ?? undefined) : undefined;
}

/** Other texts may be what a barcode holds. */
const messageName = /^(?:payload|body|message|msg)$/i;

type Parse = (text: string) => { value: unknown } | undefined;

/**
 * Returns a value with the JSON that it holds as text: some scripts encode a message twice, and rules of brokers put the
 * message of a device as text into a field of their own.
 */
function unwrapped(value: unknown, parseInner: Parse): unknown {
  if (typeof value === 'string') return jsonIn(value, parseInner);
  if (!isFrame(value)) return value;
  let result: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (typeof inner !== 'string' || !messageName.test(key)) continue;
    const found = jsonIn(inner, parseInner);
    if (found !== inner) (result ??= { ...value })[key] = found;
  }
  return result ?? value;
}

function jsonIn(value: unknown, parseInner: Parse): unknown {
  if (typeof value !== 'string' || !/^\s*(?:\{.*\}|\[.*\])\s*$/s.test(value) || isNestedTooDeep(value)) return value;
  const inner = parseInner(value);
  return inner ? inner.value : value;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function parseExactly(text: string): { value: unknown } | undefined {
  return parse(text) && parse(withTextOfNumbers(text));
}

/** Returns the scalar that a text is in JSON, for comparisons; other texts unchanged. */
export function scalarOf(text: string): unknown {
  const found = /^[-\dtfn]/.test(text) ? parse(text) : undefined;
  return found ? found.value : text;
}
