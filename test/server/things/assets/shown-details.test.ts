import { expect, test } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

test('columns of details show texts, other values as JSON, and the beginning of long ones', async () => {
  const world = await sharedScanWorld();
  const org = await world.organization();
  const viewer = await org.as('viewer');
  const large = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n]));
  const metadata = { ...large, none: null, parts: ['a'], long: 'x'.repeat(300) };
  await org.admin.assets.create({ name: 'Pump', metadata });
  const keys = ['k0', 'none', 'parts', 'long', 'missing', 'k999', 'k1', 'k0'];
  const detailsOf = async (columns: string[]) =>
    (await viewer.assets.table({ sort: undefined, detail_columns: columns })).data[0]?.details;
  expect(await detailsOf(keys)).toEqual({ k0: '0', parts: '["a"]', long: 'x'.repeat(200), k999: '999', k1: '1' });
});
