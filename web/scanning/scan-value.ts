import { trimmed } from '../csv/cell-text.js';

/** The longest value that a tag can have, in code points. */
export const scanLengthMax = 255;

/** What scanners put before a code to say of which kind it is, if they are set to: `]C1`, `]d2`, `]Q3`. */
const aimIdentifier = /^\][A-Za-z][0-9A-Za-z](?=.)/;
/** Elements of GS1 before a serial number that no separator ends: GTIN or GLN, dates, variant, measures. */
const fixedElements = /^(?:01\d{14}|414\d{13}|1[1-9]\d{6}|20\d{2}|3[1-6]\d{8})*/;
const labelPath = /^\/(?:a|l)\/\d+$/;

/**
 * Returns a code with the separators of GS1 as a tag's value can have them, `\u241D`, if it has a serial number: without them the
 * serial number would swallow what follows, or would be a part of the lot before it.
 */
function withVisibleSeparators(text: string): string {
  const elements = text.replace(aimIdentifier, '').split('\u001D').filter(Boolean);
  if (!/^(?:01\d{14}|414\d{13})/.test(elements[0] ?? '')) return text;
  const hasSerial = elements.some((part) => /^(?:21|254)/.test(part.replace(fixedElements, '')));
  return hasSerial ? elements.join('\u241D') : text;
}

/**
 * Returns what a scanner gave, as a tag's value could be written: without control characters, such as the separators in
 * GS1 codes without a serial number, without the identifier of the kind of code, and without white space and invisible characters at the ends. Of the address on a label of
 * this service only the path is left. Undefined where nothing is left, or too much.
 */
export function cleanScan(
  text: string,
  origin = typeof location === 'undefined' ? '' : location.origin,
): string | undefined {
  const plain = withVisibleSeparators(text.toWellFormed().trim()).replaceAll(/[\u0000-\u001F\u007F\uFEFF]/g, '');
  const value = trimmed(plain).replace(aimIdentifier, '');
  if (value === '' || Array.from(value).length > scanLengthMax) return undefined;
  const path = origin !== '' && value.startsWith(origin) ? value.slice(origin.length) : '';
  return labelPath.test(path) ? path : value;
}

/** Returns the address on a label, which opens the asset or location on any phone. */
export function labelAddress(kind: 'assets' | 'locations', id: number): string {
  return `${location.origin}/${kind === 'assets' ? 'a' : 'l'}/${id}`;
}
