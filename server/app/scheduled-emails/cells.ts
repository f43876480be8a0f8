/** Characters that begin a formula in spreadsheets, and characters that spreadsheets skip before a formula. */
const operators = '=+\\-@＝＋－＠';
const skipped = '\\t\\r\\n';

const formula = new RegExp(`^(?='*[${operators}${skipped}])`, 'u');
/** A formula after a semicolon, a tab or a line break, at which some spreadsheets begin a new cell. */
const innerFormula = new RegExp(`(?<=[;${skipped}])(?=["']*[${operators}])`, 'gu');

/** Texts that an import would mistake for a result of `shielded`, or for a formula. */
const imported = new RegExp(`^'+[${operators}${skipped}]|[;${skipped}]'(?=["']*[${operators}])|^="(?:[^"]|"")*"$`, 'u');

/**
 * Returns a text with an apostrophe before each part that a spreadsheet would execute. An import removes the
 * apostrophes again.
 */
function shielded(text: string): string {
  return text.replaceAll(innerFormula, "'").replace(formula, "'");
}

/** Separators, invisible characters, and spaces at the ends are safe only within quotes. */
const quotedOnly = /[",;|]|[^ -~]|^ | $/;

/** Returns a text as a cell of a CSV file (RFC 4180). */
export function csvCell(text: string): string {
  const cell = shielded(text);
  return quotedOnly.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Excel would read such a text as the character with this number. */
const escaped = /_(?=x[\dA-Fa-f]{4}_)/g;

/** Characters that XML cannot hold (XML 1.0, 2.2), lone surrogates among them. A workbook with one does not open. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Returns a text as a cell of an Excel workbook, where texts are never executed. */
export function workbookCell(text: string): string {
  return (imported.test(text) ? shielded(text) : text).replaceAll(escaped, '_x005F_').replaceAll(notXml, '\uFFFD');
}
