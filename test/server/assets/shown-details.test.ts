import { expect, test } from 'vitest';
import { createScanWorld } from '../../support/scan-world.js';

test('details are read once, however many columns show them', async () => {
  await using world = await createScanWorld();
  const org = await world.organization();
  const viewer = await org.as('viewer');
  const large = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`k${n}`, n]));
  const metadata = { ...large, none: null, parts: ['a'], long: 'x'.repeat(300) };
  await org.admin.assets.create({ name: 'Pump', metadata });
  const keys = ['k0', 'none', 'parts', 'long', 'missing', 'k39999', 'k1', 'k0'];
  const detailsOf = async (columns: string[]) =>
    (await viewer.assets.table({ sort: undefined, detail_columns: columns })).data[0]?.details;
  const shortestOf = async (columns: string[]) => {
    const durations: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const begun = performance.now();
      await detailsOf(columns);
      durations.push(performance.now() - begun);
    }
    return Math.min(...durations);
  };
  expect(await detailsOf(keys)).toEqual({ k0: '0', parts: '["a"]', long: 'x'.repeat(200), k39999: '39999', k1: '1' });
  // With one reading for each key, eight columns took five times as long as one.
  const one = await shortestOf(['k0']);
  const all = await shortestOf(keys);
  expect(all).toBeLessThan(2.5 * one);
});
