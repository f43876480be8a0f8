import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { assetTable } from '../../../../server/app/scheduled-emails/asset-table.js';
import { type Cell, fileOf, type Table } from '../../../../server/app/scheduled-emails/file.js';
import { figuresOf } from '../../../../server/app/scheduled-emails/figures.js';
import type { FileFormat } from '../../../../server/app/scheduled-emails/schemas.js';
import { wordsFor } from '../../../../server/people/mail/person.js';
import { textOfCell } from '../../../../web/csv/cells.js';
import { decodeFile } from '../../../../web/csv/decode.js';
import { columnOf } from '../../../../web/csv/column-words.js';
import { exportHeader } from '../../../../web/csv/export-rows.js';
import { readRecords } from '../../../../web/csv/records.js';
import { readWorkbook, writeWorkbook } from '../../../../web/csv/workbook.js';

async function* onePage(rows: Cell[][]) {
  yield rows;
}

/** Returns the texts that the app's import reads from a file with these rows. */
async function importedTexts(rows: string[][], format: FileFormat): Promise<string[][]> {
  const columns = rows[0]?.map((_, index) => ({ title: `column ${index}`, kind: 'text' as const })) ?? [];
  const made = await fileOf(
    { columns, pages: onePage(rows) },
    { name: 'a', title: 'A title', format, timeZone: 'UTC', untilMs: Infinity },
  );
  const bytes = new Uint8Array(made?.file.content ?? []);
  const decoded = decodeFile(bytes);
  const records =
    format === 'xlsx'
      ? (await readWorkbook(bytes)).records
      : 'text' in decoded
        ? Array.from(readRecords(decoded.text, ','))
        : [];
  return records.slice(format === 'xlsx' ? 3 : 1).map(({ cells }) => cells.map(textOfCell));
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

test('a workbook opens whatever its texts contain', async () => {
  const given = ['a\uFFFEb', '\uFFFF', 'x\uD800y', '\uDC00', '\u{1FFFE}', '👩‍👩‍👧‍👦'];
  const wanted = ['a\uFFFDb', '\uFFFD', 'x\uFFFDy', '\uFFFD', ...given.slice(4)];
  expect(
    (
      await importedTexts(
        given.map((text) => [text]),
        'xlsx',
      )
    ).flat(),
  ).toEqual(wanted);
  const blob = await writeWorkbook('a', [['name'], ...given.map((text) => [text])]);
  const { records } = await readWorkbook(new Uint8Array(await blob.arrayBuffer()));
  expect(records.slice(1).flatMap(({ cells }) => cells)).toEqual(wanted);
});

test.each(['en', 'de'] as const)('an import understands the columns of a view in the language %s', (language) => {
  const { columns } = assetTable({} as never, { query: '', midnightMs: 0, words: wordsFor({ language }) });
  expect(columns.map(({ title }) => columnOf(title, 'assets'))).toEqual(exportHeader('assets'));
});

const moments: Table = {
  columns: [
    { title: 'Seen', kind: 'instant' },
    { title: 'There', kind: 'duration' },
    { title: 'Visits', kind: 'number' },
  ],
  pages: onePage([
    // Before, and after the clocks in Berlin change.
    ['2026-10-25T00:59:30.000Z', 3723, 2],
    ['2026-10-25T01:00:00.000Z', 360_000, 3],
    [null, null, null],
  ]),
};

test('a workbook has a title, dates in the chosen time zone, durations and widths', async () => {
  const made = await fileOf(moments, {
    name: 'dwell',
    title: 'Dwell time in Acme',
    format: 'xlsx',
    timeZone: 'Europe/Berlin',
    untilMs: Infinity,
  });
  const { sheets } = await readXlsx(made?.file.content ?? Buffer.alloc(0), { readStyles: true });
  const [sheet] = sheets;
  expect(sheet?.rows.map((row) => row.filter((cell) => cell !== null))).toEqual([
    ['Dwell time in Acme'],
    [],
    ['Seen', 'There', 'Visits'],
    [new Date('2026-10-25T02:59:30Z'), new Date('1899-12-31T01:02:03Z'), 2],
    [new Date('2026-10-25T02:00:00Z'), new Date('1900-01-04T04:00:00Z'), 3],
    [],
  ]);
  expect(sheet?.cells?.get('3,0')?.style?.numFmt).toBe('yyyy-mm-dd hh:mm');
  expect(sheet?.cells?.get('3,1')?.style?.numFmt).toBe('[h]:mm:ss');
  expect(sheet?.columns?.map(({ width }) => width)).toEqual([18, 12, 12]);
});

test('a CSV file has local times and durations as texts that a spreadsheet reads', async () => {
  const pages = onePage([['2026-11-28T23:30:00.000Z', 3723, 2]]);
  const options = { name: 'a', title: '', format: 'csv', timeZone: 'Asia/Tokyo', untilMs: Infinity } as const;
  const made = await fileOf({ columns: moments.columns, pages }, options);
  expect(made?.file.content.toString()).toBe('\uFEFFSeen,There,Visits\r\n2026-11-29 08:30,1:02:03,2\r\n');
});

test('a mail lists the ten largest numbers, and how many more there are', () => {
  const words = wordsFor({ language: 'en' });
  const flow = Array.from({ length: 12 }, (_, index) => ['Hall', `Dock ${index}`, index + 1]);
  const { total, listed, more } = figuresOf('flow', flow, words);
  expect([total, listed.length, more, listed[0]]).toEqual([
    'Moves: 78',
    10,
    2,
    { title: 'Hall → Dock 11', detail: 'Moves: 12' },
  ]);
  const unseen = [
    ['A', 'A-1', 'Ward', null],
    ['B', 'B-1', 'Ward', null],
    ['C', 'C-1', 'Hall', null],
  ];
  expect(figuresOf('unseen', unseen, words)).toEqual({
    total: 'Assets: 3',
    more: 0,
    listed: [
      { title: 'Ward', detail: 'Assets: 2' },
      { title: 'Hall', detail: 'Assets: 1' },
    ],
  });
  const dwell = [['Ward', 'L-1', 4, 11_520, 20_000, null, null, null]];
  expect(figuresOf('dwell', dwell, words).listed).toEqual([{ title: 'Ward', detail: 'Visits: 4, median 3 h 12 min' }]);
  const use = [
    ['Ward', 0, 3600],
    ['Ward', 1, 90],
    ['Hall', 0, 0],
  ];
  expect(figuresOf('use', use, words)).toMatchObject({
    total: 'Total time: 1 h 2 min',
    listed: [{ detail: '1 h 2 min' }],
  });
});
