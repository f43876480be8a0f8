import { isNestedTooDeep, jsonLevelsMax } from '../../server/index.js';
import { salvageJson } from './tolerant-json.js';
import { textReason, unreadableReason } from './unreadable.js';

/** A JSON object from a device; since the device chooses the keys, only own properties may be read. */
export type Frame = Readonly<Record<string, unknown>>;

/** The objects of a payload in order. */
export type Frames = {
  frames: Frame[];
  /** Whether the payload contains anything else. */
  hasOther: boolean;
  /** What of the payload could not be read, with its place. */
  loss: string | undefined;
};

/** The values of a payload, or why it has none. */
export type Content =
  | { values: unknown[]; loss: string | undefined }
  /** `text`: the payload, if it is text without JSON. */
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
 * JSON is read as far as possible.
 */
export function readContent(payload: Uint8Array): Content {
  const text = textOfPayload(payload);
  if (isNestedTooDeep(text)) return { unreadable: `the payload is nested deeper than ${jsonLevelsMax} levels` };
  const whole = parse(text);
  if (whole) return { values: [unwrapped(whole.value)], loss: undefined };
  if (!/[{[]/.test(text)) return unreadable(payload, text);
  const { values, loss } = salvageJson(text);
  if (values.length > 0) return { values, loss };
  return unreadable(payload, text, loss);
}

function unreadable(payload: Uint8Array, text: string, loss?: string): { unreadable: string; text?: string } {
  const reason = unreadableReason(payload, text, loss);
  return { unreadable: reason, ...(reason === textReason && { text: text.replaceAll('\0', '').trim() }) };
}

/**
 * Returns the JSON objects in a payload: one object, an array of objects, or several of either joined with white space
 * or nothing between.
 */
export function readFrames(payload: Uint8Array): Frames | { unreadable: string } {
  const content = readContent(payload);
  return 'unreadable' in content ? content : framesOf(content);
}

export function framesOf({ values, loss }: { values: readonly unknown[]; loss: string | undefined }): Frames {
  const frames: Frame[] = [];
  let hasOther = false;
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

/**
 * Returns a value with the JSON that it holds as text: some scripts encode a message twice, and rules of brokers put the
 * message of a device as text into a field of their own.
 */
function unwrapped(value: unknown): unknown {
  if (typeof value === 'string') return jsonIn(value);
  if (!isFrame(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, messageName.test(key) ? jsonIn(field) : field]),
  );
}

function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*(?:\{.*\}|\[.*\])\s*$/s.test(value) || isNestedTooDeep(value)) return value;
  const inner = parse(value);
  return inner ? inner.value : value;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
