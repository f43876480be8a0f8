import { trimmed } from './cell-text.js';

/** What lists write before their totals, in the languages of the spreadsheets' menus. */
const words = [
  '(?:grand|sub|sum)?[ -]?totals?',
  'sum',
  'count',
  'gesamt',
  'gesamt(?:summe|anzahl|zahl)',
  '(?:zwischen)?summe',
  'anzahl',
  'insgesamt',

  'total général',
  'sous-total',
  'somme',
  'totale',
  'somma',
  'suma',
  'total general',
  'soma',
  'totaal',
  'subtotaal',
  'totalt',
  'yhteensä',

  'razem',
  'celkem',
  'összesen',
  'toplam',
  'genel toplam',
  'итого',
  'всего',
  'разом',
  'σύνολο',
  '合計',
  '小計',
  '总计',
  '合计',
  '總計',
];

/** The word alone, with a number, or with a number and what was counted: `Total: 2`, `Summe`, `Total 2 assets`. */
const total = new RegExp(`^(?:${words.join('|')})\\s*[:=]?\\s*(?:\\d[\\d.,'\\s]*(?:\\p{L}+)?)?$`, 'iu');

/**
 * Returns whether a row is a total of a list, and nothing in it: its first text says so, and no other cell has a key or a tag.
 *
 * @param isIdentifier whether the cells of a column are keys or tags
 */
export function isTotal(cells: readonly string[], isIdentifier: (index: number) => boolean): boolean {
  const first = cells.findIndex((cell) => trimmed(cell) !== '');
  if (first === -1 || !total.test(trimmed(cells[first] ?? '').normalize('NFC'))) return false;
  return cells.every((cell, index) => index === first || trimmed(cell) === '' || !isIdentifier(index));
}
