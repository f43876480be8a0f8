import { expect, it } from 'vitest';
import { epcsOf } from '../../../../server/things/tags/epc.js';

// Examples of the GS1 EPC Tag Data Standard, and a tag of a shop.
it.each([
  ['01', '80614141123458', '6789', '3074257BF7194E4000001A85'],
  ['01', '08719139005740', '340548', '3036142C8C008F8000053244'],
  ['00', '106141412345678908', undefined, '3174257BF4499602D2000000'],
  ['8003', '006141411234525678', undefined, '3374257BF40C0E400000162E'],
  ['8004', '06141415678', undefined, '3474257BF40000000000162E'],
])('(%s)%s with the serial number %s can be the EPC %s', (...[ai, data, serial, epc]) => {
  const epcs = epcsOf(ai, data, serial);
  expect(epcs).toContain(epc);
  expect(new Set(epcs).size).toBe(epcs.length);
  expect(epcs.length).toBeLessThanOrEqual(56);
  for (const found of epcs) expect(found).toMatch(/^[0-9A-F]{24}$/);
});

it.each([
  ['01', '80614141123458', undefined],
  ['01', '80614141123458', '06789'],
  ['01', '80614141123458', 'A1'],
  ['01', '80614141123458', '274877906944'],
  ['8003', '00614141123452', undefined],
  ['8004', 'ABC123', undefined],
])('(%s)%s with the serial number %s is no EPC of 96 bits', (ai, data, serial) => {
  expect(epcsOf(ai, data, serial)).toEqual([]);
});
