import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanReader, type PlanNode, type PlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createWorld, type TestOrganization } from '../../../support/world.js';

// Three organizations with a tree of 3,000 locations each: ten roots, each location with at most ten children.

const organizations = 3;
const locationsEach = 3000;

const world = fileWorld(createWorld);
let plans: PlanReader;
let organization: TestOrganization;

beforeAll(async () => {
  for (let count = 0; count < organizations; count += 1) {
    organization = await world.organization();
    await fill(organization.orgId);
  }
  await world.db.$executeRawUnsafe('VACUUM ANALYZE');
  plans = await createPlanReader(world.databaseUrl);
});

afterAll(() => plans[Symbol.asyncDispose]());

async function fill(orgId: number): Promise<void> {
  // Level by level: changing the parents of stored locations would take longer than storing them.
  for (const first of [0, 10, 100, 1000]) {
    const last = Math.min(Math.max(first * 10, 10), locationsEach) - 1;
    await world.db.$executeRaw`
      INSERT INTO locations (org_id, external_key, name, description, parent_id, valid_from, created_at, updated_at)
      SELECT ${orgId}::int, 'L-' || lpad(n::text, 5, '0'), 'Place ' || md5(n::text), md5((n * 7)::text), p.id,
             now() - interval '1 day', now() - n * interval '1 second', now()
        FROM generate_series(${first}::int, ${last}::int) AS n
        LEFT JOIN locations p ON n >= 10 AND p.org_id = ${orgId} AND p.external_key = 'L-' || lpad((n / 10)::text, 5, '0')`;
    // Foreign keys to a table without statistics are checked by any index that begins with the organization.
    await world.db.$executeRawUnsafe('ANALYZE locations');
  }
  await world.db.$executeRaw`
    INSERT INTO tags (org_id, location_id, tag_type, value)
    SELECT org_id, id, 'rfid', upper(md5(external_key || org_id)) FROM locations WHERE org_id = ${orgId}`;
}

/** What the plans of one request read. Fails where any of them reads a whole table. */
async function readsOf(path: string): Promise<PlanNode[]> {
  const nodes = await plans.nodesOf(async () => {
    const answer = await organization.get(path);
    expect(answer.status, answer.text).toBe(200);
  });
  expect(nodes.filter(({ kind, relation }) => kind === 'Seq Scan' && /^(locations|tags)$/.test(relation))).toEqual([]);
  return nodes;
}

async function idOf(key: string): Promise<number> {
  return (await organization.get(`/api/v1/locations?external_key=${key}`)).body.data[0].id;
}

describe('a page of the locations list', () => {
  it.each([
    ['', 'locations_live_external_key'],
    ['sort=-external_key', 'locations_live_external_key'],
    ['sort=name', 'locations_live_name'],
    ['sort=-name', 'locations_live_name'],
    ['sort=created_at', 'locations_live_created_at'],
    ['sort=-created_at', 'locations_live_created_at'],
    ['is_active=true', 'locations_live_external_key'],
  ])('by "%s" is read from %s, near and far', async (query, index) => {
    const near = await readsOf(`/api/v1/locations?${query}`);
    expect(rowsBy(near, index)).toBeGreaterThanOrEqual(50);
    expect(rowsBy(near, index)).toBeLessThan(120);
    expect(rowsOf(near, 'locations')).toBeLessThan(120);
    const far = await readsOf(`/api/v1/locations?${query}&offset=2900&limit=40`);
    expect(rowsBy(far, index)).toBeGreaterThanOrEqual(2940);
    expect(rowsOf(far, 'locations')).toBeLessThanOrEqual(40);
  });

  it.each(['A3F2B', 'x', 'ä', '倉庫'])('by "%s" is found through the index of substrings', async (q) => {
    const nodes = await readsOf(`/api/v1/locations?q=${encodeURIComponent(q)}`);
    expect(rowsBy(nodes, 'locations_live_grams')).toBeGreaterThanOrEqual(0);
    expect(rowsBy(nodes, 'tags_live_grams')).toBeGreaterThanOrEqual(0);
    expect(rowsOf(nodes, 'locations')).toBeLessThan(200);
  });

  it('by parent reads its children alone', async () => {
    for (const query of [`parent_id=${await idOf('L-00002')}`, 'parent_external_key=L-00002']) {
      const nodes = await readsOf(`/api/v1/locations?${query}`);
      expect(rowsBy(nodes, 'locations_live_parent')).toBe(10);
      expect(rowsOf(nodes, 'locations')).toBeLessThanOrEqual(10);
    }
  });
});

describe('a walk through the tree', () => {
  it.each([
    ['ancestors', 'L-02345', 5],
    ['children', 'L-00002', 10],
    ['descendants', 'L-00023', 110],
  ])('to the %s of %s reads no more than them', async (walk, key, count) => {
    const nodes = await readsOf(`/api/v1/locations/${await idOf(key)}/${walk}`);
    expect(rowsOf(nodes, 'locations')).toBeLessThanOrEqual(count);
  });
});
