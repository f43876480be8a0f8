import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { describe, expect, it, test } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import type { AppCaller } from '../../../support/scan-world.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { columnNames, readOnlyColumns } from '../../../../web/csv/columns.js';
import { exportHeader, exportLine, exportRow } from '../../../../web/csv/export-rows.js';
import { decodeFile } from '../../../../web/csv/decode.js';
import { readFile, readTable } from '../../../../web/csv/read-file.js';
import { readWorkbook, writeWorkbook } from '../../../../web/csv/workbook.js';
import { problemText } from '../../../../web/pages/import/problem-text.js';
import { byteOrderMark, csvLine } from '../../../../web/csv/cells.js';
import { applyChecked, checkFile, importFile, type ImportState } from './import-file.js';

// Files as people and spreadsheets write them, read as the app reads them and sent to the service.

const world = await sharedScanWorld();

const cases = path.resolve(import.meta.dirname, '../../../web/import/cases');

type Manager = AppCaller;

async function newManager(): Promise<Manager> {
  return (await world.organization()).as('manager');
}

/** The columns and rows of a text, or of a file of `test/web/import/cases`. */
async function given(file: string | { text: string }, kind: 'assets' | 'locations' = 'assets') {
  const bytes = typeof file === 'string' ? readFileSync(path.join(cases, file)) : Buffer.from(file.text);
  const decoded = decodeFile(bytes);
  if ('problem' in decoded) throw new Error(decoded.problem);
  const read = await readFile(decoded.text, kind);
  expect(read.problems).toEqual([]);
  return { kind, columns: read.columns, rows: read.rows.map(({ cells }) => cells), ignored: read.ignored };
}

async function checked(manager: Manager, file: string | { text: string }, kind: 'assets' | 'locations' = 'assets') {
  const { ignored, ...sent } = await given(file, kind);
  const state = await checkFile(manager, sent);
  return { state, ignored, findings: await findingsOf(manager, state) };
}

/** What a person reads: `line column: text`, with `?` before the text of a warning and `i` before the text of a notice. */
async function findingsOf(manager: Manager, { id }: ImportState): Promise<string[]> {
  const { data } = await manager.imports.problems({ import_id: id, limit: 1000 });
  return data.map((row) => {
    const mark = row.is_notice ? 'i ' : row.is_warning ? '? ' : '';
    return `${row.line} ${row.column}: ${mark}${problemText(row)}`;
  });
}

async function assetsOf(manager: Manager) {
  const { data } = await manager.assets.list({ sort: 'external_key', limit: 200 });
  return data.map(({ external_key: key, name, is_active, tags }) => ({
    key,
    name,
    is_active,
    tags: tags.map(({ tag_type, value }) => `${tag_type}:${value}`),
  }));
}

const lost = (value: string) =>
  `A spreadsheet turned this into the number ${value}, and its digits are lost. Format the column as text and enter the value again`;

describe('numbers that a spreadsheet made of identifiers', () => {
  test('in an export that it has saved', async () => {
    const manager = await newManager();
    await importFile(manager, await given('before-spreadsheet.csv'));
    const before = await assetsOf(manager);
    const { state, findings } = await checked(manager, 'after-spreadsheet.csv');
    expect(findings).toEqual([
      `2 rfid_tags: ${lost('3.00833E+023')}`,
      `3 rfid_tags: ${lost('1.79769313486232E+308')}`,
      '3 barcode_tags: ? 12345678905 may have lost its leading zeros: 012345678905',
    ]);
    expect((await refusalOf(manager.imports.applyFile({ import_id: state.id, despite_warnings: true }))).type).toBe(
      'conflict',
    );
    expect(await assetsOf(manager)).toEqual(before);
  });

  test('in a list that it wrote', async () => {
    const { findings } = await checked(await newManager(), 'exponents-of-excel.csv');
    expect(findings).toEqual([`2 rfid_tags: ${lost('3.00833E+23')}`, `2 barcode_tags: ${lost('4.00638E+12')}`]);
  });

  test.each([
    ['key,name,rfid\nD-1,Drill,"3,00833E+023"', [`2 rfid_tags: ${lost('3,00833E+023')}`]],
    [
      'key,name,barcode\nD-1,Drill,4e+12\nD-2,Drill,4.00638e12',
      [`2 barcode_tags: ${lost('4e+12')}`, `3 barcode_tags: ${lost('4.00638e12')}`],
    ],
    [
      'key,name\n1.2E+11,Drill\n4E+12,Drill',
      [`2 external_key: ${lost('1.2E+11')}`, `3 external_key: ${lost('4E+12')}`],
    ],
    ['key,name,ble\nD-1,Drill,AC233FA03208|1.2E+10', [`2 ble_tags: ${lost('1.2E+10')}`]],
    ['key,name,rfid\nD-1,Drill,#NAME?', ['2 rfid_tags: #NAME? is an error of the spreadsheet']],
    [
      'key,name,barcode\nD-1,Drill,4006381333931.0',
      ['2 barcode_tags: ? The spreadsheet may have changed tag 4006381333931.0: it is a formatted number'],
    ],
    ...['4 006381 333931', '978-3-16-148410-0', "4'006'381'333'931"].map((value): [string, string[]] => [
      `key,name,barcode,rfid\nD-1,Drill,${value},04 12 34 56`,
      [`2 barcode_tags: ? The spreadsheet may have changed tag ${value}: it is a formatted number`],
    ]),
    [
      'key,name,rfid\nD-1,Drill,300833000000000000000000',
      ['2 rfid_tags: ? The spreadsheet may have rounded 300833000000000000000000 to 15 digits'],
    ],
    // As Excel shows dates in English, German, French, Italian and Turkish, for what was entered as 10-3 or 1.2.26.
    ...[
      '10-Mar',
      'Mar-26',
      '10. Mrz',
      '02.Jan',
      '02-janv',
      'févr-26',
      '02-gen',
      '02.Oca',
      '01.02.2026',
      '2026-02-01',
    ].map((value): [string, string[]] => [
      `key,name,barcode\nD-1,Drill,${value}`,
      [`2 barcode_tags: ? The spreadsheet may have turned something else into the date ${value}`],
    ]),
    [
      'key,name\n10-Mar,Drill\nMAR-10,Saw\nSET-12,Set\n2026-0311,Bit\n12-1-2026,Bolt',
      [
        '2 external_key: ? The spreadsheet may have turned something else into the date 10-Mar',
        '6 external_key: ? The spreadsheet may have turned something else into the date 12-1-2026',
      ],
    ],
    // What a failed formula leaves.
    [
      'key,name,description,rfid\nD-1,#NV,#N/A,#YOK\nD-2,Err:502,#1,#ÜBERLAUF!\nD-3,#12,# Drill,#DEĞER!',
      [
        '2 rfid_tags: #YOK is an error of the spreadsheet',
        '3 rfid_tags: #ÜBERLAUF! is an error of the spreadsheet',
        '4 rfid_tags: #DEĞER! is an error of the spreadsheet',
        '2 name: ? #NV is an error of the spreadsheet',
        '2 description: ? #N/A is an error of the spreadsheet',
        '3 name: ? Err:502 is an error of the spreadsheet',
      ],
    ],
    // What databases, programs and people write where a value is missing.
    [
      'key,name,description,rfid,Owner\nD-1,Drill,NULL,N/A,\\N\nD-2,nan,none,(null),N/A\nD-3,Nan,-,NULL-1,No\nnull,Null,n/a,,',
      [
        '2 description: ? Programs write NULL where a value is missing. Leave the cell empty',
        '2 rfid_tags: ? Programs write N/A where a value is missing. Leave the cell empty',
        '2 detail:Owner: ? Programs write \\N where a value is missing. Leave the cell empty',
        '3 name: ? Programs write nan where a value is missing. Leave the cell empty',
        '3 rfid_tags: ? Programs write (null) where a value is missing. Leave the cell empty',
        '5 external_key: ? Programs write null where a value is missing. Leave the cell empty',
      ],
    ],
    // UTF-8 that was opened in a code page, or lost its letters.
    [
      'key,name,kind,Farbe\nD-1,MÃ¼hle,SÃ¤ge,wei\uFFFD\nD-2,Donâ€™t,SÃO,Âµm\nD-3,Ñandú,Âge,Ängström',
      [
        '2 name: ? Letters of MÃ¼hle are damaged. Save the original list as “CSV UTF-8”',
        '2 kind: ? Letters of SÃ¤ge are damaged. Save the original list as “CSV UTF-8”',
        '2 detail:Farbe: ? Letters of wei\uFFFD are damaged. Save the original list as “CSV UTF-8”',
        '3 name: ? Letters of Donâ€™t are damaged. Save the original list as “CSV UTF-8”',
        '3 detail:Farbe: ? Letters of Âµm are damaged. Save the original list as “CSV UTF-8”',
        '2 kind: i Creates the kind SÃ¤ge',
        '3 kind: i Creates the kind SÃO',
        '4 kind: i Creates the kind Âge',
      ],
    ],
    [
      'key,name,Serial\nD-1,Drill,"4,00638E+12"\nD-2,Drill,4E5\nD-3,Drill,1E+12',
      [`2 detail:Serial: ? ${lost('4,00638E+12')}`, `4 detail:Serial: ? ${lost('1E+12')}`],
    ],
    [
      "key,name,barcode,rfid\nD-1,Drill,*1001*,'0012\nD-2,Drill,'4006381333931,*1001*",
      [
        '2 barcode_tags: ? Scanners leave out the asterisks of *1001*. Remove them',
        "2 rfid_tags: ? The spreadsheet may have changed tag '0012: it is a formatted number",
        "3 barcode_tags: ? The spreadsheet may have changed tag '4006381333931: it is a formatted number",
      ],
    ],
    // Hexadecimal, which looks similar.
    ['key,name,rfid\nD-1,Drill,3008E23\nD-2,Drill,E28011700000020A1B2C3D4E\nD-3,Drill,1E12', []],
  ])('%j', async (text, findings) => {
    expect((await checked(await newManager(), { text })).findings).toEqual(findings);
  });

  test('stay where they are stored', async () => {
    const manager = await newManager();
    await manager.assets.create({
      name: 'Drill',
      external_key: 'DRILL-1',
      tags: [{ tag_type: 'rfid', value: '3.00833E+23' }],
    });
    const { state, findings } = await checked(manager, 'exponents-of-excel.csv');
    expect(findings).toEqual([`2 barcode_tags: ${lost('4.00638E+12')}`]);
    expect(state.to_change).toBe(1);
  });
});

describe('several tags in a cell that other separators than | divide', () => {
  const [first, second] = ['E28011700000020A1B2C3D4E', 'E28011700000020A1B2C3D4F'];
  test.each([`${first}, ${second}`, `${first};${second};`, `${first}\n${second}`, `${first}  ${second}`])(
    '%j',
    async (cell) => {
      const { findings } = await checked(await newManager(), { text: `key,name,rfid\nD-1,Drill,"${cell}"\n` });
      expect(findings).toEqual([`2 rfid_tags: ? ${cell.trim()} may be several tags. Separate them with |`]);
    },
  );

  test.each(['E280 1170 0000 020A', 'AC:23:3F:A0:32:08', 'DOE, JOHN', 'Shelf 12, row 4', '4006381333931', 'A-1;A-2'])(
    '%j is one',
    async (cell) => {
      const { findings } = await checked(await newManager(), { text: `key,name,barcode\nD-1,Drill,"${cell}"\n` });
      expect(findings).toEqual([]);
    },
  );
});

describe('zeros that a spreadsheet has taken away', () => {
  test.each([
    // A UPC-A, an EAN-8 and an SSCC, by their check digits.
    [
      'key,name,barcode\nD-1,Drill,12345678905',
      ['2 barcode_tags: ? 12345678905 may have lost its leading zeros: 012345678905'],
    ],
    ['key,name,barcode\nD-1,Drill,1234565', ['2 barcode_tags: ? 1234565 may have lost its leading zeros: 01234565']],
    ['key,name,barcode\nD-1,Drill,12345678904\nD-2,Drill,4006381333931', []],
    // A column of numbers of one length, but for those with a zero in front.
    [
      'key,name,rfid\nD-1,a,100234\nD-2,b,90011\nD-3,c,481516\nD-4,d,234299',
      ['3 rfid_tags: ? 90011 may have lost its leading zeros: 090011'],
    ],
    [
      'key,name\n200117,a\n117,b\n317001,c\n200118,d',
      ['3 external_key: ? 117 may have lost its leading zeros: 000117'],
    ],
    [`key,name\n${Array.from({ length: 150 }, (_, n) => `${n + 1},x`).join('\n')}`, []],
    [`key,name\n${Array.from({ length: 40 }, (_, n) => `${n + 9990},x`).join('\n')}`, []],
  ])('%j', async (text, findings) => {
    expect((await checked(await newManager(), { text })).findings).toEqual(findings);
  });

  test('of what is stored, tags and keys', async () => {
    const manager = await newManager();
    await manager.assets.create({ name: 'Saw', external_key: '0017', tags: [{ tag_type: 'rfid', value: '00815' }] });
    await manager.assets.create({ name: 'Bit', external_key: '0018', tags: [{ tag_type: 'rfid', value: '00816' }] });
    const { state, findings } = await checked(manager, { text: 'key,name,rfid\n17,Saw,815\n0018,Bit,816\n' });
    expect(findings).toEqual([
      '2 external_key: ? 17 may have lost its leading zeros: 0017',
      '2 rfid_tags: ? 815 may have lost its leading zeros: 00815',
      '3 rfid_tags: ? 816 may have lost its leading zeros: 00816',
    ]);
    expect(await refusalOf(manager.imports.applyFile({ import_id: state.id }))).toMatchObject({ type: 'conflict' });
    await manager.imports.applyFile({ import_id: state.id, despite_warnings: true });
    await expect.poll(async () => (await manager.imports.get({ import_id: state.id })).status).toBe('applied');
  });
});

describe('columns that are not imported', () => {
  test('are named, with the rows in which an asset is elsewhere', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const hall = (await manager.locations.create({ name: 'Hall 1', external_key: 'HALL-1' })).data.id;
    await manager.locations.create({ name: 'Hall 2', external_key: 'HALL-2' });
    const { id } = (await manager.assets.create({ name: 'Forklift 7', external_key: 'FORKLIFT-7' })).data;
    await manager.assets.create({ name: 'Crate', external_key: 'CRATE' });
    await manager.scans.submit({
      submission_id: ulid(),
      location_id: hall,
      reads: [{ asset_id: id }],
    });
    const { state, ignored, findings } = await checked(manager, 'edited-location.csv');
    expect(ignored).toEqual(['location', 'location_external_key', 'last_seen_at']);
    expect(findings).toEqual([
      '2 location_external_key: ? Locations are not imported. The file says HALL-2, the asset is at HALL-1',
    ]);
    expect(state).toMatchObject({ unchanged: 1, warning_count: 1, problem_count: 0 });
    const named = await checked(manager, {
      text: 'Schlüssel;Name;Standort\nFORKLIFT-7;Forklift 7;Hall 2\nCRATE;Crate;Hall 2\nNEW;New;Hall 1\n',
    });
    // A list of another program says where its assets are.
    expect(named.ignored).toEqual([]);
    expect(named.findings).toEqual([
      '2 place_at_or_create: ? Places 1 asset at HALL-2, last seen elsewhere',
      '3 place_at_or_create: i Places 1 asset at HALL-2',
      '4 place_at_or_create: i Places 1 asset at HALL-1',
    ]);
    const same = await checked(manager, { text: 'Key,Name,Location\nFORKLIFT-7,Forklift 7,hall 1\nCRATE,Crate,\n' });
    expect(same.findings).toEqual([]);
  });
});

describe('a column that places assets', () => {
  test('takes keys, names and paths, and places those that are elsewhere as a scan does', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const hall = (await manager.locations.create({ name: 'Hall 1', external_key: 'HALL-1' })).data.id;
    const dock = (await manager.locations.create({ name: 'Dock', external_key: 'DOCK', parent_id: hall })).data.id;
    for (const key of ['A-1', 'A-2', 'A-3', 'A-4']) await manager.assets.create({ name: key, external_key: key });
    const ids = new Map(
      (await manager.assets.list({ sort: undefined, limit: 200 })).data.map((row) => [row.external_key, row.id]),
    );
    await manager.scans.submit({
      submission_id: ulid(),
      location_id: dock,
      reads: [{ asset_id: ids.get('A-1') ?? 0 }],
    });
    const text = 'Key,Name,place_at\nA-1,A-1,dock\nA-2,A-2,Hall 1 › Dock\nA-3,A-3,HALL-1\nA-4,A-4,\nA-5,A-5,DOCK\n';
    const { state, findings } = await checked(manager, { text });
    expect(findings).toEqual(['3 place_at: i Places 2 assets at DOCK', '4 place_at: i Places 1 asset at HALL-1']);
    expect(state).toMatchObject({ to_create: 1, to_change: 2, unchanged: 2 });
    await manager.imports.applyFile({ import_id: state.id, despite_warnings: true });
    await expect.poll(async () => (await manager.imports.get({ import_id: state.id })).status).toBe('applied');
    const positions = new Map((await org.positions()).map((row) => [row.asset_id, row.location_id]));
    const created = (await manager.assets.list({ sort: undefined, external_key: ['A-5'] })).data[0]?.id ?? 0;
    expect([
      ...['A-1', 'A-2', 'A-3', 'A-4'].map((key) => positions.get(ids.get(key) ?? 0)),
      positions.get(created),
    ]).toEqual([dock, dock, hall, undefined, dock]);
    // The asset that was there already has no further event.
    expect(await org.events(ids.get('A-1'))).toHaveLength(1);
    expect((await checked(manager, { text })).findings).toEqual([]);
  });

  test('takes names in any case and with separate accents, and paths with >', async () => {
    const manager = await newManager();
    const above = (await manager.locations.create({ name: 'Süd', external_key: 'S' })).data.id;
    await manager.locations.create({ name: 'Öl-Lager', external_key: 'OIL', parent_id: above });
    const places = ['ÖL-LAGER', 'Öl-Lager'.normalize('NFD'), 'süd > öl-lager', 'SÜD>Öl-Lager', 'süd › ÖL-LAGER'];
    const text = `Name,place_at_or_create\n${places.map((place, row) => `Can ${row},${place}`).join('\n')}\nX,ÄST\nY,äst\n`;
    expect((await checked(manager, { text })).findings).toEqual([
      '2 place_at_or_create: i Places 5 assets at OIL',
      '7 place_at_or_create: i Creates the location ÄST',
    ]);
  });

  test('takes paths with / and their ends, and creates the locations of a path that there are none of', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const site = (await manager.locations.create({ name: 'Site', external_key: 'SITE' })).data.id;
    const hall = (await manager.locations.create({ name: 'Hall 1', external_key: 'HALL', parent_id: site })).data.id;
    await manager.locations.create({ name: 'Dock', external_key: 'DOCK', parent_id: hall });
    const places = [
      'Site / Hall 1 / Dock',
      'hall 1 / dock',
      'Hall 1 / Rack 2',
      'Garage / Shelf 2',
      'garage > shelf 3',
      'A/B',
    ];
    const text = `Name,place_at_or_create\n${places.map((place, row) => `Can ${row},${place}`).join('\n')}\n`;
    const { state, findings } = await checked(manager, { text });
    expect(findings).toEqual([
      '2 place_at_or_create: i Places 2 assets at DOCK',
      '4 place_at_or_create: i Creates the location Hall 1 / Rack 2',
      '5 place_at_or_create: i Creates the location Garage / Shelf 2',
      '6 place_at_or_create: i Creates the location garage > shelf 3',
      '7 place_at_or_create: i Creates the location A/B',
    ]);
    // Nothing of this has to be confirmed.
    expect(state).toMatchObject({ warning_count: 0, notice_count: 5 });
    expect(await applyChecked(manager, state)).toMatchObject({ status: 'applied' });
    const { data } = await manager.locations.list({ sort: undefined, limit: 200 });
    const nameOf = new Map(data.map(({ external_key: key, name }) => [key, name]));
    const paths = data.map((row) => [row.name, nameOf.get(row.parent_external_key ?? '') ?? null]);
    expect(paths).toHaveLength(8);
    expect(paths).toEqual(
      expect.arrayContaining([
        ['Rack 2', 'Hall 1'],
        ['Garage', null],
        ['Shelf 2', 'Garage'],
        ['shelf 3', 'Garage'],
        ['A/B', null],
      ]),
    );
  });

  test('warns of assets that were seen elsewhere', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const ward = await org.location({ name: 'Ward', externalKey: 'WARD' });
    await org.location({ name: 'Store', externalKey: 'STORE' });
    const seen = await org.asset({ name: 'Pump', externalKey: 'PUMP' });
    const placed = await org.asset({ name: 'Bed', externalKey: 'BED' });
    const reads = (id: number) => ({ submission_id: ulid(), location_id: ward, reads: [{ asset_id: id }] });
    await manager.scans.submit(reads(seen));
    await manager.scans.submit({ ...reads(placed), is_by_hand: true });
    const { findings } = await checked(manager, { text: 'Key,Name,Location\nPUMP,Pump,Store\nBED,Bed,Store\n' });
    expect(findings).toEqual([
      '2 place_at_or_create: ? Places 1 asset at STORE, last seen elsewhere',
      '3 place_at_or_create: i Places 1 asset at STORE',
    ]);
  });

  test('rejects unknown locations and ambiguous names; locations can be created', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.locations.create({ name: 'Room 1', external_key: 'R1' });
    await manager.locations.create({ name: 'Room 1', external_key: 'R2' });
    const rows = (column: string) => `Key,Name,${column}\nB-1,Bed,Room 1\nB-2,Bed,Ward 3\nB-3,Bed,ward 3\n`;
    expect((await checked(manager, { text: rows('place_at') })).findings).toEqual([
      '2 place_at: 2 locations have the name Room 1. Write the key of one',
      '3 place_at: There is no location Ward 3',
      '4 place_at: There is no location ward 3',
    ]);
    const text = rows('place_at_or_create').replace('Room 1', 'R1');
    const { state, findings } = await checked(manager, { text });
    expect(findings).toEqual([
      '2 place_at_or_create: i Places 1 asset at R1',
      '3 place_at_or_create: i Creates the location Ward 3',
    ]);
    await manager.imports.applyFile({ import_id: state.id, despite_warnings: true });
    await expect.poll(async () => (await manager.imports.get({ import_id: state.id })).status).toBe('applied');
    const { data } = await manager.locations.list({ sort: 'external_key' });
    expect(data.map(({ external_key: key, name }) => [key, name])).toEqual([
      ['LOC-0001', 'Ward 3'],
      ['R1', 'Room 1'],
      ['R2', 'Room 1'],
    ]);
    expect((await org.positions()).map(({ location_id }) => data.find(({ id }) => id === location_id)?.name)).toEqual([
      'Room 1',
      'Ward 3',
      'Ward 3',
    ]);
  });
});

test('a file creates at most 1,000 locations to place assets', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `Bed ${i},Room ${i}`).join('\n');
  const manager = await newManager();
  const { findings } = await checked(manager, { text: `Name,place_at_or_create\n${rows(1001)}\n` });
  expect(findings.filter((finding) => !finding.includes(': i '))).toHaveLength(1);
  expect((await checked(manager, { text: `Name,place_at_or_create\n${rows(1000)}\n` })).state.problem_count).toBe(0);
});

describe('tags of one article or chip in two spellings', () => {
  test('are named, and a person decides', async () => {
    const manager = await newManager();
    await manager.assets.create({
      name: 'Glue',
      external_key: 'GLUE',
      tags: [{ tag_type: 'barcode', value: '697929110035' }],
    });
    await manager.locations.create({
      name: 'Shelf',
      external_key: 'SHELF',
      tags: [{ tag_type: 'ble', value: 'AC:23:3F:A0:32:08' }],
    });
    const file = {
      text:
        'key,name,barcode,ble,rfid\nG-2,Glue 2,0697929110035,ac233fa03208,\n' +
        'G-3,Glue 3,4006381333931,,E2 80 11 90\nG-4,Glue 4,04006381333931,,E2801190|0xE2801190\n',
    };
    const { state, findings } = await checked(manager, file);
    expect(findings).toEqual([
      '2 barcode_tags: ? Tag 0697929110035 is the same as 697929110035, which is attached to GLUE',
      '2 ble_tags: ? Tag ac233fa03208 is the same as AC:23:3F:A0:32:08, which is attached to SHELF',
      '4 barcode_tags: ? Tag 04006381333931 is the same as 4006381333931 in line 3',
      '4 rfid_tags: ? Tag E2801190 is the same as E2 80 11 90 in line 3',
      '4 rfid_tags: ? Tag 0xE2801190 is the same as E2 80 11 90 in line 3',
    ]);
    await manager.imports.applyFile({ import_id: state.id, despite_warnings: true });
    await expect.poll(async () => (await manager.imports.get({ import_id: state.id })).status).toBe('applied');
    // A row that spells its own tag in another way, and what is stored already, are no doubles of themselves.
    const own = await checked(manager, { text: 'key,name,barcode\nGLUE,Glue,0697929110035\nG-2,Glue 2,\n' });
    expect(own.findings).toEqual([]);
    expect((await checked(manager, file)).findings).toEqual([]);
  });
});

test.each(['assets', 'locations'] as const)('keys of %s that differ in case alone are named', async (kind) => {
  const manager = await newManager();
  await importFile(manager, await given({ text: 'key,name\nPUMP-1,Pump\nPUMP-2,Pump\n' }, kind));
  const { findings } = await checked(
    manager,
    { text: 'key,name\npump-1,Pump\nPUMP-2,Pump\nPump-3,Pump\npuMP-3,Pump\n' },
    kind,
  );
  expect(findings).toEqual([
    '2 external_key: ? pump-1 and PUMP-1 differ only in upper and lower case',
    '5 external_key: ? puMP-3 and Pump-3 differ only in upper and lower case',
  ]);
});

describe('invisible characters', () => {
  test('are removed at the ends of names and tags', async () => {
    const manager = await newManager();
    await importFile(manager, await given('invisible-characters.csv'));
    expect(await assetsOf(manager)).toEqual([
      { key: 'P-1', name: 'Pump', is_active: true, tags: ['rfid:E2801190A503006543E21224'] },
    ]);
  });

  test.each([
    ['\uFEFFkey;name\u200B;rfid tag\n\u00A0P-2\u2060;"\u202BPump\u202C";"\u00ADE1\u200D|\u200FE2\u00A0"\n'],
    ['key,name,rfid\nP-2,Pump\u00A0,\u2066E1\u2069|E2\uFEFF\n'],
  ])('also those of %j', async (text) => {
    const manager = await newManager();
    await importFile(manager, await given({ text }));
    expect(await assetsOf(manager)).toEqual([
      { key: 'P-2', name: 'Pump', is_active: true, tags: ['rfid:E1', 'rfid:E2'] },
    ]);
  });

  test('inside keys and tags are named', async () => {
    const { findings } = await checked(await newManager(), {
      text: 'key,name,rfid,ble\nP\u200B1,Pump,E28\u200E01,\nP-2,Pump,,AC:23\u00A03F\nP-3,"\u200B"," ",\n',
    });
    expect(findings).toEqual([
      '2 external_key: Contains an invisible character (U+200B). Type it again',
      '2 rfid_tags: Tag E28\u200E01 contains an invisible character (U+200E). Type it again',
      '3 ble_tags: Tag AC:23\u00A03F contains an invisible character (U+00A0). Type it again',
      '4 name: Enter a name',
    ]);
  });
});

describe('what is read', () => {
  test.each([
    ['short-rows.csv', 20, { key: 'T-16', name: 'Tool 16', is_active: true, tags: ['rfid:E20016'] }],
    ['sep-line.csv', 1, { key: 'T-1', name: 'Bohrmaschine', is_active: true, tags: ['rfid:E20001'] }],
    ['one-column.csv', 1, { key: 'T-1', name: 'Bohrmaschine', is_active: true, tags: ['rfid:E20001'] }],
    ['german-booleans.csv', 2, { key: 'T-2', name: 'Säge', is_active: false, tags: [] }],
    [
      'words-of-the-app.csv',
      1,
      { key: 'SAW-1', name: 'Saw', is_active: true, tags: ['rfid:E2801190A503006543E21224'] },
    ],
  ])('%s', async (file, count, asset) => {
    const manager = await newManager();
    const { state } = await checked(manager, file);
    await manager.imports.applyFile({ import_id: state.id, despite_warnings: true });
    await expect.poll(async () => (await manager.imports.get({ import_id: state.id })).status).toBe('applied');
    const assets = await assetsOf(manager);
    expect(assets).toHaveLength(count);
    expect(assets).toContainEqual(asset);
  });

  test.each(['WAHR', 'vrai', 'Ja', 'YES', 'Verdadero', 'x', '1', 'Aktiv', 'DOĞRU', 'Evet', 't', 'ИСТИНА', '✓'])(
    '%s is true',
    async (word) => {
      const manager = await newManager();
      await importFile(manager, await given({ text: `Name;Status\nBohrer;${word}\n` }));
      expect(await assetsOf(manager)).toMatchObject([{ is_active: true }]);
    },
  );

  test.each(['FALSCH', 'Faux', 'nein', 'NO', 'falso', '0', 'Inactive', 'YANLIŞ', 'Hayır', 'HAYIR', 'f', 'ЛОЖЬ'])(
    '%s is false',
    async (word) => {
      const manager = await newManager();
      await importFile(manager, await given({ text: `Name,Aktiv\nBohrer,${word}\n` }));
      expect(await assetsOf(manager)).toMatchObject([{ is_active: false }]);
    },
  );
});

it('asks before rows without a key are imported for a second time', async () => {
  const manager = await newManager();
  const file = { text: 'Name,Beschreibung\nPallet,blue\nCrate,\n' };
  const first = await checked(manager, file);
  expect(first.findings).toEqual([]);
  await applyChecked(manager, first.state);
  const second = await checked(manager, file);
  expect(second.findings).toEqual([
    '2 : ? The same as ASSET-0001, which exists already. Applying creates a second one',
    '3 : ? The same as ASSET-0002, which exists already. Applying creates a second one',
  ]);
  expect((await checked(manager, { text: 'Name,Description\nPallet,red\n' })).findings).toEqual([]);
  const details = { text: 'Name,Custom details,Valid until\nPallet,"{""a"": 1}",\n' };
  expect((await checked(manager, details)).findings).toEqual([]);
  const places = { text: 'Key,Name,In\nHALL,Hall,\n,Room,HALL\n' };
  await applyChecked(manager, (await checked(manager, places, 'locations')).state);
  const again = await checked(manager, { text: 'Name,In\nRoom,HALL\nRoom,\n' }, 'locations');
  expect(again.findings).toEqual(['2 : ? The same as LOC-0001, which exists already. Applying creates a second one']);
});

test('every column of an export is imported or named', async () => {
  for (const kind of ['assets', 'locations'] as const) {
    const { columns, ignored } = await given(
      { text: `${csvLine(exportHeader(kind))}${'x,'.repeat(columnNames(kind).length)}\n` },
      kind,
    );
    expect(columns).toEqual(expect.arrayContaining(columnNames(kind)));
    expect(ignored).toEqual([...readOnlyColumns[kind]]);
  }
});

describe('an export changes nothing when it is imported', () => {
  const invisible = fc.constantFrom('\u200B', '\u200E', '\uFEFF', '\u00A0', '\u00AD', '\u202E', '\u2060');
  const special = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    "'",
    '"',
    ';',
    ',',
    '|',
    '\\',
    '\t',
    '\r',
    '\n',
    '\r\n',
    ' ',
    'a',
    'ä',
    '7',
    '0',
    '.',
    'E+2',
    '👩‍👩‍👧',
    'sep=;',
  );
  const damaged = fc.constantFrom(
    '3.00833E+023',
    '12345678905',
    '#NAME?',
    '4006381333931.0',
    '4-Mar',
    'WAHR',
    '1E12',
    'NULL',
    'Ã¼',
    '*1*',
  );
  const text = fc.oneof(
    fc.array(fc.oneof(special, invisible), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    damaged,
  );
  const storable = text.filter((value) => !/[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]/.test(value) && value.isWellFormed());
  const name = storable.map((value) => value.replaceAll(/[\t\r\n]/g, '').trim()).filter((value) => value !== '');
  const thing = fc.record({
    name,
    description: fc.option(storable),
    is_active: fc.boolean(),
    tags: fc.uniqueArray(fc.record({ tag_type: fc.constantFrom('rfid', 'ble', 'barcode'), value: storable }), {
      maxLength: 3,
      selector: ({ tag_type: type, value }) => `${type} ${value}`,
    }),
  });
  const details = fc.dictionary(storable, fc.oneof(storable, fc.integer(), fc.boolean(), fc.constant(null)), {
    maxKeys: 3,
  });

  test.each(['assets', 'locations'] as const)('of %s', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(thing, details), { minLength: 1, maxLength: 20 }), async (things) => {
        const manager = await newManager();
        let last: number | undefined;
        const taken = new Set<string>();
        for (const [index, [{ tags, ...fields }, metadata]] of things.entries()) {
          // A tag belongs to one thing.
          const own = tags.filter(({ tag_type: type, value }) => taken.size < taken.add(`${type} ${value}`).size);
          if (kind === 'assets') await manager.assets.create({ ...fields, metadata, tags: own });
          else
            last = (
              await manager.locations.create({
                ...fields,
                ...(last && index % 3 !== 0 && { parent_id: last }),
                tags: own,
              })
            ).data.id;
        }
        if (kind === 'assets') {
          const location = (await manager.locations.create({ name: things[0]?.[0].name ?? 'Hall' })).data.id;
          const { data } = await manager.assets.list({ sort: 'external_key', limit: 2 });
          await manager.scans.submit({
            submission_id: ulid(),
            location_id: location,
            reads: data.map(({ id }) => ({ asset_id: id })),
          });
        }
        const { data } =
          kind === 'assets' ? await manager.assets.exportPage({}) : await manager.locations.exportPage({});
        const lines = data.map((row) => exportLine(kind, row));
        const { state, findings } = await checked(
          manager,
          { text: [byteOrderMark, csvLine(exportHeader(kind)), ...lines].join('') },
          kind,
        );
        expect(findings).toEqual([]);
        expect(state).toMatchObject({ to_create: 0, to_change: 0, unchanged: things.length });
        const workbook = await writeWorkbook(kind, [exportHeader(kind), ...data.map((row) => exportRow(kind, row))]);
        const { records } = await readWorkbook(new Uint8Array(await workbook.arrayBuffer()));
        const { columns, rows, problems } = await readTable({ delimiter: null, records }, kind);
        expect(problems).toEqual([]);
        const again = await checkFile(manager, { kind, columns, rows: rows.map(({ cells }) => cells) });
        expect(await findingsOf(manager, again)).toEqual([]);
        expect(again).toMatchObject({ to_create: 0, to_change: 0, unchanged: things.length });
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});

test('locations name their parents, in the file and among what is stored, and a name of several is a problem', async () => {
  const manager = await newManager();
  const { state, findings } = await checked(manager, 'parent-by-name.csv', 'locations');
  expect(findings).toEqual([]);
  expect(await applyChecked(manager, state)).toMatchObject({ status: 'applied' });
  const treeOf = async () => {
    const { data } = await manager.locations.list({ sort: undefined, limit: 200 });
    const names = new Map(data.map(({ external_key: key, name }) => [key, name]));
    return new Map(data.map((row) => [row.name, names.get(row.parent_external_key ?? '') ?? null]));
  };
  expect(await treeOf()).toEqual(
    new Map([
      ['Hall Nord', null],
      ['Room Nord', 'Hall Nord'],
      ['Shelf A', 'Room Nord'],
    ]),
  );
  const more =
    'name,parent\nBox 1,hall nord / Room Nord / shelf a\nBox 2,Box 1\nBox 3,Room Nord › Shelf A\nBox 4,NOWHERE\n';
  const second = await checked(manager, { text: more }, 'locations');
  expect(second.findings).toEqual(['5 parent_external_key: There is no location NOWHERE']);
  const third = await checked(manager, { text: more.replace('NOWHERE', 'Box 3') }, 'locations');
  await applyChecked(manager, third.state);
  const tree = await treeOf();
  expect(['Box 1', 'Box 2', 'Box 3', 'Box 4'].map((name) => tree.get(name))).toEqual([
    'Shelf A',
    'Box 1',
    'Shelf A',
    'Box 3',
  ]);
  await manager.locations.create({ name: 'Shelf A' });
  expect((await checked(manager, { text: 'name,parent\nBox 5,Shelf A\n' }, 'locations')).findings).toEqual([
    '2 parent_external_key: 2 locations have the name Shelf A. Write the key of one',
  ]);
  const circle = await checked(manager, { text: 'name,parent\nNew A,New B\nNew B,New A\n' }, 'locations');
  expect(circle.findings).toEqual([
    '2 parent_external_key: A location can’t be in itself or in its own sublocation',
    '3 parent_external_key: A location can’t be in itself or in its own sublocation',
  ]);
});

test('a location whose parent is named is unchanged if it is there', async () => {
  const manager = await newManager();
  await manager.locations.create({ name: 'Hall', external_key: 'HALL' });
  await manager.locations.create({ name: 'Dock', external_key: 'DOCK', parent_external_key: 'HALL' });
  const { state } = await checked(manager, { text: 'Key,name,parent\nDOCK,Dock,hall\n' }, 'locations');
  expect(state).toMatchObject({ to_change: 0, unchanged: 1, problem_count: 0 });
  const renamed = await checked(manager, { text: 'Key,name,parent\nDOCK,Dock 1,hall\n' }, 'locations');
  const { data } = await manager.imports.changes({ import_id: renamed.state.id });
  expect(data[0]?.fields.map(({ column }) => column)).toEqual(['name']);
});

test('a problem has the name and the value of its row', async () => {
  const manager = await newManager();
  const { state } = await checked(manager, { text: 'Key,Name,Active\nA-1,Pump,vielleicht\n' });
  const { data } = await manager.imports.problems({ import_id: state.id });
  expect(data).toMatchObject([{ column: 'is_active', name: 'Pump', value: 'vielleicht', is_notice: false }]);
});
