import { describe, expect, it } from 'vitest';
import { gs1Epcs, gs1Spellings } from '../../../../server/things/tags/gs1.js';
import { epcOf } from '../../../../web/tags/epc.js';

const serial = [
  '010400638133393121SER-1',
  '(01)04006381333931(21)SER-1',
  'https://id.gs1.org/01/04006381333931/21/SER-1',
];
const article = [
  '04006381333931',
  '4006381333931',
  '0104006381333931',
  '(01)04006381333931',
  'https://id.gs1.org/01/04006381333931',
];

describe('the spellings of a GS1 code', () => {
  it.each([
    ['(01)04006381333931(21)SER-1', serial],
    ['(01)04006381333931 (17)261231 (10)LOT (21)SER-1', serial],
    ['010400638133393121SER-1', serial],
    [']C1010400638133393121SER-1', serial],
    [']d20104006381333931112601011728123121SER-1', serial],
    [']Q3010400638133393110LOT42\u001D21SER-1', serial],
    [']e0010400638133393121SER-1\u001D17261231', serial],
    ['010400638133393121SER-1\u241D17261231', serial],
    ['010400638133393110LOT42\u241D21SER-1', serial],
    ['https://id.gs1.org/01/04006381333931/21/SER-1', serial],
    ['https://example.com/some/path/01/04006381333931/10/LOT42/21/SER-1?17=261231', serial],
    ['http://shop.example/gtin/4006381333931/ser/SER-1', serial],
    // What scanners send in place of the separator, and spaces of people.
    ...['|', '~', '^', '{GS}', '#', ' '].map((sign): [string, string[]] => [
      `010400638133393110L${sign}21SER-1`,
      serial,
    ]),
    ['0104006381333931 21SER-1', serial],
    ['(01) 0 4006381 33393 1 (21) SER-1', serial],
    ['010400638133393110LOT4217261231', article],
    ['4 006381 333931', article],
    ['4006381333931', article],
    ['https://example.org/01/4006381333931', article],
    [
      '697929110035',
      [
        '00697929110035',
        '0697929110035',
        '0100697929110035',
        '(01)00697929110035',
        'https://id.gs1.org/01/00697929110035',
      ],
    ],
    ...['04252614', '042100005264'].map((text): [string, string[]] => [
      text,
      [
        '00042100005264',
        '0042100005264',
        '042100005264',
        '0100042100005264',
        '(01)00042100005264',
        'https://id.gs1.org/01/00042100005264',
      ],
    ]),
    ['80044012345ABC', ['(8004)4012345ABC', 'https://id.gs1.org/8004/4012345ABC']],
    ['800304012345123456ABC', ['(8003)04012345123456ABC', 'https://id.gs1.org/8003/04012345123456ABC']],
    ['2534012345000016ABC', ['(253)4012345000016ABC', 'https://id.gs1.org/253/4012345000016ABC']],
    [
      'https://id.gs1.org/8018/401234500000000012',
      ['401234500000000012', '8018401234500000000012', '(8018)401234500000000012'],
    ],
    ['(8004)4012345ABC', ['80044012345ABC', 'https://id.gs1.org/8004/4012345ABC']],
    ['(414)4012345000009(254)A1', ['4144012345000009254A1', 'https://id.gs1.org/414/4012345000009/254/A1']],
  ])('%s', (text, expected) => {
    expect(gs1Spellings(text)).toEqual(expected.filter((spelling) => spelling !== text));
  });

  it.each([
    ['(414)0614141123452(254)5678', 'GLN', '0614141123452', '5678'],
    ['4140614141123452', 'GLN', '0614141123452', undefined],
    ['(253)06141411234525678', 'GDTI', '0614141123452', '5678'],
    ['8018061414123456789012', 'GSRN', undefined, undefined],
    ['80040614141987', 'GIAI', '0614141987', undefined],
  ])('%s has the EPCs of its number', (text, ...[kind, number, serialNumber]) => {
    const found = gs1Epcs(text).flatMap(({ first }) => epcOf(first) ?? []);
    expect(found.length).toBeGreaterThan(7);
    for (const epc of found) {
      expect(epc).toMatchObject({ kind, ...(number && { number }) });
      expect(epc.serial).toBe(serialNumber);
    }
  });

  it.each([
    '04252615',
    '4 006381 333930',
    'E28011700000020A1B2C3D4E',
    '0104006381333930',
    '4006381333930',
    '800412',
    'https://example.com/01/4006381333930/21/X',
    'https://example.com/%E0%A4%A',
    'http://',
    '(01)',
    '(99)1',
    ']C1',
    '01',
    '',
  ])('of invalid codes are empty: %s', (text) => {
    expect(gs1Spellings(text)).toEqual([]);
  });
});
