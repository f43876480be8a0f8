/** What a spreadsheet takes for a formula, or passes over on its way to one. */
const formulaStarts = '=+\\-@\\t\\r\\n＝＋－＠';
const shieldNeeded = new RegExp(`^'*[${formulaStarts}]`, 'u');
const shielded = new RegExp(`^'+[${formulaStarts}]`, 'u');

/**
 * Makes a cell harmless to spreadsheets: an apostrophe goes before what they would run. A text that looks like such a cell
 * already gets another one, so `unshieldCell` gives back every text as it was.
 */
export function shieldCell(text: string): string {
  return shieldNeeded.test(text) ? `'${text}` : text;
}

export function unshieldCell(cell: string): string {
  return shielded.test(cell) ? cell.slice(1) : cell;
}

/** Values in one cell, separated by `|`; the service takes them apart again. */
export function joinTagCell(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\|]/g, String.raw`\$&`)).join('|');
}

/** A line of a file by RFC 4180, its end included. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** Blanks at the ends, and the separators of other dialects, are safe within quotes alone. */
function quoted(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF';
