import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assetTable } from '../../../../server/app/scheduled-emails/asset-table.js';
import { type Cell, fileOf } from '../../../../server/app/scheduled-emails/file.js';
import type { FileFormat } from '../../../../server/app/scheduled-emails/schemas.js';
import { textOfCell } from '../../../../web/csv/cells.js';
import { decodeFile } from '../../../../web/csv/decode.js';
import { exportHeader } from '../../../../web/csv/export-rows.js';
import { readRecords } from '../../../../web/csv/records.js';
import { readWorkbook } from '../../../../web/csv/workbook.js';

async function* onePage(rows: Cell[][]) {
  yield rows;
}

/** Returns the texts that the app's import reads from a file with these rows. */
async function importedTexts(rows: string[][], format: FileFormat): Promise<string[][]> {
  const columns = rows[0]?.map((_, index) => `column ${index}`) ?? [];
  const made = await fileOf({ columns, pages: onePage(rows) }, { name: 'a', format, untilMs: Infinity });
  const bytes = new Uint8Array(made?.file.content ?? []);
  const decoded = decodeFile(bytes);
  const records =
    format === 'xlsx'
      ? (await readWorkbook(bytes)).records
      : 'text' in decoded
        ? Array.from(readRecords(decoded.text, ','))
        : [];
  return records.slice(1).map(({ cells }) => cells.map(textOfCell));
}

const pieces = ['=', '+', '-', '@', '＝', "'", '"', ';', ',', '|', '\t', '\n', ' ', '\u00A0', 'a', '1', '_x0041_', 'ä'];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join(''));
const rows = fc.array(fc.tuple(text, text, fc.constant('end')), { minLength: 1, maxLength: 5 });

test.each(['csv', 'xlsx'] as const)('an import reads each text of a %s file as it was', async (format) => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      expect(await importedTexts(given, format)).toEqual(given);
    }),
    { numRuns: format === 'csv' ? 2000 : 200 },
  );
});

test('the file of a view has the columns of the app’s export', () => {
  const { columns } = assetTable({} as never, { query: '', midnightMs: 0 });
  expect(columns).toEqual(exportHeader('assets'));
});
