import { parseTimestamp } from '../../server/index.js';

const antennaDefault = 1;
const antennaMax = 65_535;
const rssiDbmMin = -200;
const rssiDbmMax = 100;
/** The last instant that has a four-digit year. */
const epochMsMax = 253_402_300_799_999;

/** A number, or a string that is one; undefined for everything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A port number; 1 where none can be read. */
export function antennaOf(value: unknown): number {
  const port = numberOf(value);
  return port !== undefined && Number.isInteger(port) && port >= 0 && port <= antennaMax ? port : antennaDefault;
}

/** A strength in dBm; null where none can be read or it is beyond what exists. */
export function rssiOf(value: unknown): number | null {
  const rssi = numberOf(value);
  return rssi !== undefined && rssi >= rssiDbmMin && rssi <= rssiDbmMax ? rssi : null;
}

const msPerUnit = { s: 1000, ms: 1, us: 0.001 } as const;

/** A count since 1970 as epoch milliseconds, finer parts cut off; null where none can be read. */
export function epochOf(value: unknown, unit: keyof typeof msPerUnit): number | null {
  const count = numberOf(value);
  if (count === undefined) return null;
  const ms = unit === 'us' ? Math.trunc(count / 1000) : Math.trunc(count * msPerUnit[unit]);
  return Math.abs(ms) <= epochMsMax ? ms : null;
}

let latestText = '';
let latestMs: number | null = null;

/**
 * A date and time as epoch milliseconds. Beyond RFC 3339 it takes offsets without a colon (`+0200`); null where it is
 * none. The reads of a message often have the same time, so the latest text is remembered.
 */
export function dateTimeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  if (value !== latestText) {
    latestMs = parseTimestamp(value.trim().replace(/([+-]\d{2})(\d{2})$/, '$1:$2')) ?? null;
    latestText = value;
  }
  return latestMs;
}

/** A value's text, trimmed; integers count as their digits. Undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Hexadecimal digits in upper case; another text stays as it is. */
export function hexText(text: string): string {
  return /^[0-9a-fA-F]+$/.test(text) ? text.toUpperCase() : text;
}

/** A MAC address as twelve upper-case digits without colons and dashes; another text stays as it is. */
export function macText(text: string): string {
  return asMac(text) ?? hexText(text);
}

/** As `macText`, but undefined for a text that is no MAC address. */
export function asMac(text: string): string | undefined {
  const digits = text.replaceAll(/[:-]/g, '');
  return /^[0-9a-fA-F]{12}$/.test(digits) ? digits.toUpperCase() : undefined;
}

/** The bytes of a base64 or base64url text as upper-case hexadecimal; undefined where it is none. */
export function base64Hex(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64url').toString('hex').toUpperCase();
}
