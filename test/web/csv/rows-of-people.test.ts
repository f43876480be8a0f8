import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, test } from 'vitest';
import { writeXlsx } from 'hucre/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { decodeFile } from '../../../web/csv/decode.js';
import { type Choices, readFile, readTable } from '../../../web/csv/read-file.js';
import { readWorkbook } from '../../../web/csv/workbook.js';

const cases = path.resolve(import.meta.dirname, '../import/cases');

async function workbook(name: string, choices?: Choices, sheet?: string) {
  const { records, hiddenColumns } = await readWorkbook(new Uint8Array(readFileSync(path.join(cases, name))), sheet);
  return readTable({ delimiter: null, records, hiddenColumns }, 'assets', choices);
}

async function text(name: string, kind: 'assets' | 'locations' = 'assets', choices?: Choices) {
  const decoded = decodeFile(readFileSync(path.join(cases, name)));
  if ('problem' in decoded) throw new Error(decoded.problem);
  return readFile(decoded.text, kind, choices);
}

const cellsOf = ({ rows }: { rows: { cells: string[] }[] }) => rows.map(({ cells }) => cells);

test('readings of Japanese texts (furigana) that a sheet has in itself are not part of the texts', async () => {
  const read = await workbook('furigana-inline.xlsx');
  expect(read.problems).toEqual([]);
  expect(cellsOf(read)).toEqual([['FURI-2', '大阪', '札-77']]);
});

test.each([
  ['<x:rPh sb="0" eb="1"><x:t>オ</x:t></x:rPh>', '大'],
  ['<rPh sb="0" eb="1"/>', '大'],
  ['<rPh sb="0"\n eb="1"><t>オ</t></rPh><rPh sb="1" eb="2"><t>サ</t></rPh>', '大'],
  // An element whose name only begins alike stays.
  ['<rPhx/>', '大'],
])('readings are found in any notation: %s', async (reading, shown) => {
  const files = unzipSync(await writeXlsx({ sheets: [{ name: 'S', rows: [['name'], ['X']] }] }));
  const sheet = 'xl/worksheets/sheet1.xml';
  const xml = strFromU8(files[sheet] ?? new Uint8Array());
  const prefix = reading.startsWith('<x:')
    ? ' xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    : '';
  const inline = `<c r="A2" t="inlineStr"${prefix}><is><t>大</t>${reading}</is></c>`;
  files[sheet] = strToU8(xml.replace(/<c r="A2"[^>]*>.*?<\/c>/, inline));
  const { records } = await readWorkbook(zipSync(files));
  expect(records[1]?.cells).toEqual([shown]);
});

test('rows that a filter hides are left out until a person wants them', async () => {
  const read = await workbook('filtered-rows.xlsx');
  expect(read).toMatchObject({ hiddenRows: 2, problems: [] });
  expect(cellsOf(read).map(([key]) => key)).toEqual(['HID-1', 'HID-4']);
  const all = await workbook('filtered-rows.xlsx', { withHidden: true });
  expect(all.hiddenRows).toBe(2);
  expect(cellsOf(all).map(([key]) => key)).toEqual(['HID-1', 'HID-2', 'HID-3', 'HID-4']);
});

test('hidden columns are named, and imported until a person says otherwise', async () => {
  const columns = [{}, { hidden: true }];
  const rows = [
    ['name', 'Cost'],
    ['Saw', '12'],
  ];
  const { records, hiddenColumns } = await readWorkbook(await writeXlsx({ sheets: [{ name: 'S', columns, rows }] }));
  const read = await readTable({ delimiter: null, records, hiddenColumns }, 'assets');
  expect(read).toMatchObject({ hiddenColumns: ['Cost'], columns: ['name', 'detail:Cost'] });
});

test('another sheet and another row of names can be chosen', async () => {
  expect(cellsOf(await workbook('cover-sheet.xlsx'))).toEqual([['COV-1', 'On the second sheet']]);
  const cover = await workbook('cover-sheet.xlsx', { columns: new Map([[0, 'name']]) }, 'Sheet1');
  expect(cellsOf(cover)).toEqual([['Fill in the sheet Assets. Do not change the columns.']]);
  const guessed = await text('title-rows.csv');
  expect(guessed).toMatchObject({ headerLine: 4, columns: ['external_key', 'name', 'description', 'rfid_tags'] });
  expect(guessed.firstRows.slice(0, 3)).toEqual([
    { line: 1, text: 'Inventory list Building 7' },
    { line: 2, text: 'Printed: 21.11.2026 by facility team' },
    { line: 4, text: 'Key · Name · Description · RFID tag' },
  ]);
  const other = await text('title-rows.csv', 'assets', { headerLine: 5, columns: new Map([[1, 'name']]) });
  expect(other).toMatchObject({ headerLine: 5, rows: [{ line: 6 }] });
});

test('totals of a list are named and left out until a person wants them', async () => {
  const titled = await text('title-rows.csv');
  expect(titled.totals).toEqual([{ line: 7, text: 'Total · 2 assets' }]);
  expect(cellsOf(titled).map(([key]) => key)).toEqual(['PUMP-71', 'PUMP-72']);
  const read = await text('total-row.csv');
  expect(read.totals).toEqual([{ line: 4, text: 'Total: 2' }]);
  expect(cellsOf(read).map(([name]) => name)).toEqual(['Drill 1', 'Drill 2']);
  const all = await text('total-row.csv', 'assets', { withTotals: true });
  expect(cellsOf(all).map(([name]) => name)).toEqual(['Drill 1', 'Drill 2', 'Total: 2']);
});

it.each([
  ['Summe', true],
  ['Gesamt: 1.204', true],
  ['GRAND TOTAL', true],
  ['Subtotal 12 pcs', true],
  ['Anzahl = 3', true],
  ['合計', true],
  ['Total station', false],
  ['Totalstation 3', false],
  ['Summer hat', false],
  ['Total 2-inch pump', false],
])('a row %j is taken for a total: %s', async (name, isOne) => {
  const { totals } = await readFile(`Name,Barcode,Note\nDrill,DR-1,\n${name},,x\n`, 'assets');
  expect(totals.length === 1).toBe(isOne);
});

it('a row with a tag is an asset, whatever its name', async () => {
  expect((await readFile('Name,Barcode\nTotal,DR-1\n', 'assets')).totals).toEqual([]);
});

it.each([
  ['Tags\nSerie 7\n', 'detail:Tags'],
  ['Tags\nIOT2; Z-Wave\n', 'detail:Tags'],
  ['Tags\nA1,B2\n', 'detail:Tags'],
  ['Tags\nE28011700000020A1B2C3D71|0012E456\n', 'rfid_tags'],
  ['Tags\nE2 80 11 70 00\n', 'rfid_tags'],
])('a column of categories is no RFID tag: %j is %s', async (column, meaning) => {
  const [header = '', ...cells] = column.trimEnd().split('\n');
  const { meanings } = await readFile(`Name;${header}\n${cells.map((cell) => `Saw;"${cell}"`).join('\n')}\n`, 'assets');
  expect(meanings[1]?.column).toBe(meaning);
});

test('exports of other programs have their columns by their meaning', async () => {
  const columnsOf = async (name: string) =>
    Object.fromEntries((await text(name)).meanings.map(({ header, column }) => [header, column]));
  expect(await columnsOf('homebox-export.csv')).toMatchObject({
    'HB.location': 'place_at_or_create',
    'HB.labels': 'detail:labels',
    'HB.name': 'name',
    'HB.asset_id': 'external_key',
  });
  expect(await columnsOf('shelf-export.csv')).toMatchObject({
    title: 'name',
    category: 'kind',
    tags: 'detail:tags',
    location: 'place_at_or_create',
    barcode_Code128: 'barcode_tags',
  });
  expect(await columnsOf('snipeit-report.csv')).toMatchObject({
    'Asset Tag': 'external_key',
    Name: 'name',
    Status: 'detail:Status',
    Location: 'place_at_or_create',
    Category: 'kind',
  });
  // What an export of the app says about locations is of the past.
  const own = await readFile('Key,Name,location,location_external_key,last_seen_at\nA,B,C,D,\n', 'assets');
  expect(own.columns).toEqual(['external_key', 'name', 'location', 'location_external_key']);
});
