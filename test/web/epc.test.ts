import { expect, it } from 'vitest';
import { epcOf } from '../../web/tags/epc.js';

// Examples of the GS1 EPC Tag Data Standard, and a tag of a shop.
it.each([
  ['3074257BF7194E4000001A85', 'sgtin:0614141.812345.6789', 'GTIN', '80614141123458', '6789'],
  ['3036142C8C008F8000053244', 'sgtin:8719139.000574.340548', 'GTIN', '08719139005740', '340548'],
  [
    '3674257BF6B7A659B2C2BF1000000000000000000000000000',
    'sgtin:0614141.712345.32a%2Fb',
    'GTIN',
    '70614141123451',
    '32a/b',
  ],
  ['3174257BF4499602D2000000', 'sscc:0614141.1234567890', 'SSCC', '106141412345678908', undefined],
  ['3274257BF46072000000162E', 'sgln:0614141.12345.5678', 'GLN', '0614141123452', '5678'],
  ['3374257BF40C0E400000162E', 'grai:0614141.12345.5678', 'GRAI', '00614141123452', '5678'],
  ['3474257BF40000000000162E', 'giai:0614141.5678', 'GIAI', '06141415678', undefined],
  ['2D74257BF4499602D2000000', 'gsrn:0614141.1234567890', 'GSRN', '061414112345678902', undefined],
  ['2C74257BF46072000000162E', 'gdti:0614141.12345.5678', 'GDTI', '0614141123452', '5678'],
])('%s is %s, however it is written', (...[hex, uri, kind, number, serial]) => {
  const expected = { kind, number, uri: `urn:epc:id:${uri}`, ...(serial === undefined ? {} : { serial }) };
  expect(epcOf(hex)).toEqual(expected);
  expect(epcOf(hex.toLowerCase().replaceAll(/..(?=.)/g, '$& '))).toEqual(expected);
});

it.each([
  ['a number of a chip that begins like an EPC', '3000E2009A9040060AF000000372'],
  ['a number of a chip', 'E2801190A503006543E21224'],
  ['an EPC that was cut off', '3074257BF7194E4000001A8'],
  ['a partition that there is not', '307C257BF7194E4000001A85'],
  ['a company prefix of too many digits', '3017FFFFFFFFFE4000001A85'],
  ['a reference of too many digits', '3077FFFFFFFFFFC000001A85'],
  ['bits that are reserved', '3174257BF4499602D2000001'],
  ['text', 'Pump 7'],
])('%s is rejected', (_what, value) => {
  expect(epcOf(value)).toBeUndefined();
});
