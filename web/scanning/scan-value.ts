/** The longest value that a tag can have, in code points. */
export const scanLengthMax = 255;

/**
 * Returns what a scanner gave, as a tag's value could be written: without control characters, such as the separators in
 * GS1 codes, and without white space at the ends. Undefined where nothing is left, or too much.
 */
export function cleanScan(text: string): string | undefined {
  const value = text
    .toWellFormed()
    .replaceAll(/[\u0000-\u001F\u007F\uFEFF]/g, '')
    .trim();
  if (value === '' || Array.from(value).length > scanLengthMax) return undefined;
  return value;
}
