import { ulid } from 'ulid';
import { beforeAll, expect, it } from 'vitest';
import { findBreaching, findWaiting } from '../../server/notifying/alert-rules/condition-queries.js';
import type { RuleRow } from '../../server/notifying/alert-rules/queries.js';
import { fileWorld } from '../support/shared.js';
import { type AppCaller, createScanWorld } from '../support/scan-world.js';
import { runExample } from '../support/sql-record/recorder.js';

// Functions whose SQL has very many variants, or whose variants depend on time, are recorded in test/sql/ with the statements of these
// calls alone.

const world = fileWorld(createScanWorld);
let admin: AppCaller;
let viewer: AppCaller;
let ids: { asset: number; location: number };

beforeAll(async () => {
  const organization = await world.organization();
  admin = organization.admin;
  viewer = await organization.as('viewer');
  ids = { asset: await organization.asset(), location: await organization.location() };
});

/** Whether a rule was checked before depends on the time that tests take. */
const checked = { afterMs: 0, untilMs: 1, candidatesMax: 1 };
const rule = { id: 0, org_id: 0 } as RuleRow;

const byDefault = { sort: undefined };

const examples: { name: string; of: string; call: () => Promise<unknown> }[] = [
  { name: 'assets', of: 'listAssets', call: () => viewer.assets.list(byDefault) },
  { name: 'assets-search', of: 'listAssets', call: () => viewer.assets.list({ q: 'pump', sort: '-updated_at' }) },
  { name: 'assets-deep-page', of: 'listAssets', call: () => viewer.assets.list({ ...byDefault, offset: 20_000 }) },
  {
    name: 'asset-update',
    of: 'changeAsset',
    call: () => admin.assets.update({ asset_id: ids.asset, name: 'Pump' }),
  },
  { name: 'locations', of: 'listLocations', call: () => viewer.locations.list(byDefault) },
  {
    name: 'location-update',
    of: 'changeLocation',
    call: () => admin.locations.update({ location_id: ids.location, name: 'Hall' }),
  },
  { name: 'report', of: 'listPositionRows', call: () => viewer.reports.assetLocations(byDefault) },
  {
    name: 'report-of-location',
    of: 'listPositionRows',
    call: () => viewer.reports.assetLocations({ location_id: [ids.location], ...byDefault }),
  },
  { name: 'app-assets', of: 'scanPage', call: () => viewer.assets.table(byDefault) },
  { name: 'app-assets-search', of: 'collectPage', call: () => viewer.assets.table({ q: 'pump', ...byDefault }) },
  {
    name: 'app-assets-by-last-seen',
    of: 'collectPage',
    call: () => viewer.assets.table({ location_id: ids.location, sort: '-asset_last_seen' }),
  },
  { name: 'app-assets-export', of: 'assetsAfter', call: () => viewer.assets.exportPage({}) },
  { name: 'app-assets-export-search', of: 'workingSearchOf', call: () => viewer.assets.exportPage({ q: 'pump' }) },
  {
    name: 'scan-of-a-new-asset',
    of: 'storeChanges',
    call: () =>
      admin.scans.submit({ submission_id: ulid(), location_id: ids.location, reads: [{ asset_id: ids.asset }] }),
  },
  {
    name: 'check-of-an-overdue-rule',
    of: 'findWaiting',
    call: () => findWaiting(world.db, { ...checked, rule: { ...rule, event_type: 'asset.overdue' } }),
  },
  {
    name: 'check-of-a-battery-rule',
    of: 'findBreaching',
    call: () => findBreaching(world.db, { ...checked, rule: { ...rule, event_type: 'asset.battery_low' } }),
  },
  { name: 'app-search', of: 'findLocations', call: () => viewer.search.everything({ q: 'pump' }) },
];

it.each(examples)('runs the example $name of $of', async ({ name, of, call }) => {
  await expect(runExample({ name, of }, call)).resolves.toBeDefined();
});
