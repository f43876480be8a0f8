import { describe, expect, it } from 'vitest';
import { splitTagCell } from '../../../server/imports/tag-cell.js';
import { csvLine, joinTagCell, shieldCell, unshieldCell } from '../../../web/csv/cells.js';
import { chunksOf } from '../../../web/csv/chunks.js';
import { decodeFile } from '../../../web/csv/decode.js';
import { readFile } from '../../../web/csv/read-file.js';
import { CsvError, detectDelimiter, readRecords } from '../../../web/csv/records.js';

const hostile = [
  '',
  '=1+1',
  "'=1+1",
  "''=1",
  "'tis",
  "'",
  '+49',
  '-5',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '＝1',
  'a"b',
  '"',
  '""',
  'a,b;c\td',
  'two\nlines\r\nand\rthree',
  ' blanks ',
  '\u202eabc',
  '👩‍👩‍👧‍👦'.repeat(60),
  '<img src=x onerror=alert(1)>',
  '|',
  '\\',
  'a|b\\|c\\\\',
  'x;=1+1',
  'x\t=1+1',
  'x;=HYPERLINK("http://a.example";"b");y',
  'x;"=1+1',
  "x;'=1+1",
  'x\n=1+1',
  'x\r\n-2+3\r\n- item',
  ';\t=1',
  '=1;=2\t＋3',
  "'=1;'=2",
];

const recordsOf = (text: string) => Array.from(readRecords(text, ','), ({ line, cells }) => ({ line, cells }));

describe('cells', () => {
  it.each(hostile)('%j comes back unchanged and runs nowhere', (text) => {
    const cell = shieldCell(text);
    expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/u);
    expect(unshieldCell(cell)).toBe(text);
    // The same file as spreadsheets see it that expect another separator, and so no quotes inside a line.
    const pieces = csvLine(['x', cell, 'y']).split(/[;\t\r\n]/);
    for (const piece of pieces) expect(piece).not.toMatch(/^"*[=+\-@＝＋－＠]/u);
    const [record] = readRecords(csvLine([cell, 'x', cell]), ',');
    expect(record?.cells).toEqual([cell, 'x', cell]);
  });

  it('hold tags that have the separator in them', () => {
    const values = hostile.filter((value) => value !== '');
    expect(splitTagCell(joinTagCell(values))).toEqual(values);
    expect(splitTagCell('')).toEqual([]);
    expect(splitTagCell('a|')).toEqual(['a', '']);
    expect(splitTagCell(String.raw`C:\dir`)).toEqual([String.raw`C:\dir`]);
  });
});

describe('records', () => {
  it('begin on the lines that an editor shows, with any quotes and line endings', () => {
    const text = 'a,b\r\n"x\r\ny",1\r\n\r\nb,2\nc,"q""q\n\n"\rlast,"3"';
    expect(recordsOf(text)).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x\r\ny', '1'] },
      { line: 4, cells: [''] },
      { line: 5, cells: ['b', '2'] },
      { line: 6, cells: ['c', 'q"q\n\n'] },
      { line: 9, cells: ['last', '3'] },
    ]);
    expect(recordsOf('a,b,')).toEqual([{ line: 1, cells: ['a', 'b', ''] }]);
    expect(recordsOf('a\n')).toEqual([{ line: 1, cells: ['a'] }]);
  });

  it.each([
    ['a\n1\nx"y', 3],
    ['a\n"x"y\n', 2],
    ['a\n1,"2\n3', 2],
    ['"a\nb" c', 2],
  ])('of %j are rejected on line %i', (text, line) => {
    let thrown: unknown;
    try {
      for (const record of readRecords(text, ',')) expect(record.cells.length).toBeGreaterThan(0);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CsvError);
    expect((thrown as CsvError).line).toBe(line);
  });

  it('are recognized by the most frequent separator of the first line', () => {
    expect(detectDelimiter('a;b;c\n1,2,3,4,5')).toBe(';');
    expect(detectDelimiter('"a;b;c",d')).toBe(',');
    expect(detectDelimiter('a\tb')).toBe('\t');
    expect(detectDelimiter('name')).toBe(',');
  });
});

describe('files', () => {
  it('are UTF-8, with or without a byte order mark, and other encodings are named', () => {
    const encode = (text: string) => new TextEncoder().encode(text);
    expect(decodeFile(encode('\uFEFFname\nZoë'))).toEqual({ text: 'name\nZoë' });
    expect(decodeFile(encode('name'))).toEqual({ text: 'name' });
    const latin = Buffer.from('name\nfine\nZo\u00eb\n', 'latin1');
    expect(decodeFile(latin)).toMatchObject({ problem: expect.stringContaining('Latin-1'), line: 3 });
    expect(decodeFile(Buffer.from('\uFEFFname', 'utf16le'))).toMatchObject({
      problem: expect.stringContaining('UTF-16'),
    });
    expect(decodeFile(encode('PK\u0003\u0004'))).toMatchObject({ problem: expect.stringContaining('spreadsheet') });
    expect(decodeFile(encode('a\0b'))).toMatchObject({ problem: 'This is not a text file.' });
  });

  it('lose the blanks around cells and tags, except in quotes', async () => {
    const text = 'name , rfid_tags,description\n Forklift ,\tE1 | E2 ,"  two lines  "\nCrate," E3 "," | "\n';
    const { rows } = await readFile(text, 'assets');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Forklift', 'E1|E2', '  two lines  '],
      ['Crate', ' E3 ', ' | '],
    ]);
    const tags = joinTagCell([' a ', 'b']);
    const [record] = readRecords(csvLine([tags]), ',');
    expect(record?.cells).toEqual([tags]);
    expect(record?.quoted.has(0)).toBe(true);
  });

  it('have their columns found by header, in any order and case', async () => {
    const read = await readFile('Color;Name ;External-Key;RFID tags\nred;"\'=x";A-1;E1|E2\n;;;\nblue;y;;\n', 'assets');
    expect(read).toEqual({
      delimiter: ';',
      columns: ['name', 'external_key', 'rfid_tags'],
      ignored: ['Color'],
      rows: [
        { line: 2, cells: ['=x', 'A-1', 'E1|E2'] },
        { line: 4, cells: ['y', '', ''] },
      ],
      problems: [],
      problemCount: 0,
    });
  });

  it.each([
    ['external_key\nA', 1, /column name is missing/],
    ['name,NAME\nA,B', 1, /name appears twice/],
    ['name,external_key\nA\nB,C,D', 2, /has 1 cells where the header has 2/],
    ['name\n', 1, /no rows/],
    ['', 1, /no rows/],
    ['name\n"x', 2, /never closed/],
  ])('%j are rejected on line %i', async (text, line, words) => {
    const read = await readFile(text, 'assets');
    expect(read.problems[0]?.line).toBe(line);
    expect(read.problems[0]?.message).toMatch(words);
  });

  it('of 100,000 rows are read, and one more is rejected', async () => {
    const lines = Array.from({ length: 100_001 }, (_, n) => `K-${n},"Name, ${n}"`);
    const read = await readFile(`external_key,name\n${lines.join('\n')}`, 'assets');
    expect(read.rows).toHaveLength(100_000);
    expect(read.problems).toEqual([{ line: 100_002, message: expect.stringContaining('at most') }]);
  });
});

describe('chunks', () => {
  it('stay within their bytes and lose nothing', () => {
    const rows = Array.from({ length: 500 }, (_, n) => ({ line: n + 2, cells: ['ß'.repeat(n % 50), 'x'] }));
    const chunks = [...chunksOf(rows, 1000)];
    for (const chunk of chunks) expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThanOrEqual(1000);
    expect(chunks.flat()).toEqual(rows);
  });

  it('end at a row that none can hold', () => {
    const long = { line: 3, cells: ['x'.repeat(2000)] };
    expect([...chunksOf([{ line: 2, cells: ['x'] }, long], 1000)]).toEqual([{ tooLong: long }]);
  });
});
