import { writeXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { readFile } from '../../../web/csv/read-file.js';
import { readWorkbook } from '../../../web/csv/workbook.js';

const meaningsOf = async (text: string) => {
  const { meanings, problems, rows } = await readFile(text, 'assets');
  expect(problems).toEqual([]);
  return { columns: Object.fromEntries(meanings.map(({ header, column }) => [header, column])), rows };
};

it.each([
  ['commas', 'Inventory list Building 7,,\nPrinted: 21.11.2026,,\n,,\nKey,Name,RFID tag\nPUMP-71,Pump 71,E280\n', 5],
  ['semicolons', 'Inventarliste, Stand 21.11.\n\nSchlüssel;Bezeichnung;RFID\nPUMP-71;Pumpe, groß;E280\n', 4],
  ['tabs', 'Geräte\nvon Halle 7\nName\tBarcode\nBohrer\t0012\n', 4],
])('the names of columns are found below titles in a file with %s', async (_, text, line) => {
  const { columns, rows } = await meaningsOf(text);
  expect(Object.values(columns)).toContain('name');
  expect(rows.map((row) => row.line)).toEqual([line]);
});

it('the names of columns in the first line stay there, whatever the rows have in them', async () => {
  const { rows } = await meaningsOf('Name,Farbe\nName,Barcode\nSäge,rot\n');
  expect(rows).toHaveLength(2);
});

it('exports of Snipe-IT, Homebox and Shelf are recognized: their status, names and tags', async () => {
  const snipe = 'Asset Tag,Name,Status,Location\nGB-1,Laptop,Deployed,Desk 4\nGB-2,Monitor,Archived,Store\n';
  expect((await meaningsOf(snipe)).columns).toMatchObject({
    'Asset Tag': 'external_key',
    Status: 'detail:Status',
  });
  const homebox = 'HB.labels;HB.name;HB.asset_id;HB.description;HB.serial_number\nIOT;Relay;000-002;Garage;SN-9\n';
  expect((await meaningsOf(homebox)).columns).toEqual({
    'HB.labels': 'detail:labels',
    'HB.name': 'name',
    'HB.asset_id': 'external_key',
    'HB.description': 'description',
    'HB.serial_number': 'detail:serial_number',
  });
  const shelf = [
    'title,tags,category,barcode_Code128,"cf: Serial number,type:text"',
    'AMD Ryzen,"High priority, small",CPU,AMD001234,WQE239123d',
  ].join('\n');
  expect((await meaningsOf(shelf)).columns).toEqual({
    title: 'name',
    tags: 'detail:tags',
    category: 'kind',
    barcode_Code128: 'barcode_tags',
    'cf: Serial number,type:text': 'detail:Serial number',
  });
});

it.each([
  ['Status\nactive\ninactive\n', 'is_active'],
  ['Zustand\naktiv\n\n', 'is_active'],
  ['Status\nReady to deploy\n', 'detail:Status'],
  ['Tags\nE28011700000020A1B2C3D71|E2801170\n', 'rfid_tags'],
  ['Tags\nspare parts\n', 'detail:Tags'],
])('the values of a column decide what an ambiguous header means: %j is %s', async (column, meaning) => {
  const lines = column
    .trimEnd()
    .split('\n')
    .map((cell, index) => `${index === 0 ? 'Name' : `Saw ${index}`},${cell}\n`);
  expect(Object.values((await meaningsOf(lines.join(''))).columns)[1]).toBe(meaning);
});

it('a workbook is read from the sheet with the names of columns, not from its cover', async () => {
  const cover = { name: 'Cover', rows: [['Instructions'], ['Fill in the sheet Assets.']] };
  const assets = {
    name: 'Assets',
    rows: [
      ['Key', 'Name'],
      ['COV-1', 'On the second sheet'],
    ],
  };
  const spare = {
    name: 'Spare',
    rows: [
      ['Key', 'Name'],
      ['S-1', 'Spare'],
    ],
  };
  const read = async (activeSheet?: number) => {
    const options = activeSheet === undefined ? {} : { activeSheet };
    return readWorkbook(await writeXlsx({ sheets: [cover, assets, spare], ...options }));
  };
  expect(await read()).toMatchObject({ name: 'Assets', others: ['Cover', 'Spare'] });
  expect(await read(2)).toMatchObject({ name: 'Spare', others: ['Cover', 'Assets'] });
});

it('a day in a strict workbook, which is a text there, has no time of day', async () => {
  const cells = new Map([['1,1', { value: '2030-06-30T00:00:00', style: { numFmt: 'm/d/yyyy' } }]]);
  const rows = [
    ['name', 'valid_to'],
    ['Saw', '2030-06-30T00:00:00'],
  ];
  const { records } = await readWorkbook(await writeXlsx({ sheets: [{ name: 'S', rows, cells }] }));
  expect(records[1]?.cells).toEqual(['Saw', '2030-06-30']);
});

it('each column has its first three different values beside it', async () => {
  const { meanings } = await readFile(
    `Name,Farbe\nA,rot\nB,\nC,rot\nD,${'blau'.repeat(20)}\nE,gelb\nF,grün\n`,
    'assets',
  );
  expect(meanings.map(({ samples }) => samples)).toEqual([
    ['A', 'B', 'C'],
    ['rot', 'blau'.repeat(10), 'gelb'],
  ]);
});
