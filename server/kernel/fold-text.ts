/** The invisible characters that `fold_case` removes: soft hyphens, joiners, marks of direction, variation selectors. */
const invisible = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]|\u034F|\uFE0E|\uFE0F/gu;

/**
 * Letters that still differ in lower case, although people use one for the other: `ß` is `SS` in capitals, and `ı` is
 * `I`.
 */
const alike = new Map([
  ['ς', 'σ'],
  ['ß', 'ss'],
  ['i\u0307', 'i'],
  ['ı', 'i'],
]);

/**
 * Returns a text in the form in which texts are compared: case folded, accents joined to their letters, compatible
 * characters as the ordinary ones. The SQL function `fold_case` returns the same.
 */
export function foldText(text: string): string {
  const lower = text.replaceAll(invisible, '').normalize('NFKC').toLowerCase();
  return lower.replaceAll(/[ςßı]|i\u0307/g, (letter) => alike.get(letter) ?? letter);
}
