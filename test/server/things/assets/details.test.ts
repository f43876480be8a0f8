import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlanReader, type PlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { type AppCaller, createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

// Lists are filtered by custom details, tag types and readers, and say which keys and values are in use.

const assetsEach = 12_000;

const world = fileWorld(createScanWorld);
let org: ScanOrganization;
let viewer: AppCaller;
let plans: PlanReader;
/** An organization with many assets. */
let large: ScanOrganization;

beforeAll(async () => {
  large = await world.organization();
  await fill(large.orgId);
  org = await world.organization();
  viewer = await org.as('viewer');
  plans = await createPlanReader(world.databaseUrl);
});

afterAll(() => plans[Symbol.asyncDispose]());

async function fill(orgId: number): Promise<void> {
  const { db } = world;
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, metadata, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'A-' || lpad(n::text, 5, '0'), 'Thing ' || n,
           json_build_object('kind', 'pallet', 'owner', 'owner ' || n % 300, 'serial', n), now(), now(), now()
      FROM generate_series(1, ${assetsEach}::int) AS n`;
  await db.$executeRawUnsafe('ANALYZE assets');
  await db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT org_id, id, CASE WHEN id % 1000 = 0 THEN 'ble' ELSE 'rfid' END, md5(id::text) FROM assets WHERE org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since, reader_id)
    SELECT org_id, id, now() - id * interval '1 second', now(), id % 400 FROM assets WHERE org_id = ${orgId}`;
  await db.$executeRawUnsafe('VACUUM ANALYZE');
}

type Input = Partial<Parameters<AppCaller['assets']['table']>[0]>;

const table = (input: Input, caller = viewer) => caller.assets.table({ sort: undefined, ...input });

async function keysOf(input: Input, caller = viewer): Promise<string[]> {
  const page = await table(input, caller);
  expect(page.total_count).toBe(page.data.length);
  return page.data.map(({ external_key: key }) => key);
}

async function create(key: string, metadata: Record<string, unknown>): Promise<number> {
  return (await org.admin.assets.create({ name: key, external_key: key, metadata })).data.id;
}

it('finds assets by details as they are now, and forgets those that are gone', async () => {
  const red = await create('RED', { color: 'red', size: 4, 'is new': true, parts: ['a'], none: null });
  const both = await create('BOTH', { color: 'red', size: '4' });
  const blue = await create('BLUE', { color: 'blue', long: 'x'.repeat(300) });
  expect(await viewer.assets.detailKeys()).toEqual({ keys: ['color', 'is new', 'long', 'size'] });
  expect(await viewer.assets.detailValues({ key: 'color' })).toEqual({ values: ['blue', 'red'] });
  expect(await viewer.assets.detailValues({ key: 'color', q: 'r' })).toEqual({ values: ['red'] });

  const color = (value: string) => ({ details: [{ key: 'color', value }] });
  expect(await keysOf(color('red'))).toEqual(['BOTH', 'RED']);
  expect(await keysOf({ details: [{ key: 'size', value: '4' }, ...color('red').details] })).toEqual(['BOTH', 'RED']);
  expect(await keysOf({ details: [{ key: 'is new', value: 'true' }] })).toEqual(['RED']);
  expect(await keysOf({ details: [{ key: 'long', value: 'x'.repeat(200) }] })).toEqual(['BLUE']);
  expect(await keysOf({ ...color('red'), q: 'bot' })).toEqual(['BOTH']);
  expect(await keysOf({ ...color('red'), seen: false, is_active: true })).toEqual(['BOTH', 'RED']);
  expect(await keysOf(color('Red'))).toEqual([]);

  const [shown] = (await table({ q: 'RED', detail_columns: ['color', 'parts', 'missing'] })).data;
  expect(shown?.details).toEqual({ color: 'red', parts: '["a"]' });

  await org.admin.assets.update({ asset_id: red, metadata: { color: 'green', size: 4 } });
  await org.admin.assets.delete({ asset_id: blue });
  expect(await keysOf(color('red'))).toEqual(['BOTH']);
  expect(await viewer.assets.detailValues({ key: 'color' })).toEqual({ values: ['green', 'red'] });
  expect(await viewer.assets.detailKeys()).toEqual({ keys: ['color', 'size'] });
  const exported = await viewer.assets.exportPage(color('green'));
  expect(exported.data.map(({ external_key: key }) => key)).toEqual(['RED']);
  await org.admin.assets.delete({ asset_id: both });
  expect(await world.db.metadataValue.count({ where: { orgId: org.orgId, assetId: both } })).toBe(0);
});

it('keeps organizations apart', async () => {
  const other = await world.organization();
  await other.admin.assets.create({ name: 'Theirs', external_key: 'THEIRS', metadata: { secret: 'yes' } });
  const reader = await other.reader();
  const outsider = await (await world.organization()).as('viewer');
  expect(await outsider.assets.detailKeys()).toEqual({ keys: [] });
  expect(await outsider.assets.detailValues({ key: 'secret' })).toEqual({ values: [] });
  expect(await keysOf({ details: [{ key: 'secret', value: 'yes' }] }, outsider)).toEqual([]);
  expect(await keysOf({ reader_id: reader.id }, outsider)).toEqual([]);
});

it('filters by the reader that saw an asset last, and by the type of its tags', async () => {
  const own = await world.organization();
  const [gate, dock] = [await own.reader({ name: 'Gate' }), await own.reader({ name: 'Dock' })];
  const tagged = await own.asset({
    tags: [
      ['rfid', 'AA'],
      ['rfid', 'AB'],
      ['ble', 'C0:01:02:03:04:05'],
    ],
  });
  await own.asset({ tags: [['rfid', 'BB']] });
  const caller = await own.as('viewer');
  const { db } = world;
  await db.assetPosition.create({
    data: {
      orgId: own.orgId,
      assetId: tagged,
      readerId: gate.id,
      assetLastSeen: new Date(),
      locatedSince: new Date(),
    },
  });
  const ids = async (input: Input) => (await table(input, caller)).data.map(({ id }) => id);
  expect(await ids({ reader_id: gate.id })).toEqual([tagged]);
  expect(await ids({ reader_id: dock.id })).toEqual([]);
  expect(await ids({ tag_type: 'ble' })).toEqual([tagged]);
  expect(await table({ tag_type: 'rfid' }, caller)).toMatchObject({ total_count: 2, total_is_exact: true });
  expect((await caller.assets.exportPage({ tag_type: 'ble', reader_id: gate.id })).data).toMatchObject([
    { id: tagged, location_path: [], location_external_key: null, asset_last_seen: expect.any(String) as string },
  ]);
});

it('reads few rows of many, with each part of a filter as the narrow one', async () => {
  const caller = await large.as('viewer');
  const reads = (input: Input) => plans.nodesOf(() => table(input, caller));

  const owner = await reads({
    details: [
      { key: 'kind', value: 'pallet' },
      { key: 'owner', value: 'owner 7' },
    ],
  });
  expect(rowsBy(owner, 'metadata_values_pkey')).toBeLessThan(6000);
  expect(rowsOf(owner, 'assets')).toBeLessThan(200);
  const common = await reads({ details: [{ key: 'kind', value: 'pallet' }], sort: '-name' });
  expect(rowsOf(common, 'assets')).toBeLessThan(6000);
  const seenBy = await reads({ reader_id: 7, tag_type: 'rfid' });
  expect(rowsOf(seenBy, 'assets')).toBeLessThan(200);
  const ble = await reads({ tag_type: 'ble' });
  expect(rowsOf(ble, 'assets')).toBeLessThan(100);
  const used = await plans.nodesOf(() => caller.assets.detailKeys());
  expect(rowsBy(used, 'metadata_values_pkey')).toBeLessThan(10);
  const values = await plans.nodesOf(() => caller.assets.detailValues({ key: 'owner' }));
  expect(rowsBy(values, 'metadata_values_pkey')).toBeLessThan(50);
});
