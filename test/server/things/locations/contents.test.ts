import { describe, expect, it } from 'vitest';
import { sortedMax } from '../../../../server/things/locations/list-contents.js';
import { appRouter } from '../../../../server/router.js';
import { createCallerFactory } from '../../../../server/trpc.js';
import { refusalOf } from '../../../support/caller.js';
import { createPlanReader } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { growTree } from './tree-model.js';

const callerFor = createCallerFactory(appRouter);

const world = fileWorld(createScanWorld);

const minuteMs = 60_000;

let submissions = 0;

/** Places assets by hand, a number of minutes ago. */
async function place(org: ScanOrganization, locationId: number, { assets, ago }: { assets: number[]; ago: number }) {
  submissions += 1;
  await org.admin.scans.submit({
    submission_id: `01J${submissions.toString().padStart(23, '0')}`,
    location_id: locationId,
    reads: assets.map((asset_id) => ({ asset_id })),
    observed_at: new Date(Math.floor(Date.now() / 1000) * 1000 - ago * minuteMs).toISOString(),
  });
}

describe('locations.contents', () => {
  it('equals a plain model, for the location itself and with its sublocations', async () => {
    const org = await world.organization();
    const model = await growTree(world, org, { seed: 7, locations: 15, assets: 150 });
    for (const { id } of model.locations.filter(({ isDeleted }) => !isDeleted)) {
      for (const including_below of [false, true]) {
        const page = await org.admin.locations.contents({ location_id: id, including_below, limit: 200 });
        const expected = model.assetsAt(id, including_below);
        expect(page).toMatchObject({
          total_count: expected.length,
          assets_here: model.assetsAt(id, false).length,
          assets_below: model.assetsAt(id, true).length,
        });
        expect(new Set(page.data.map((asset) => asset.id))).toEqual(new Set(expected.map((asset) => asset.id)));
        const names = page.data.map(({ name }) => name);
        expect(names).toEqual(names.toSorted(new Intl.Collator('und', { numeric: true }).compare));
      }
    }
  });

  it('pages, and searches names, keys and tags', async () => {
    const org = await world.organization();
    const location = await org.location();
    const tagged = await org.asset({ tags: [['rfid', 'E2801160']] });
    const others = [await org.asset(), await org.asset()];
    await place(org, location, { assets: [tagged, ...others], ago: 1 });
    const contents = (rest: object) => org.admin.locations.contents({ location_id: location, ...rest });
    const pages = [
      await contents({ limit: 2 }),
      await contents({ limit: 2, offset: 2 }),
      await contents({ offset: 9 }),
    ];
    expect(pages.map(({ data, total_count }) => [data.length, total_count])).toEqual([
      [2, 3],
      [1, 3],
      [0, 3],
    ]);
    expect(await contents({ q: 'e28011' })).toMatchObject({ data: [{ id: tagged }], total_count: 1, assets_here: 3 });
    expect((await contents({ q: 'a thing' })).total_count).toBe(3);
    expect((await contents({ q: 'A%' })).total_count).toBe(0);
  });

  it('searches a location with very many assets, and what is below it', async () => {
    const org = await world.organization();
    const { orgId } = org;
    const hall = await org.location();
    const { data: rack } = await org.admin.locations.create({ name: 'Rack', parent_id: hall });
    const elsewhere = await org.location();
    const count = sortedMax + 400;
    await world.db.$executeRaw`
      INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
      SELECT ${orgId}, 'A-' || n, CASE WHEN n % 1000 = 0 THEN '倉庫 ' ELSE 'Thing ' END || n, now(), now(), now()
        FROM generate_series(1, ${count}::int) AS n`;
    await world.db.$executeRawUnsafe('ANALYZE assets');
    await world.db.$executeRaw`
      INSERT INTO tags (org_id, asset_id, tag_type, value)
      SELECT org_id, id, 'rfid', 'E2 倉庫' FROM assets WHERE org_id = ${orgId} AND external_key = 'A-7'`;
    await world.db.$executeRaw`
      INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
      SELECT org_id, id,
             CASE external_key WHEN 'A-1000' THEN ${elsewhere}::int WHEN 'A-2000' THEN ${rack.id}::int ELSE ${hall}::int END, now(), now()
        FROM assets WHERE org_id = ${orgId}`;
    const keysOf = async (input: object) => {
      const { data, total_count } = await org.admin.locations.contents({ location_id: hall, ...input });
      return { keys: data.map(({ external_key }) => external_key), total_count };
    };
    const thousands = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((n) => `A-${n}000`);
    expect(await keysOf({ q: '倉庫' })).toEqual({ keys: ['A-7', ...thousands], total_count: 19 });
    expect(await keysOf({ q: '倉庫', including_below: true, limit: 2, offset: 11 })).toEqual({
      keys: ['A-12000', 'A-13000'],
      total_count: 20,
    });
    expect(await keysOf({ q: 'no such thing' })).toEqual({ keys: [], total_count: 0 });
    await using plans = await createPlanReader(world.databaseUrl);
    const nodes = await plans.nodesOf(() => keysOf({ q: '倉庫', including_below: true }));
    // The locations are hashed, and not compared with the location of each asset in turn.
    expect(nodes.map(({ filter }) => filter).join()).toContain('hashed SubPlan');
  });
});

describe('locations.expected', () => {
  it('is the active live assets at the location itself, with their tags', async () => {
    const org = await world.organization();
    const parent = await org.location();
    const { data: child } = await org.admin.locations.create({ name: 'Below', parent_id: parent });
    const tagged = await org.asset({
      tags: [
        ['rfid', 'E1'],
        ['barcode', '42'],
      ],
    });
    const [inactive, deleted, below] = [await org.asset({ isActive: false }), await org.asset(), await org.asset()];
    await place(org, parent, { assets: [tagged, inactive, deleted], ago: 1 });
    await place(org, child.id, { assets: [below], ago: 1 });
    await org.deleteAsset(deleted);
    const { assets, is_complete } = await org.admin.locations.expected({ location_id: parent });
    expect(is_complete).toBe(true);
    expect(assets).toMatchObject([
      {
        id: tagged,
        tags: [
          { tag_type: 'rfid', value: 'E1' },
          { tag_type: 'barcode', value: '42' },
        ],
      },
    ]);
  });

  it('ends before the tags of its assets take more than 4 MiB', async () => {
    const org = await world.organization();
    const location = await org.location();
    const [first, second] = [await org.asset({ name: 'A' }), await org.asset({ name: 'B' })];
    await place(org, location, { assets: [first, second], ago: 1 });
    await world.db.$executeRaw`
      INSERT INTO tags (org_id, asset_id, tag_type, value)
      SELECT ${org.orgId}, ${second}, 'barcode', lpad(n::text, 255, '界') FROM generate_series(1, 6000) n`;
    const expected = await org.admin.locations.expected({ location_id: location });
    expect(expected).toMatchObject({ is_complete: false, assets: [{ id: first }] });
  });
});

describe('locations.readers', () => {
  it('lists readers with an antenna there and readers placed there themselves', async () => {
    const org = await world.organization();
    const [hall, door] = [await org.location(), await org.location()];
    const gate = await org.reader({
      name: 'Gate',
      location_id: hall,
      antennas: [
        { port: 2, location_id: door },
        { port: 1, location_id: door },
      ],
    });
    const shelf = await org.reader({ name: 'Shelf', location_id: hall });
    await org.reader({ name: 'Elsewhere' });
    expect(await org.admin.locations.readers({ location_id: hall })).toEqual([
      { id: gate.id, name: 'Gate', is_own: true, antennas: [], last_message_at: null },
      { id: shelf.id, name: 'Shelf', is_own: true, antennas: [], last_message_at: null },
    ]);
    expect(await org.admin.locations.readers({ location_id: door })).toMatchObject([
      { id: gate.id, is_own: false, antennas: [1, 2] },
    ]);
  });
});

it('returns nothing about a location of another organization, and nothing without a session', async () => {
  const org = await world.organization();
  const location_id = await (await world.organization()).location();
  const viewer = await org.as('viewer');
  for (const name of ['contents', 'departures', 'expected', 'readers', 'path'] as const) {
    expect(await refusalOf(viewer.locations[name]({ location_id })), name).toEqual({
      type: 'not_found',
      detail: 'Location not found',
    });
  }
  expect(await viewer.locations.search()).toEqual([]);
  const nobody = world.core.contextFor({ actor: { kind: 'none' }, requestId: 'test', clientAddress: '192.0.2.1' });
  const { locations } = callerFor(nobody);
  const calls = [
    () => locations.search(),
    () => locations.level({ parent_id: null }),
    () => locations.contents({ location_id }),
  ];
  for (const call of calls) {
    expect(await refusalOf(call())).toEqual({ type: 'unauthorized', detail: 'Session required' });
  }
});
