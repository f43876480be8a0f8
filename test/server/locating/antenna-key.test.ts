import { expect, test } from 'vitest';
import { antennaKey, portOf, readerOf } from '../../../server/locating/index.js';

test.each([
  [1, 0],
  [7, 65_535],
  [2_147_483_647, 65_535],
])('The key of an antenna gives its reader and port: %d, %d', (reader, port) => {
  const key = antennaKey(reader, port);
  expect([readerOf(key), portOf(key)]).toEqual([reader, port]);
});
