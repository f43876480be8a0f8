import { trimmed } from '../csv/cell-text.js';

/** The longest value that a tag can have, in code points. */
export const scanLengthMax = 255;

/** The prefix for the kind of a code that scanners send if they are configured to: `]C1`, `]d2`, `]Q3`. */
const aimIdentifier = /^\][A-Za-z][0-9A-Za-z](?=.)/;
/**
 * Elements of GS1 that can be before a serial number and end without a separator: GTIN or GLN, dates, variant,
 * measures.
 */
const fixedElements = /^(?:01\d{14}|414\d{13}|1[1-9]\d{6}|20\d{2}|3[1-6]\d{8})*/;
const labelPath = /^\/(?:a|l)\/\d+$/;

/**
 * Returns a code with visible GS1 separators, `\u241D`, which a tag value can contain, if the code has a serial number.
 * Without separators the serial number would include the next element, or would be a part of the lot before it.
 */
function withVisibleSeparators(text: string): string {
  const elements = text.replace(aimIdentifier, '').split('\u001D').filter(Boolean);
  if (!/^(?:01\d{14}|414\d{13})/.test(elements[0] ?? '')) return text;
  const hasSerial = elements.some((part) => /^(?:21|254)/.test(part.replace(fixedElements, '')));
  return hasSerial ? elements.join('\u241D') : text;
}

/**
 * Returns the output of a scanner in the form of a tag value: without control characters, such as the separators in GS1
 * codes without a serial number, without the prefix for the kind of code, and without white space and invisible
 * characters at the ends. An address on a label of this service is reduced to its path. Undefined if the result is
 * empty or too long.
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
