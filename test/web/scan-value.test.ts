import { expect, test } from 'vitest';
import { labelThings } from '../../web/labels/things.js';
import { labelFormats } from '../../web/labels/formats.js';
import { cleanScan } from '../../web/scanning/scan-value.js';

const origin = 'https://things.example';

test.each([
  [']C1010400638133393110LOT42\u001D17261231', '010400638133393110LOT4217261231'],
  [']d2010400638133393121SER', '010400638133393121SER'],
  ['\u001D010400638133393121SER\u001D\r', '010400638133393121SER'],
  // Without the separators the serial number would be another one.
  [']d2010400638133393121SER\u001D17261231', '010400638133393121SER\u241D17261231'],
  ['\u001D01040063813339311726123110LOT\u001D21SER', '01040063813339311726123110LOT\u241D21SER'],
  ['4144012345000009254A1\u001D10X', '4144012345000009254A1\u241D10X'],
  [']Q3HALL-1', 'HALL-1'],
  [']E00697929110035', '0697929110035'],
  ['\u0002E28011AA\u0003\r\n', 'E28011AA'],
  // As it is pasted from a contact, a chat or a page.
  ['\u202AE28011AA\u202C', 'E28011AA'],
  ['\u200EE28011AA\u00A0\u200B', 'E28011AA'],
  [`${origin}/a/17`, '/a/17'],
  [`${origin}/l/3`, '/l/3'],
  [`${origin}/assets/17`, `${origin}/assets/17`],
  ['https://other.example/a/17', 'https://other.example/a/17'],
  ['https://things.example.evil/a/17', 'https://things.example.evil/a/17'],
  [']', ']'],
  [' \u001D ', undefined],
])('a scan of %j is the value %j', (text, value) => {
  expect(cleanScan(text, origin)).toBe(value);
});

test('labels have an address in their QR codes, and the key in bars', () => {
  const [format] = labelFormats;
  const rows = [{ id: 17, name: 'Forklift', external_key: 'FORKLIFT-7', tags: [] }] as never;
  const addressOf = (id: number) => `${origin}/a/${id}`;
  const valueOf = (kind: 'qr' | 'code128') =>
    labelThings(rows, { content: 'address', kind, format, addressOf }).things.map(({ value, shape }) => [
      value,
      !!shape,
    ]);
  expect(valueOf('qr')).toEqual([[`${origin}/a/17`, true]]);
  expect(valueOf('code128')).toEqual([['FORKLIFT-7', true]]);
});
