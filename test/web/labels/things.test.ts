import { expect, it } from 'vitest';
import { codeShape, fitsQrCode } from '../../../web/labels/codes.js';
import { labelFormats } from '../../../web/labels/formats.js';
import { labelThings } from '../../../web/labels/things.js';

const addressOf = (id: number) => `https://example.com/a/${id}`;
const row = (id: number, name: string) => ({ id, name, external_key: `A-${id}`, tags: [] });

it('the code of a label is made once', () => {
  const rows = Array.from({ length: 8 }, (_, id) => row(id, 'Pump'));
  const [format] = labelFormats;
  const { things, notes } = labelThings(rows, { content: 'address', kind: 'qr', format, addressOf });
  expect(notes).toEqual({ withoutTag: 0, asQr: 0, withoutCode: 0 });
  expect(things[7]?.shape()).toBeDefined();
  expect(things[7]?.shape()).toBe(things[7]?.shape());
});

it.each(['x', '\u00e9', '\u{1F600}'])('a QR code has space for texts of %s up to its bytes', (character) => {
  const most = Math.floor(2331 / new TextEncoder().encode(character).length);
  for (const count of [most, most + 1]) {
    const text = character.repeat(count);
    expect([count, fitsQrCode(text)]).toEqual([count, codeShape('qr', text) !== undefined]);
  }
});
