import { isDepartureWord, normalForm, parseTimestamp, type TagType } from '../../server/parsing.js';

const antennaMax = 65_535;
const rssiDbmMin = -200;
/** The twelve digits of a MAC address and many more separators than anybody writes between them. */
const macLengthMax = 64;
const macDigits = /^[0-9A-F]{12}$/;
const antennaName = /^\s*(?:antenna|ant|port)[\s_#.:-]*(?=\d)/i;
/** The last instant with a four-digit year. */
const epochMsMax = 253_402_300_799_999;

/** No number and no time that a device writes is longer. */
const scalarLengthMax = 100;

const numberText = /^\s*([-+]?\d+(?:[.,]\d+)?(?:E[-+]?\d+)?)\s*(?:dBm?\s*)?$/i;

/**
 * Returns a number, also if it is given as text, with a decimal comma or with the unit dB or dBm. Returns undefined for
 * everything else.
 */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const isShort = typeof value === 'string' && value.length <= scalarLengthMax;
  const digits = isShort ? numberText.exec(value)?.[1] : undefined;
  if (digits === undefined) return undefined;
  const number = Number(digits.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** Returns a port number, which may follow its name, as in `ANT3`; undefined if there is none. */
export function portOf(value: unknown): number | undefined {
  const isName = typeof value === 'string' && value.length <= scalarLengthMax;
  const port = numberOf(isName ? value.replace(antennaName, '') : value);
  return port !== undefined && Number.isInteger(port) && port >= 0 && port <= antennaMax ? port : undefined;
}

/** Returns an RSSI in dBm; null if there is none or it is out of range. No tag is received at 0 dBm or above. */
export function rssiOf(value: unknown): number | null {
  const rssi = numberOf(value);
  return rssi !== undefined && rssi >= rssiDbmMin && rssi < 0 ? rssi : null;
}

type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'rfc3339';

const toMs: Readonly<Record<TimeUnit, (count: number) => number>> = {
  s: (count) => count * 1000,
  ms: (count) => count,
  us: (count) => count / 1000,
  ns: (count) => count / 1_000_000,
  rfc3339: () => Number.NaN,
};
const units = Object.keys(toMs) as TimeUnit[];

/**
 * Converts a count since 1970, or a date and time, to epoch milliseconds, truncated; null if there is none. 0 is no time.
 * A count has the unit in which it lies in the years 2001 to 2286, which is true for one unit at most: what a device sends
 * differs from one firmware to the next. `unit` is the unit of all other counts.
 */
export function epochOf(value: unknown, unit: TimeUnit): number | null {
  const count = numberOf(value);
  if (count === undefined) return dateTimeOf(value);
  const ms = Math.trunc(toMs[unitOf(count) ?? unit](count));
  return ms !== 0 && Math.abs(ms) <= epochMsMax ? ms : null;
}

/** Returns the unit in which a count since 1970 lies in the years 2001 to 2286. */
function unitOf(count: number): TimeUnit | undefined {
  return units.find((name) => toMs[name](count) >= 1e12 && toMs[name](count) < 1e13);
}

/**
 * Returns the instant that a field named like a time has, in epoch milliseconds; null for a text that is none, such as a
 * local time; undefined for what is no time at all, such as an uptime.
 */
export function instantOf(value: unknown): number | null | undefined {
  const count = numberOf(value);
  if (count === undefined) return typeof value === 'string' && /\d/.test(value) ? dateTimeOf(value) : undefined;
  const unit = unitOf(count);
  return unit && Math.trunc(toMs[unit](count));
}

let latestText = '';
let latestMs: number | null = null;

/**
 * Parses a date and time with an offset into epoch milliseconds. Besides RFC 3339 it accepts what `localTimeOf` does, with
 * the offset behind it (`2026-11-25 09:52:22 +0200`); null if invalid. The reads of a message often have the same time, so
 * the latest text is cached.
 */
export function dateTimeOf(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > scalarLengthMax) return null;
  if (value !== latestText) {
    latestMs = parseTimestamp(value) ?? withOffsetOf(value.trim());
    latestText = value;
  }
  return latestMs;
}

function withOffsetOf(text: string): number | null {
  const [, local, offset] = /^(.{1,40}?)\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)$/i.exec(text) ?? [];
  return localTimeOf(local, offset);
}

/** No tag has a longer value, so that the rest of a longer text does not count. */
const textLengthMax = 1024;
/**
 * What devices and people leave around a text: white space, control characters such as the STX and ETX of serial readers,
 * and characters without any width.
 */
// oxlint-disable-next-line no-control-regex
const around = /^[\s\0-\x1F\x7F\u00AD\u200B-\u200F\u2060\uFEFF]+|[\s\0-\x1F\x7F\u00AD\u200B-\u200F\u2060\uFEFF]+$/g;
const isVisible = (code: number) => code > 0x20 && code < 0x7f;

/** Returns a value as trimmed text; a number as its digits. Undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (isVisible(value.charCodeAt(0)) && isVisible(value.charCodeAt(value.length - 1))) return value;
  return value.slice(0, textLengthMax).replaceAll(around, '');
}

/** What serial readers of barcodes send if they have read nothing. */
export const cancel = '\x18';

/** Returns an identifier as trimmed text; a number, and what is none, unchanged, so that a rejection can say what it is. */
export function identifierOf(value: unknown): unknown {
  if (typeof value === 'number') return value;
  const text = textOf(value);
  return text === '' && String(value).includes(cancel) ? cancel : (text ?? value);
}

/** Does the same for an RFID identifier (`hexText`). */
export function hexOf(value: unknown): unknown {
  const text = identifierOf(value);
  return typeof text === 'string' ? hexText(text) : text;
}

/** Does the same for a BLE identifier (`macText`). */
export function macOf(value: unknown): unknown {
  const text = identifierOf(value);
  return typeof text === 'string' ? macText(text) : text;
}

/** An identifier in quotes, as Python prints bytes, or as raw EPC URN. */
const wrapped = /^(?:b?'([^']*)'|"([^"]*)"|urn:epc:raw:\d+\.x(.*))$/i;

/**
 * Returns an RFID identifier as upper-case digits, without separators between bytes, `0x`, quotes and the prefix of a raw
 * EPC URN; text that is no identifier unchanged.
 */
export function hexText(text: string): string {
  if (/^[0-9A-F]+$/.test(text)) return text;
  const inner = wrapped
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined);
  const normal = normalForm('rfid', inner ?? text);
  return /^[0-9A-F]+$/.test(normal) ? normal : text;
}

/** Returns a MAC address as twelve upper-case digits without separators; other text as `hexText` does. */
export function macText(text: string): string {
  return asMac(text) ?? hexText(text);
}

/** Does the same as `macText`, but returns undefined for a text that is not a MAC address. */
export function asMac(text: string): string | undefined {
  if (text.length > macLengthMax) return undefined;
  if (macDigits.test(text)) return text;
  const digits = normalForm('ble', text);
  return macDigits.test(digits) ? digits : undefined;
}

/** Returns the identity of a beacon: its UUID alone is the same in all beacons of an owner. Undefined without a UUID. */
export function beaconText(uuid: unknown, major: unknown, minor: unknown): string | undefined {
  const digits = normalForm('ble', textOf(uuid) ?? '');
  const numbers = [major, minor].map(numberOf);
  if (!/^[0-9A-F]{32}$/.test(digits) || numbers.some((number) => number === undefined)) return undefined;
  return `${digits}-${numbers.join('-')}`;
}

/** Returns the bytes of a base64 or base64url text as upper-case hexadecimal; undefined if invalid. */
export function base64Hex(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64url').toString('hex').toUpperCase();
}

const nothingWords = ['none', 'null', 'undefined', 'n/a', 'no tag', 'no card', 'no read'].map(plainWord);
const nothingOfChips = new Set([...nothingWords, 'unknown', 'na']);
const nothingOfBarcodes = new Set([...nothingWords, 'nr', 'badcode', 'nolabel', 'nolable', 'error', '?', cancel]);
/** No word for nothing is longer. */
const wordLengthMax = 32;
/** The digit 0 or F alone, asterisks, or an identifier after the sign that it is not there any more. */
const nothingDigits = /^(?:\*+|(?:0[ :-]?)+|(?:F[ :-]?){4,}|-[0-9A-F][0-9A-F :-]*|not:.*)$/i;

function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]+/g, '');
}

/** Returns whether a value stands for no tag. */
export function isNothing(value: string, tagType: TagType): boolean {
  const isBarcode = tagType === 'barcode';
  if (/^[0-9A-F]+$/.test(value) && /[1-9A-E]/.test(value)) return false;
  if (isBarcode ? value.startsWith('No Read ') : nothingDigits.test(value)) return true;
  if (value.length > wordLengthMax) return false;
  const word = plainWord(value.replace(/^<(.*)>$/, '$1'));
  return isBarcode ? nothingOfBarcodes.has(word) : nothingOfChips.has(word) || isDepartureWord(word);
}

/**
 * Parses a local date and time with the offset that is given beside it, such as `2026/11/25 09:52:22` and `-6:00`, into
 * epoch milliseconds; null if either is missing or invalid.
 */
export function localTimeOf(value: unknown, offset: unknown): number | null {
  if (typeof value !== 'string' || typeof offset !== 'string') return null;
  const local = /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})[T &]+(\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?)\s*$/i.exec(value);
  const zone = /^\s*(?:(Z|UTC|GMT)|(?:UTC|GMT)?\s*([+-]?)(\d{1,2})(?::?(\d{2}))?)\s*$/i.exec(offset);
  if (!local || !zone) return null;
  const [, year = '', month = '', day = '', time = ''] = local;
  const [, zulu, sign, hours = '0', minutes = '00'] = zone;
  const shift = zulu ? 'Z' : `${sign || '+'}${hours.padStart(2, '0')}:${minutes}`;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseTimestamp(`${date}T${time.replace(',', '.').padStart(8, '0')}${shift}`) ?? null;
}
