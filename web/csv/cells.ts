import { trimmed } from './cell-text.js';

/** Characters that begin a formula in spreadsheets, or that they skip before one. */
const operators = '=+\\-@＝＋－＠';
const formulaStarts = `${operators}\\t\\r\\n`;
const shieldNeeded = new RegExp(`^'*[${formulaStarts}]`, 'u');
const shielded = new RegExp(`^'+[${formulaStarts}]`, 'u');

/**
 * The same after a semicolon, a tab or a line break inside a cell. A spreadsheet that expects semicolons or tabs between
 * cells does not take the quotes around the cell for quotes, and begins a cell there.
 */
const innerShieldNeeded = new RegExp(`(?<=[;\\t\\r\\n])(?=["']*[${operators}])`, 'gu');
const innerShielded = new RegExp(`(?<=[;\\t\\r\\n])'(?=["']*[${operators}])`, 'gu');

/**
 * Makes a cell harmless to spreadsheets, for each separator that they can expect: an apostrophe is added before what they would run. A
 * text that looks like such a cell already gets another one, so `unshieldCell` gives back every text as it was.
 */
export function shieldCell(text: string): string {
  const inner = text.replaceAll(innerShieldNeeded, "'");
  return shieldNeeded.test(text) ? `'${inner}` : inner;
}

/** Returns the text that `shieldCell` made a cell of. */
function unshieldCell(cell: string): string {
  const outer = shielded.test(cell) ? cell.slice(1) : cell;
  return outer.replaceAll(innerShielded, '');
}

/** A text as a formula, `="0012"`, with which programs keep spreadsheets from making a number of it. */
const textFormula = /^="((?:[^"]|"")*)"$/;

/** Returns the text of a cell of a file: without the apostrophes of exports, and out of a formula that is only a text. */
export function textOfCell(cell: string): string {
  const [, text] = textFormula.exec(cell) ?? [];
  return text === undefined ? unshieldCell(cell) : text.replaceAll('""', '"');
}

/** Makes a cell of a workbook, which nothing runs: only what `textOfCell` would change gets an apostrophe. */
export function workbookCell(text: string): string {
  return textOfCell(text) === text ? text : shieldCell(text);
}

/** Joins values in one cell, separated by `|`; the service takes them apart again. */
export function joinTagCell(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\|]/g, String.raw`\$&`)).join('|');
}

/** Returns a line of a file by RFC 4180, its end included. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** Blanks and invisible characters at the ends or beside the separator of tags, and the separators of other dialects, are safe within quotes alone. */
function quoted(cell: string): string {
  return /[",;\t\r\n]|\s\||\|\s/.test(cell) || trimmed(cell) !== cell ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Marks the file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF';
