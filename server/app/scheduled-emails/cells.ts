/** Characters that begin a formula in spreadsheets, or that they skip before one. */
const operators = '=+\\-@＝＋－＠';
const skipped = '\\t\\r\\n';

const formula = new RegExp(`^(?='*[${operators}${skipped}])`, 'u');
/** After a semicolon, a tab or a line break, with which some spreadsheets begin a cell. */
const innerFormula = new RegExp(`(?<=[;${skipped}])(?=["']*[${operators}])`, 'gu');

/** What an import would take for a cell of `shielded`, or for a formula that is only a text. */
const imported = new RegExp(`^'+[${operators}${skipped}]|[;${skipped}]'(?=["']*[${operators}])|^="(?:[^"]|"")*"$`, 'u');

/** Returns a text with an apostrophe before each part that a spreadsheet would run. An import removes the apostrophes again. */
function shielded(text: string): string {
  return text.replaceAll(innerFormula, "'").replace(formula, "'");
}

/** Separators, invisible characters, and blanks at the ends are safe within quotes alone. */
const quotedOnly = /[",;|]|[^ -~]|^ | $/;

/** Returns a text as a cell of a CSV file (RFC 4180). */
export function csvCell(text: string): string {
  const cell = shielded(text);
  return quotedOnly.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Such a text would be read as the character with this number. */
const escaped = /_(?=x[\dA-Fa-f]{4}_)/g;

/** Returns a text as a cell of an Excel workbook, which nothing runs. */
export function workbookCell(text: string): string {
  return (imported.test(text) ? shielded(text) : text).replaceAll(escaped, '_x005F_');
}
