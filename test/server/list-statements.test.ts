import { format } from 'sql-formatter';
import { beforeAll, expect, it } from 'vitest';
import { sentDuring } from '../support/plans.js';
import { fileWorld } from '../support/shared.js';
import { type AppCaller, createScanWorld } from '../support/scan-world.js';

// test/sql/ has the complete SQL of each list. `npm test -- test/server/list-statements.test.ts -u` writes it anew.

const world = fileWorld(createScanWorld);
let viewer: AppCaller;
let ids: { asset: number; location: number };

beforeAll(async () => {
  const organization = await world.organization();
  viewer = await organization.as('viewer');
  ids = { asset: await organization.asset(), location: await organization.location() };
});

const byDefault = { sort: undefined };
const deep = { ...byDefault, offset: 20_000 };

const lists: Record<string, () => Promise<unknown>> = {
  assets: () => viewer.assets.list(byDefault),
  'assets-search': () => viewer.assets.list({ q: 'pump', sort: '-updated_at' }),
  'assets-deep-page': () => viewer.assets.list(deep),
  'asset-history': () => viewer.assets.history({ asset_id: ids.asset, ...byDefault }),
  locations: () => viewer.locations.list(byDefault),
  'location-children': () => viewer.locations.children({ location_id: ids.location }),
  'location-ancestors': () => viewer.locations.ancestors({ location_id: ids.location }),
  'location-descendants': () => viewer.locations.descendants({ location_id: ids.location }),
  report: () => viewer.reports.assetLocations(byDefault),
  'report-of-location': () => viewer.reports.assetLocations({ location_id: [ids.location], ...byDefault }),
  'report-deep-page': () => viewer.reports.assetLocations(deep),
  'app-assets': () => viewer.assets.table(byDefault),
  'app-assets-by-last-seen': () => viewer.assets.table({ location_id: ids.location, sort: '-asset_last_seen' }),
  'app-assets-export': () => viewer.assets.exportPage({}),
  'app-search': () => viewer.search.everything({ q: 'pump' }),
};

it.each(Object.entries(lists))('the SQL of %s is the one on record', async (name, read) => {
  const texts = (await sentDuring(read)).map(({ text }) =>
    format(text, { language: 'postgresql', expressionWidth: 120 }),
  );
  expect(texts).not.toEqual([]);
  // Statements that run side by side have no order.
  await expect(`${texts.toSorted().join(';\n\n')};\n`).toMatchFileSnapshot(`../sql/${name}.sql`);
});
