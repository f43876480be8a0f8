import { describe, expect, it } from 'vitest';
import { splitTagCell } from '../../../server/app/imports/tag-cell.js';
import { csvLine, joinTagCell, shieldCell, textOfCell, workbookCell } from '../../../web/csv/cells.js';
import { chunksOf } from '../../../web/csv/chunks.js';
import { columnOf } from '../../../web/csv/column-words.js';
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
  '="0012"',
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
    expect(textOfCell(cell)).toBe(text);
    expect(textOfCell(workbookCell(text))).toBe(text);
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

  it.each([
    ['\n\r\n \t\nkey;name\nA;Saw', ';'],
    ['key;name (de, en, fr)\nA;Saw', ';'],
    ['Key;Room (building, floor, number, area)\n"A";1\n', ';'],
    ['key,name,"a;b;c"\nA,"x;y;z",d', ','],
    ['key;name;room\nA', ';'],
    ['name\nSaw; small', ','],
  ])('of %j are divided by the separator of header and first row, %j', (text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter);
  });

  it.each([
    'key, name\n"A", "Saw, small"',
    '"key" ,"name"\n"A"\t,\u00A0"Saw, small" \r\n',
    '\uFEFF"key","name"\n="A" , ="Saw, small"',
  ])('have no white space around quotes: %j', (text) => {
    const [, second] = readRecords(text, ',');
    expect(second?.cells.map(textOfCell)).toEqual(['A', 'Saw, small']);
  });
});

describe('files', () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

  it.each([
    ['UTF-8 with a byte order mark', encode('\uFEFFname\nZoë'), 'UTF-8'],
    ['UTF-8 without one', encode('name\nZoë'), 'UTF-8'],
    ['UTF-16, little-endian', Buffer.from('\uFEFFname\nZoë', 'utf16le'), 'UTF-16'],
    ['UTF-16, big-endian', bigEndian('\uFEFFname\nZoë'), 'UTF-16'],
    ['UTF-16 without a mark', Buffer.from('name\nZoë', 'utf16le'), 'UTF-16'],
    // Node.js reads €, which is one of 27 characters of Windows-1252 alone, as a control character.
    ['Windows-1252', Buffer.from('name\nZo\xEB', 'latin1'), 'Windows-1252'],
  ])('can be in %s', (_, bytes, encoding) => {
    expect(decodeFile(bytes)).toEqual({ text: 'name\nZoë', encoding });
  });

  it.each([
    ['tr-TR', 'Matkap \xFE\xF0\xFD\xDD', 'Matkap şğıİ', 'Windows-1254'],
    ['pl', 'Wi\xEA\xB3a', 'Więła', 'Windows-1250'],
    ['ru-RU', '\xC4\xF0\xE5\xEB\xFC', 'Дрель', 'Windows-1251'],
    // With a no-break space before the colon.
    ['ja', '\x93\x8C\x8B\x9E \xD3\xC6\xC0\xB0', '東京 ﾓﾆﾀｰ', 'Shift_JIS'],
    ['zh-CN', '\xB1\xB1\xBE\xA9', '北京', 'GBK'],
    ['zh-TW', '\xA5\x78\xA5\x5F', '台北', 'Big5'],
    ['ko-KR', '\xBC\xAD\xBF\xEF', '서울', 'EUC-KR'],
    ['he', '\xF9\xEC\xE5\xED', 'שלום', 'Windows-1255'],
    ['ar-EG', '\xE3\xCF\xED\xE4\xC9', 'مدينة', 'Windows-1256'],
    ['th', '\xA1\xC3\xD8\xA7\xE0\xB7\xBE', 'กรุงเทพ', 'Windows-874'],
    ['fr-FR', 'QUALIT\xC9\xA0: \xE0', 'QUALITÉ\u00A0: à', 'Windows-1252'],
  ])('in the code page of a computer in %s', (language, ...[bytes, text, encoding]) => {
    expect(decodeFile(Buffer.from(bytes, 'latin1'), language)).toEqual({ text, encoding });
  });

  it('are rejected with the reason', () => {
    const mixed = Buffer.concat([encode('name\nZoë\n'), Buffer.from('Zo\xEB\n', 'latin1')]);
    expect(decodeFile(mixed)).toEqual({ problem: expect.stringContaining('a character on line 3') });
    expect(decodeFile(Buffer.from('name\n\x81', 'latin1'))).toEqual({ problem: expect.stringContaining('line 2') });
    expect(decodeFile(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0))).toEqual({
      problem: expect.stringContaining('another kind'),
    });
    expect(decodeFile(encode('a\0b'))).toMatchObject({ problem: 'This is not a text file.' });
    const cut = Buffer.from('\uFEFFname\nSaw', 'utf16le').subarray(0, -1);
    expect(decodeFile(cut)).toEqual({ problem: expect.stringContaining('end of this file is missing') });
  });

  it('lose the blanks around cells, except in quotes', async () => {
    const text = 'name , rfid_tags,description\n Forklift ,\tE1 | E2 ,"  two lines  "\nCrate," E3 "," | "\n';
    const { rows } = await readFile(text, 'assets');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Forklift', 'E1 | E2', '  two lines  '],
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
      meanings: [
        { index: 0, header: 'Color', column: 'detail:Color', samples: ['red', 'blue'] },
        { index: 1, header: 'Name', column: 'name', samples: ['=x', 'y'] },
        { index: 2, header: 'External-Key', column: 'external_key', samples: ['A-1'] },
        { index: 3, header: 'RFID tags', column: 'rfid_tags', samples: ['E1|E2'] },
      ],
      columns: ['detail:Color', 'name', 'external_key', 'rfid_tags'],
      headers: ['Color', 'Name', 'External-Key', 'RFID tags'],
      ignored: [],
      rows: [
        { line: 2, cells: ['red', '=x', 'A-1', 'E1|E2'] },
        { line: 4, cells: ['blue', 'y', '', ''] },
      ],
      headerLine: 1,
      firstRows: [
        { line: 1, text: 'Color · Name · External-Key · RFID tags' },
        { line: 2, text: 'red · =x · A-1 · E1|E2' },
        { line: 4, text: 'blue · y' },
      ],
      totals: [],
      hiddenRows: 0,
      hiddenColumns: [],
      problems: [],
      problemCount: 0,
    });
  });

  it.each([
    ['external_key\nA', 1, /column name is missing/],
    ['name,NAME\nA,B', 1, /NAME appears twice/],
    ['name,external_key\nA\nB,C,\nB,C,D', 4, /has 3 cells where the header has 2/],
    ['Bohrer', 1, /whole first line is in one column: Bohrer/],
    ['sep=;\nname;key\nA;"b', 3, /never closed/],
    ['name\n', 1, /no rows/],
    ['', 1, /no rows/],
    ['name\n"x', 2, /never closed/],
  ])('%j are rejected on line %i', async (text, line, words) => {
    const read = await readFile(text, 'assets');
    expect(read.problems[0]?.line).toBe(line);
    expect(read.problems[0]?.message).toMatch(words);
  });

  const rowsOf = async (text: string) => {
    const { delimiter, columns, rows, problems } = await readFile(text, 'assets');
    expect(problems).toEqual([]);
    return { delimiter, columns, rows };
  };

  it.each([
    ['sep=;\r\nkey;name\r\nT-1;Saw, small\r\n', ';', 3],
    ['"sep=|"\nkey|name\nT-1|"Saw, small"\n', '|', 3],
    ['SEP=\t\nkey\tname\nT-1\tSaw, small', '\t', 3],
    ['key|name\nT-1|Saw, small', '|', 2],
    // Saved from Excel with whole records in the first column: all of them, with the other columns empty, and cut at semicolons.
    ['"key,name"\r\n"T-1,""Saw, small"""\r\n', ',', 2],
    ['key,name;;\n"T-1,""Saw, small""";;\n', ',', 2],
    ['"key;name"\n"T-1;""Saw, small"""\n', ';', 2],
    ['key,name\n"T-1,""Saw, small"""\n', ',', 2],
    ['key,name\n="T-1","=""Saw, small"""\n', ',', 2],
  ])('are understood as Excel writes %j', async (text, delimiter, line) => {
    expect(await rowsOf(text)).toEqual({
      delimiter,
      columns: ['external_key', 'name'],
      rows: [{ line, cells: ['T-1', 'Saw, small'] }],
    });
  });

  it('have rows that are shorter than the header, or longer by empty cells', async () => {
    const { rows } = await rowsOf('key,name,rfid tags\nT-1,a\nT-2,b,E1,,\nT-3,c,E2,\u200B\n');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['T-1', 'a', ''],
      ['T-2', 'b', 'E1'],
      ['T-3', 'c', 'E2'],
    ]);
  });

  it('name their columns in the words of the app and of people, in English and German', () => {
    const means = (header: string) => columnOf(header, 'assets');
    expect(['EAN-Code', 'EAN 13', 'UPC-A', 'Barcode-Nummer'].map(means)).toEqual(Array(4).fill('barcode_tags'));
    expect(['EPC Code', 'Transponder', 'BLE MAC', 'Beacon-ID'].map(means)).toEqual([
      'rfid_tags',
      'rfid_tags',
      'ble_tags',
      'ble_tags',
    ]);
    expect(['Inv.-Nr.', 'Asset Tag', 'asset_tag', 'Asset Tag ID', 'Comments'].map(means)).toEqual([
      ...Array<string>(4).fill('external_key'),
      undefined,
    ]);
    // In a list of computers it is the address in the network.
    expect(means('MAC address')).toBeUndefined();
    expect(['Key', ' KEYS ', 'Schlüssel', 'SCHLUESSEL', 'Asset key', 'Inventar-Nr.'].map(means)).toEqual(
      Array.from({ length: 6 }, () => 'external_key'),
    );
    expect(['RFID tag', 'RFID-Tags', 'rfid_tags', 'RFID tags (several by |)', 'Tag ID', 'EPC'].map(means)).toEqual(
      Array.from({ length: 6 }, () => 'rfid_tags'),
    );
    expect(
      ['Valid until', 'Gültig bis', 'Gu\u0308ltig\u00A0bis', 'Status', 'Aktiv', 'Eigene Angaben'].map(means),
    ).toEqual(['valid_to', 'valid_to', 'valid_to', 'is_active', 'is_active', 'metadata']);
    expect(
      ['Aktueller Standort', 'Location key', 'Last seen', 'Zuletzt gesehen', 'Farbe', '', 'Parent location'].map(means),
    ).toEqual(['location', 'location_external_key', 'last_seen_at', 'last_seen_at', undefined, undefined, undefined]);
    expect(['Parent location', 'Übergeordneter Standort', 'In'].map((header) => columnOf(header, 'locations'))).toEqual(
      Array.from({ length: 3 }, () => 'parent_external_key'),
    );
  });

  it('have two columns of one meaning named', async () => {
    const { problems } = await readFile('Name,Barcode,EAN-13\nPump,1,2\n', 'assets');
    expect(problems).toEqual([{ line: 1, message: expect.stringContaining('Barcode and EAN-13 are both read as') }]);
    const repeated = await readFile('Name,Barcode,Barcode\nPump,1,2\n', 'assets');
    expect(repeated.problems).toEqual([{ line: 1, message: 'The column Barcode appears twice.' }]);
  });

  it('have their columns chosen by a person instead', async () => {
    const text = 'Thing,Serial,Color\nPump,12,red\n';
    expect((await readFile(text, 'assets')).problems[0]?.message).toContain('The column name is missing');
    const chosen = new Map<number, string | null>([
      [0, 'name'],
      [1, 'barcode_tags'],
    ]);
    const read = await readFile(text, 'assets', { columns: chosen });
    expect(read).toMatchObject({ columns: ['name', 'barcode_tags', 'detail:Color'], problems: [], ignored: [] });
    expect((await readFile(text, 'assets', { columns: chosen.set(2, null) })).ignored).toEqual(['Color']);
    expect((await readFile(text, 'locations', { columns: new Map([[0, 'name']]) })).ignored).toEqual([
      'Serial',
      'Color',
    ]);
  });

  it('have a column without a header named if it has something, and imported if a person says so', async () => {
    const text = ',name,,\n0,Pump,,\n1,Bed,red,\n';
    const { columns, ignored, meanings } = await readFile(text, 'assets');
    expect({ columns, ignored }).toEqual({ columns: ['name'], ignored: ['Column A', 'Column C'] });
    expect(meanings.map(({ index, header, column }) => [index, header, column])).toEqual([
      [0, 'Column A', null],
      [1, 'name', 'name'],
      [2, 'Column C', null],
    ]);
    const read = await readFile(text, 'assets', { columns: new Map([[0, 'external_key']]) });
    expect(read).toMatchObject({
      columns: ['external_key', 'name'],
      headers: ['Column A', 'name'],
      ignored: ['Column C'],
      rows: [{ cells: ['0', 'Pump'] }, { cells: ['1', 'Bed'] }],
    });
    expect((await readFile(`name${','.repeat(27)}\nPump${','.repeat(27)}x`, 'assets')).ignored).toEqual(['Column AB']);
  });

  it('have the exact name of a column win over a word for it, which is named', async () => {
    const read = await readFile('Tag ID,rfid_tags,name,Location,Location key\nX,E1,a,Hall,HALL', 'assets');
    expect(read).toMatchObject({
      columns: ['rfid_tags', 'name', 'location', 'location_external_key'],
      ignored: ['Tag ID', 'Location', 'Location key'],
      rows: [{ cells: ['E1', 'a', 'Hall', 'HALL'] }],
    });
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
