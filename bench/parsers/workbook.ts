import { crc32 } from 'node:zlib';
import type { Input } from './input.js';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const office = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook beside its sheet. */
const parts: readonly (readonly [string, string])[] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${office}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${office}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Assets" sheetId="1" r:id="r1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
];

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const head = `<worksheet xmlns="${main}"><sheetData><row>${text('name')}${text('external_key')}${text('description')}</row>`;

/** The XML of sheets. */
export const sheets: readonly Input[] = [
  { head, unit: `<row>${text('Pump 6')}${text('P-6')}<c><v>45000.5</v></c></row>`, tail: '</sheetData></worksheet>' },
  { head, unit: `<row r="7"><c r="A7" t="str"><f>"a"</f><v>a&amp;b</v></c></row>`, tail: '</sheetData></worksheet>' },
];

/** Returns a workbook with a sheet of the given XML, in a ZIP file that is not compressed, so that its length is the one of the XML. */
export function workbookOf(sheet: Buffer): Buffer {
  const files = [...parts.map(([name, xml]) => [name, Buffer.from(xml)] as const), [sheetName, sheet] as const];
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const common = commonFields(name, bytes);
    bodies.push(Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes]));
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, place, Buffer.from(name)]));
    at += bodies.at(-1)?.length ?? 0;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

const sheetName = 'xl/worksheets/sheet1.xml';

/** Returns what the entries of a ZIP file and of its directory have in common: version, method 0, sizes, lengths of the name. */
function commonFields(name: string, bytes: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
