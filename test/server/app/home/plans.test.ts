import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanReader, type PlanNode, type PlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { type AppCaller, createScanWorld } from '../../../support/scan-world.js';

// Three organizations of 4,000 assets each, so that a plan never reads one of them, or a whole table, completely.

const organizations = 3;
const assetsEach = 4000;
const locationsEach = 400;

const world = fileWorld(createScanWorld);
let plans: PlanReader;
let admin: AppCaller;

beforeAll(async () => {
  for (let count = 0; count < organizations; count += 1) {
    const organization = await world.organization();
    ({ admin } = organization);
    await fill(organization.orgId);
  }
  await world.db.$executeRawUnsafe('VACUUM ANALYZE');
  plans = await createPlanReader(world.databaseUrl);
});

afterAll(() => plans[Symbol.asyncDispose]());

async function fill(orgId: number): Promise<void> {
  const { db } = world;
  await db.$executeRaw`
    INSERT INTO locations (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'L-' || lpad(n::text, 5, '0'), 'Place ' || md5(n::text), now() - interval '1 day', now(), now()
      FROM generate_series(1, ${locationsEach}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, description, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'A-' || lpad(n::text, 5, '0'), 'Thing ' || md5(n::text), md5((n * 7)::text), now() - interval '1 day',
           now(), now()
      FROM generate_series(1, ${assetsEach}::int) AS n`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await db.$executeRawUnsafe('ANALYZE assets, locations');
  await db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT org_id, id, 'rfid', upper(md5(external_key || org_id)) FROM assets WHERE org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
    SELECT a.org_id, a.id, l.id, now() - (a.id % 200) * interval '1 hour', now() - (a.id % 4000) * interval '1 hour'
      FROM assets a
      JOIN locations l ON l.org_id = a.org_id AND l.external_key = 'L-' || lpad((1 + a.id % ${locationsEach}::int)::text, 5, '0')
     WHERE a.org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO unknown_tags (org_id, tag_type, value, antenna, count, first_seen, last_seen)
    SELECT ${orgId}, 'rfid', md5(n::text), 1, 1, now(), now() FROM generate_series(1, 2000) AS n`;
}

const tables = /^(assets|tags|locations|asset_positions|unknown_tags|rejected_messages)$/;

/** What the plans read of one call. Fails where any of them reads a whole table. */
async function readsOf(call: () => Promise<unknown>): Promise<PlanNode[]> {
  const nodes = await plans.nodesOf(call);
  // An empty table is one page, and read as such.
  expect(nodes.filter(({ kind, relation, rows }) => kind === 'Seq Scan' && tables.test(relation) && rows > 0)).toEqual(
    [],
  );
  return nodes;
}

describe('home', () => {
  it('counts on indexes, and looks at no asset', async () => {
    const nodes = await readsOf(() =>
      admin.home.summary({ day_start: new Date(Date.now() - 8 * 3_600_000).toISOString() }),
    );
    expect(rowsOf(nodes, 'assets')).toBe(0);
    expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(50);
    for (const index of ['asset_positions_listed', 'asset_positions_located_since']) {
      expect(rowsBy(nodes, index), index).toBeGreaterThanOrEqual(0);
    }
  });

  it('reads no more positions than there are moves to list', async () => {
    const nodes = await readsOf(() => admin.home.moves({ limit: 20 }));
    expect(rowsBy(nodes, 'asset_positions_located_since')).toBeGreaterThanOrEqual(20);
    expect(rowsOf(nodes, 'asset_positions')).toBeLessThanOrEqual(25);
    expect(rowsOf(nodes, 'assets')).toBeLessThanOrEqual(25);
  });
});

describe('search', () => {
  it.each(['a', 'th', 'A-0', 'A-00012', 'thing a', 'a3f2', 'place c4', 'AA:BB', '100%', 'north place'])(
    'for "%s" reads no more rows than it may show',
    async (q) => {
      const nodes = await readsOf(() => admin.search.everything({ q }));
      expect(rowsOf(nodes, 'assets')).toBeLessThan(assetsEach / 10);
      expect(rowsOf(nodes, 'tags')).toBeLessThan(assetsEach / 10);
      expect(rowsOf(nodes, 'locations')).toBeLessThan(2 * locationsEach);
    },
  );
});
