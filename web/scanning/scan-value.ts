import { trimmed } from '../csv/cell-text.js';

/** The longest value that a tag can have, in code points. */
export const scanLengthMax = 255;

/** What scanners put before a code to say of which kind it is, if they are set to: `]C1`, `]d2`, `]Q3`. */
const aimIdentifier = /^\][A-Za-z][0-9A-Za-z](?=.)/;
const labelPath = /^\/(?:a|l)\/\d+$/;

/**
 * Returns what a scanner gave, as a tag's value could be written: without control characters, such as the separators in
 * GS1 codes, without the identifier of the kind of code, and without white space and invisible characters at the ends. Of the address on a label of
 * this service only the path is left. Undefined where nothing is left, or too much.
 */
export function cleanScan(
  text: string,
  origin = typeof location === 'undefined' ? '' : location.origin,
): string | undefined {
  const value = trimmed(text.toWellFormed().replaceAll(/[\u0000-\u001F\u007F\uFEFF]/g, '')).replace(aimIdentifier, '');
  if (value === '' || Array.from(value).length > scanLengthMax) return undefined;
  const path = origin !== '' && value.startsWith(origin) ? value.slice(origin.length) : '';
  return labelPath.test(path) ? path : value;
}

/** Returns the address on a label, which opens the asset or location on any phone. */
export function labelAddress(kind: 'assets' | 'locations', id: number): string {
  return `${location.origin}/${kind === 'assets' ? 'a' : 'l'}/${id}`;
}
