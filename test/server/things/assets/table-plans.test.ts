import { afterAll, beforeAll, expect, it } from 'vitest';
import { dependentsOf } from '../../../../server/things/locations/queries.js';
import { createPlanReader, type PlanNode, type PlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { type AppCaller, createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

// Three organizations of 6,000 assets each, nearly all of them seen: more than is collected, so that a filter with many
// matches is answered by a scan.

const assetsEach = 6000;
const locationsEach = 80;

const world = fileWorld(createScanWorld);
let plans: PlanReader;
let viewer: AppCaller;
let admin: AppCaller;
let orgId: number;
let locationId: number;

beforeAll(async () => {
  let organization: ScanOrganization | undefined;
  for (let count = 0; count < 3; count += 1) {
    organization = await world.organization();
    await fill(organization.orgId);
  }
  if (!organization) throw new Error('there is an organization');
  await world.db.$executeRawUnsafe('VACUUM ANALYZE');
  ({ orgId, admin } = organization);
  locationId = (await world.db.location.findFirstOrThrow({ where: { orgId, externalKey: 'L-7' } })).id;
  viewer = await organization.as('viewer');
  plans = await createPlanReader(world.databaseUrl);
});

afterAll(() => plans[Symbol.asyncDispose]());

async function fill(orgId: number): Promise<void> {
  const { db } = world;
  await db.$executeRaw`
    INSERT INTO locations (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'L-' || n, 'Place', now() - interval '1 day', now(), now() FROM generate_series(1, ${locationsEach}::int) AS n`;
  // One of a thousand assets belongs to the location beside the one where it is; the others are where they belong.
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at, belongs_to_id)
    SELECT ${orgId}, 'A-' || lpad(n::text, 5, '0'), 'Thing ' || md5(n::text), now() - interval '1 day',
           now() - n * interval '1 second', now() - (n * 31 % 997) * interval '1 second', l.id
      FROM generate_series(1, ${assetsEach}::int) AS n
      JOIN locations l ON l.org_id = ${orgId} AND l.external_key = 'L-' || (1 + (n + (n % 1000 = 3)::int) % ${locationsEach}::int)`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await db.$executeRawUnsafe('ANALYZE assets, locations');
  await db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT org_id, id, 'rfid', upper(md5(external_key || org_id)) FROM assets WHERE org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
    SELECT a.org_id, a.id, l.id, now() - (a.id % 5000) * interval '10 minutes', now() - (a.id % 5000) * interval '20 minutes'
      FROM assets a
      JOIN locations l
        ON l.org_id = a.org_id AND l.external_key = 'L-' || (1 + substr(a.external_key, 3)::int % ${locationsEach}::int)
     WHERE a.org_id = ${orgId} AND substr(a.external_key, 3)::int % 10 <> 0`;
}

type Input = Partial<Parameters<AppCaller['assets']['table']>[0]>;

const tables = new Set(['assets', 'tags', 'asset_positions']);

/** Returns what the plans of one page read. */
function readsOf(input: Input): Promise<PlanNode[]> {
  return plans.nodesOf(() => viewer.assets.table({ sort: undefined, ...input }));
}

it.each([
  ['external_key', 'assets_live_key_order'],
  ['-name', 'assets_live_name_order'],
  ['-updated_at', 'assets_live_updated_at'],
  ['created_at', 'assets_live_created_at'],
])('a page by %s is read from %s, and no row more than it shows', async (sort, index) => {
  const nodes = await readsOf({ sort });
  expect(rowsBy(nodes, index)).toBeGreaterThanOrEqual(50);
  expect(rowsBy(nodes, index)).toBeLessThan(120);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(120);
  expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(120);
});

it.each(['-asset_last_seen', 'asset_last_seen'])('a page by %s is read from the slots', async (sort) => {
  const nodes = await readsOf({ sort });
  expect(rowsBy(nodes, 'asset_positions_listed')).toBeGreaterThanOrEqual(50);
  expect(rowsBy(nodes, 'asset_positions_listed')).toBeLessThan(120);
  expect(rowsBy(nodes, 'asset_positions_pkey')).toBeGreaterThanOrEqual(50);
  expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(120);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(120);
});

it('a page by the last sighting of a part of the assets is read from the slots', async () => {
  const nodes = await readsOf({ sort: '-asset_last_seen', is_active: true });
  expect(rowsBy(nodes, 'asset_positions_listed')).toBeGreaterThanOrEqual(50);
  expect(nodes.filter(({ kind, relation }) => kind === 'Seq Scan' && tables.has(relation))).toEqual([]);
});

it.each([
  ['a location', () => ({ location_id: locationId }), 'asset_positions_location'],
  [
    'what moved lately',
    () => ({ moved_since: new Date(Date.now() - 3_600_000).toISOString() }),
    'asset_positions_located_since',
  ],
  ['what was not seen for a month', () => ({ unseen_days: 33, seen: true }), 'asset_positions_listed'],
])('%s is found on its own index', async (_, input, index) => {
  const nodes = await readsOf(input());
  expect(rowsBy(nodes, index)).toBeGreaterThan(0);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(1000);
  expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(1000);
});

it.each(['a3f2b', 'A-0399', '倉庫', 'ä'])('"%s" is found through the index of substrings', async (q) => {
  const nodes = await readsOf({ q });
  expect(rowsBy(nodes, 'assets_live_grams')).toBeGreaterThanOrEqual(0);
  expect(rowsBy(nodes, 'tags_live_grams')).toBeGreaterThanOrEqual(0);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(200);
});

it.each(['place a3f2b', 'a3f2b l-7', 'palce a3f2b'])('the words of "%s" are found through the indexes', async (q) => {
  const nodes = await readsOf({ q });
  expect(rowsBy(nodes, 'assets_live_grams')).toBeGreaterThanOrEqual(0);
  expect(nodes.filter(({ kind, relation }) => kind === 'Seq Scan' && tables.has(relation))).toEqual([]);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(1000);
});

it('a letter is found at the beginning of keys and names, on their indexes', async () => {
  const nodes = await readsOf({ q: 'x' });
  expect(rowsOf(nodes, 'assets')).toBeLessThan(10);
});

it.each<[string, () => Promise<unknown>]>([
  ['the contents of a location', () => viewer.locations.contents({ location_id: locationId })],
  ['the assets expected at a location', () => viewer.locations.expected({ location_id: locationId })],
  ['the count of what is at a location', () => viewer.locations.level({ parent_id: null, limit: 10 })],
  ['what prevents a deletion', () => dependentsOf(world.db, orgId, locationId)],
  ['the report of a location', () => admin.reports.assetLocations({ sort: undefined, location_id: [locationId] })],
])('%s: found on the index of the locations', async (_, run) => {
  const nodes = await plans.nodesOf(run);
  expect(rowsBy(nodes, 'asset_positions_location')).toBeGreaterThan(0);
  expect(nodes.filter(({ kind, relation }) => kind === 'Seq Scan' && tables.has(relation))).toEqual([]);
  expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(1000);
});

it('a page of an export looks for few candidates once, and checks its own assets if there are many', async () => {
  const nodes = await plans.nodesOf(() => viewer.assets.exportPage({ unseen_days: 1, limit: 200 }));
  expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(6000);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(1000);
});

it('the assets that are away are read by pairs of locations, and no asset that is where it belongs', async () => {
  const nodes = await readsOf({ away: true });
  // Nothing was seen at a tenth of the locations.
  expect(rowsBy(nodes, 'asset_positions_belongs_to')).toBeGreaterThanOrEqual(locationsEach * 0.9);
  expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(locationsEach * 6);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(100);
  const { data } = await viewer.assets.table({ sort: undefined, away: true });
  expect(data).toHaveLength(assetsEach / 1000);
});

it('the assets that belong to a location are read from their index', async () => {
  const nodes = await readsOf({ belongs_to_id: locationId });
  expect(rowsBy(nodes, 'assets_belongs_to')).toBeGreaterThanOrEqual(assetsEach / locationsEach);
  expect(rowsOf(nodes, 'assets')).toBeLessThan(assetsEach / 10);
});

it('the assets that are away at a location are read, and no others that are away', async () => {
  const { id } = await world.db.location.findFirstOrThrow({ where: { orgId, externalKey: 'L-4' } });
  const nodes = await readsOf({ away: true, location_id: id });
  expect(rowsOf(nodes, 'assets')).toBe(assetsEach / 2000);
});

it('the location of an asset that belongs nowhere is not compared with the pairs of locations', async () => {
  await world.db.$executeRaw`
    WITH loose AS (
      UPDATE assets SET belongs_to_id = NULL WHERE org_id = ${orgId} AND external_key IN ('A-00001', 'A-00002') RETURNING id
    )
    INSERT INTO asset_problems (org_id, asset_id, text, reported_at) SELECT ${orgId}, id, 'Broken', now() FROM loose`;
  const nodes = await readsOf({ away: true, has_problem: true });
  expect(rowsBy(nodes, 'assets_org_id_id_key')).toBe(2);
  expect(rowsBy(nodes, 'asset_positions_pkey')).toBeLessThan(1);
});

it('locations are hashed where the location of each asset is compared with them', async () => {
  await world.db.location.updateMany({ where: { orgId }, data: { assetsFree: true } });
  const nodes = await readsOf({ free: true, sort: 'name' });
  const compared = nodes.filter(
    ({ index, filter }) => index === 'asset_positions_pkey' && filter.includes('location_id'),
  );
  expect(compared.map(({ filter }) => /hashed SubPlan|= ANY/.exec(filter)?.[0])).toEqual(['hashed SubPlan']);
});

it.each(['thing', 'thing place'])(
  'a page of "%s", which most assets have, compares no tag of other assets',
  async (q) => {
    // As where one organization has most of the tags of a database.
    await world.db.tag.deleteMany({ where: { orgId: { not: orgId } } });
    await world.db.$executeRawUnsafe('VACUUM ANALYZE tags');
    const nodes = await readsOf({ q, sort: '-name' });
    expect(nodes.filter(({ kind, relation }) => kind === 'Seq Scan' && tables.has(relation))).toEqual([]);
    expect(rowsOf(nodes, 'tags')).toBeLessThan(120);
  },
);
