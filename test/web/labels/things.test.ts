import { expect, it } from 'vitest';
import { labelFormats } from '../../../web/labels/formats.js';
import { labelThings } from '../../../web/labels/things.js';

const addressOf = (id: number) => `https://example.com/a/${id}`;
const row = (id: number, name: string) => ({ id, name, external_key: `A-${id}`, tags: [] });

it('the code of a label is made once', () => {
  const rows = Array.from({ length: 8 }, (_, id) => row(id, 'Pump'));
  const [format] = labelFormats;
  const { things, notes } = labelThings(rows, { content: 'address', kind: 'qr', format, addressOf });
  expect(notes).toEqual({ withoutTag: 0, asQr: 0 });
  expect(things[7]?.shape()).toBeDefined();
  expect(things[7]?.shape()).toBe(things[7]?.shape());
});

it('a QR code has space for the longest keys and tag values', () => {
  const [format] = labelFormats;
  const longest = { ...row(1, 'Pump'), external_key: '\u{1F600}'.repeat(255) };
  const { things } = labelThings([longest], { content: 'key', kind: 'qr', format, addressOf });
  expect(things[0]?.shape()).toBeDefined();
});
