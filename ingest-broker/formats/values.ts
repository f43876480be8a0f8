import { parseTimestamp } from '../../server/index.js';

const antennaDefault = 1;
const antennaMax = 65_535;
const rssiDbmMin = -200;
const rssiDbmMax = 100;
/** The twelve digits of a MAC address and many more separators than anybody writes between them. */
const macLengthMax = 64;
/** The last instant with a four-digit year. */
const epochMsMax = 253_402_300_799_999;

/** Returns a number, or a string that contains one; undefined for everything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns a port number; 1 if there is none. */
export function antennaOf(value: unknown): number {
  const port = numberOf(value);
  return port !== undefined && Number.isInteger(port) && port >= 0 && port <= antennaMax ? port : antennaDefault;
}

/** Returns an RSSI in dBm; null if there is none or it is out of range. */
export function rssiOf(value: unknown): number | null {
  const rssi = numberOf(value);
  return rssi !== undefined && rssi >= rssiDbmMin && rssi <= rssiDbmMax ? rssi : null;
}

const msPerUnit = { s: 1000, ms: 1, us: 0.001 } as const;

/** Converts a count since 1970 to epoch milliseconds, truncated; null if there is none. */
export function epochOf(value: unknown, unit: keyof typeof msPerUnit): number | null {
  const count = numberOf(value);
  if (count === undefined) return null;
  const ms = unit === 'us' ? Math.trunc(count / 1000) : Math.trunc(count * msPerUnit[unit]);
  return Math.abs(ms) <= epochMsMax ? ms : null;
}

let latestText = '';
let latestMs: number | null = null;

/**
 * Parses a date and time into epoch milliseconds. Besides RFC 3339 it accepts offsets without a colon (`+0200`); null
 * if invalid. The reads of a message often have the same time, so the latest text is cached.
 */
export function dateTimeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  if (value !== latestText) {
    latestMs = parseTimestamp(value.trim().replace(/([+-]\d{2})(\d{2})$/, '$1:$2')) ?? null;
    latestText = value;
  }
  return latestMs;
}

/** Returns a value as trimmed text; integers as their digits. Undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Returns hexadecimal digits in upper case; other text unchanged. */
export function hexText(text: string): string {
  return /^[0-9a-fA-F]+$/.test(text) ? text.toUpperCase() : text;
}

/** Returns a MAC address as twelve upper-case digits without colons and dashes; other text unchanged. */
export function macText(text: string): string {
  return asMac(text) ?? hexText(text);
}

/** Does the same as `macText`, but returns undefined for a text that is not a MAC address. */
export function asMac(text: string): string | undefined {
  if (text.length > macLengthMax) return undefined;
  const digits = text.replaceAll(/[:-]/g, '');
  return /^[0-9a-fA-F]{12}$/.test(digits) ? digits.toUpperCase() : undefined;
}

/** Returns the bytes of a base64 or base64url text as upper-case hexadecimal; undefined if invalid. */
export function base64Hex(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64url').toString('hex').toUpperCase();
}
