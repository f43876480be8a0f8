import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../../web/csv/read-file.js';
import { readWorkbook, WorkbookError, writeWorkbook } from '../../../web/csv/workbook.js';

type Cells = Parameters<typeof writeXlsx>[0]['sheets'];

async function tableOf(sheets: Cells) {
  const { records, others } = await readWorkbook(await writeXlsx({ sheets }));
  return { ...(await readTable({ delimiter: null, records }, 'assets')), others };
}

describe('workbooks', () => {
  it('are read as people fill them: texts, numbers with their zeros, yes and no, dates and gaps', async () => {
    const { columns, rows, problems, ignored } = await tableOf([
      { name: 'Hidden', hidden: true, rows: [['nothing']] },
      { name: 'Empty', rows: [] },
      {
        name: 'Geräte',
        rows: [
          ['Schlüssel', 'Name', 'Aktiv', 'Gültig ab', 'Barcode', 'Farbe'],
          ['T-1', 'Säge', true, new Date('2026-03-04T00:00:00Z'), '0012', 'rot'],
          [],
          [4711, 'Bohrer', false, new Date('2026-03-04T15:30:00Z'), 4006381333931, null],
          ['T-3', 'Hammer', null, null, 12345],
        ],
        cells: new Map([['4,4', { value: 12345, style: { numFmt: '00000000' } }]]),
      },
    ]);
    expect(problems).toEqual([]);
    expect(ignored).toEqual([]);
    expect(columns).toEqual(['external_key', 'name', 'is_active', 'valid_from', 'barcode_tags', 'detail:Farbe']);
    expect(rows).toEqual([
      { line: 2, cells: ['T-1', 'Säge', 'true', '2026-03-04', '0012', 'rot'] },
      { line: 4, cells: ['4711', 'Bohrer', 'false', '2026-03-04 15:30:00', '4006381333931', ''] },
      { line: 5, cells: ['T-3', 'Hammer', '', '', '00012345', ''] },
    ]);
  });

  it.each([
    ['00000;@', '00815'],
    ['000000_);\\(000000\\)', '000815'],
    ['"A-"0000', 'A-0815'],
    ['"Nr. "00\\-000', 'Nr. 00-815'],
    ['0 "kg"', '815 kg'],
    ['00-0', '81-5'],
    ...['0', 'General', '@', '#,##0', '0.00', '0;[Red]-0', '[>=9]0000;0', '0%', '00/00'].map((format) => [
      format,
      '815',
    ]),
  ])('have a number with the format %s as %s', async (numFmt, shown) => {
    const rows = [['name'], [815]];
    const { rows: read } = await tableOf([
      { name: 'S', rows, cells: new Map([['1,0', { value: 815, style: { numFmt } }]]) },
    ]);
    expect(read[0]?.cells).toEqual([shown]);
  });

  it('are refused with the reason if a cell is far away from the table', async () => {
    const sheet = [['name'], ['a'], ...Array.from({ length: 1400 }, () => []), [...Array<null>(16_000), 'x']];
    await expect(tableOf([{ name: 'S', rows: sheet }])).rejects.toThrow('far outside of its table');
  });

  it('keep the exponent of a number that has lost its digits, for the check to refuse', async () => {
    const { rows } = await tableOf([
      {
        name: 'S',
        rows: [
          ['name', 'rfid'],
          ['a', 3.00833e23],
        ],
      },
    ]);
    expect(rows[0]?.cells).toEqual(['a', '3.00833e+23']);
  });

  it.each([
    // Programs that are no spreadsheets write all digits of a number, of which a spreadsheet and this reader keep 15 to 17.
    [Number('340123450000000018'), 'General', '3.4012345e+17'],
    [Number('34012345000000018'), '0', '3.4012345000000016e+16'],
    [4_006_381_333_931, 'General', '4006381333931'],
    [0.604_166_666_666_666_6, 'h:mm', '14:30:00'],
    [1.5, '[h]:mm', '36:00:00'],
    // A formula that refers to an empty cell.
    [0, 'dd.mm.yyyy', '00:00:00'],
  ])('have %d with the format %s as %s', async (value, numFmt, shown) => {
    const cells = new Map([['1,1', { value, style: { numFmt } }]]);
    const { rows } = await tableOf([
      {
        name: 'S',
        rows: [
          ['name', 'description'],
          ['a', value],
        ],
        cells,
      },
    ]);
    expect(rows[0]?.cells[1]).toBe(shown);
  });

  it('have what is merged in each of its rows, except in headers', async () => {
    const { rows } = await tableOf([
      {
        name: 'S',
        rows: [['name', 'kind'], ['a', 'Pump'], ['b', null], [], ['c', 'Bed']],
        merges: [
          { startRow: 0, startCol: 0, endRow: 4, endCol: 0 },
          { startRow: 1, startCol: 1, endRow: 3, endCol: 1 },
        ],
      },
    ]);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'Pump'],
      ['b', 'Pump'],
      ['c', 'Bed'],
    ]);
  });

  it('name the visible sheets that are not read', async () => {
    const rows = [['name'], ['a']];
    const { others } = await tableOf([
      { name: 'Empty', rows: [] },
      { name: 'Hall 1', rows },
      { name: 'Hidden', rows, hidden: true },
      { name: 'Hall 2', rows },
    ]);
    expect(others).toEqual(['Hall 2']);
  });

  it('are refused if their formulas were never calculated', async () => {
    const sheet = (value: string | null) => [
      {
        name: 'S',
        rows: [
          ['key', 'name'],
          [null, 'a'],
        ],
        cells: new Map([['1,0', { value, formula: '"A-"&ROW()', formulaResult: value }]]),
      },
    ];
    await expect(tableOf(sheet(null))).rejects.toThrow('have no results');
    expect((await tableOf(sheet('A-2'))).rows[0]?.cells).toEqual(['A-2', 'a']);
  });

  it('have no dates in place of keys and tags', async () => {
    const { problems } = await tableOf([
      {
        name: 'S',
        rows: [
          ['key', 'name'],
          [new Date('2026-03-04T00:00:00Z'), 'a'],
        ],
      },
    ]);
    expect(problems).toEqual([{ line: 2, message: expect.stringContaining('turned “key” into the date 2026-03-04') }]);
  });

  it('are written with all texts as texts', async () => {
    const rows = [
      ['key', 'name'],
      ['00123', '=1+1'],
      ['3-4', ' a\r\nb _x000D_ \u200B'],
      ['1E5', "'=x"],
    ];
    const workbook = await writeWorkbook('assets', rows);
    const { records } = await readWorkbook(new Uint8Array(await workbook.arrayBuffer()));
    expect(records.map(({ cells }) => cells)).toEqual(rows);
    await expect(writeWorkbook('assets', [['x'.repeat(32_768)]])).rejects.toThrow(WorkbookError);
  });

  it('are refused if they are something else, broken, or would unpack to very much', async () => {
    const good = await writeXlsx({ sheets: [{ name: 'S', rows: [['name'], ['a']] }] });
    await expect(readWorkbook(good.subarray(0, 500))).rejects.toThrow(WorkbookError);
    await expect(readWorkbook(new TextEncoder().encode('PK\u0003\u0004'))).rejects.toThrow(WorkbookError);
    const bomb = good.slice();
    const view = new DataView(bomb.buffer);
    const directory = view.getUint32(bomb.length - 22 + 16, true);
    view.setUint32(directory + 24, 300 * 1024 * 1024, true);
    await expect(readWorkbook(bomb)).rejects.toThrow('too large');
  });
});
