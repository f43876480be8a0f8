import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../../server/kernel/database/partitions.js';
import { createPlanReader, type PlanNode, type PlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createWorld, type TestOrganization } from '../../../support/world.js';

// Three organizations of 4,000 assets each, so that a plan never reads one of them, or a whole table, completely.

const organizations = 3;
const assetsEach = 4000;
const locationsEach = 400;
const seenEach = 200;
const eventsEach = 50;

const world = fileWorld(createWorld);
let plans: PlanReader;
let organization: TestOrganization;
let seenAsset: number;
let emptyRelations: Set<string>;

beforeAll(async () => {
  await ensurePartitions(world.db, { retentionDays: 365, nowMs: Date.now() });
  for (let count = 0; count < organizations; count += 1) {
    organization = await world.organization();
    await fill(organization.orgId);
  }
  await world.db.$executeRawUnsafe('VACUUM ANALYZE');
  const tables = await world.db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relpages = 0`;
  emptyRelations = new Set(tables.map(({ name }) => name));
  const { orgId } = organization;
  seenAsset = (await world.db.asset.findFirstOrThrow({ where: { orgId, externalKey: 'A-00001' } })).id;
  plans = await createPlanReader(world.databaseUrl);
});

afterAll(() => plans[Symbol.asyncDispose]());

async function fill(orgId: number): Promise<void> {
  const { db } = world;
  await db.$executeRaw`
    INSERT INTO locations (org_id, external_key, name, description, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'L-' || lpad(n::text, 5, '0'), 'Place ' || md5(n::text), md5((n * 7)::text), now() - interval '1 day',
           now() - n * interval '1 second', now()
      FROM generate_series(1, ${locationsEach}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, description, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'A-' || lpad(n::text, 5, '0'), 'Thing ' || md5(n::text), md5((n * 7)::text), now() - interval '1 day',
           now() - n * interval '1 second', now() - (n * 31 % 997) * interval '1 second'
      FROM generate_series(1, ${assetsEach}::int) AS n`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await db.$executeRawUnsafe('ANALYZE assets, locations');
  await db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT org_id, id, 'rfid', upper(md5(external_key || org_id)) FROM assets WHERE org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
    SELECT a.org_id, a.id, l.id, now() - (a.id % 5000) * interval '1 minute', now() - interval '1 year'
      FROM assets a
      JOIN locations l ON l.org_id = a.org_id AND l.external_key = 'L-' || lpad((1 + a.id % ${locationsEach}::int)::text, 5, '0')
     WHERE a.org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, received_at)
    SELECT p.org_id, p.asset_id, now() - n * interval '7 days', p.location_id, now()
      FROM asset_positions p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     CROSS JOIN generate_series(1, ${eventsEach}::int) AS n
     WHERE p.org_id = ${orgId} AND a.external_key <= 'A-' || lpad(${seenEach}::int::text, 5, '0')`;
}

/** Returns what the plans of one request read. Fails if any of them reads a whole table that is not empty. */
async function readsOf(path: string): Promise<PlanNode[]> {
  const nodes = await plans.nodesOf(async () => {
    const answer = await organization.get(path);
    expect(answer.status, answer.text).toBe(200);
  });
  const whole = nodes.filter(
    ({ kind, relation }) => kind === 'Seq Scan' && /^(assets|tags|asset_positions|scan_events)/.test(relation),
  );
  expect(whole.filter(({ relation }) => !emptyRelations.has(relation))).toEqual([]);
  return nodes;
}

describe('a page of the assets list', () => {
  it.each([
    ['', 'assets_live_external_key'],
    ['sort=external_key', 'assets_live_external_key'],
    ['sort=-external_key', 'assets_live_external_key'],
    ['sort=name', 'assets_live_name'],
    ['sort=-name', 'assets_live_name'],
    ['sort=created_at', 'assets_live_created_at'],
    ['sort=-created_at', 'assets_live_created_at'],
    ['sort=updated_at', 'assets_live_updated_at'],
    ['sort=-updated_at', 'assets_live_updated_at'],
    ['is_active=true', 'assets_live_external_key'],
    ['is_active=true&sort=-created_at', 'assets_live_created_at'],
    ['include_deleted=true', 'assets_external_key'],
  ])('by "%s" is read from %s, and no row more than it shows', async (query, index) => {
    const nodes = await readsOf(`/api/v1/assets?${query}`);
    expect(rowsBy(nodes, index)).toBeGreaterThanOrEqual(50);
    // Rows that tie in the first column may have to be sorted with the page's last.
    expect(rowsBy(nodes, index)).toBeLessThan(120);
    expect(rowsOf(nodes, 'assets')).toBeLessThan(120);
    expect(rowsOf(nodes, 'tags')).toBeLessThanOrEqual(50);
  });

  it.each([
    ['', 'assets_shown_order'],
    ['is_active=true&', 'assets_live_external_key'],
    ['sort=-name&', 'assets_live_name'],
    ['sort=created_at&', 'assets_live_created_at'],
    ['sort=-updated_at&', 'assets_live_updated_at'],
  ])('far down by "%s" skips entries of %s, not rows', async (query, index) => {
    const nodes = await readsOf(`/api/v1/assets?${query}offset=3900&limit=40`);
    expect(rowsBy(nodes, index)).toBeGreaterThan(3900);
    expect(rowsBy(nodes, index)).toBeLessThan(4000);
    expect(rowsOf(nodes, 'assets')).toBeLessThanOrEqual(40);
    expect(rowsOf(nodes, 'tags')).toBeLessThanOrEqual(40);
  });

  it('that follows a page far down skips what is between them', async () => {
    await organization.get('/api/v1/assets?offset=3600');
    const nodes = await readsOf('/api/v1/assets?offset=3650');
    expect(rowsBy(nodes, 'assets_shown_order')).toBeGreaterThan(0);
    expect(rowsBy(nodes, 'assets_shown_order')).toBeLessThanOrEqual(51);
  });

  it('by natural keys reads those alone', async () => {
    const nodes = await readsOf('/api/v1/assets?external_key=A-00001&external_key=A-03999&external_key=none');
    expect(rowsOf(nodes, 'assets')).toBeLessThanOrEqual(2);
  });

  it.each([
    'q=a3f2b',
    'q=A3F2B&sort=-created_at',
    'q=A-0399&is_active=true',
    'q=Thing%20c4ca',
    'q=a3f2b&include_deleted=true',
    'q=x',
    'q=x7',
    'q=x7&include_deleted=true',
    `q=${encodeURIComponent('ä')}`,
    `q=${encodeURIComponent('倉庫')}`,
    `q=${encodeURIComponent('нет такого')}`,
  ])('by "%s" is found through the index of substrings', async (query) => {
    const nodes = await readsOf(`/api/v1/assets?${query}`);
    expect(rowsBy(nodes, 'assets_live_grams')).toBeGreaterThanOrEqual(0);
    if (query.includes('deleted')) {
      const indexes = ['assets_deleted_grams', 'assets_trash'];
      const deleted = indexes.map((index) => rowsBy(nodes, index));
      expect(Math.max(...deleted)).toBeGreaterThanOrEqual(0);
    }
    expect(rowsBy(nodes, 'tags_live_grams')).toBeGreaterThanOrEqual(0);
    expect(rowsOf(nodes, 'assets')).toBeLessThan(200);
    expect(rowsOf(nodes, 'tags')).toBeLessThan(200);
  });

  it('by a letter that all have is found by reading assets and tags once', async () => {
    const nodes = await readsOf('/api/v1/assets?q=-');
    expect(rowsBy(nodes, 'assets_live_grams')).toBe(assetsEach);
    expect(rowsOf(nodes, 'assets')).toBeLessThanOrEqual(assetsEach);
    expect(rowsOf(nodes, 'tags')).toBeLessThan(200);
  });
});

it('a single row is read by its key', async () => {
  const nodes = await readsOf(`/api/v1/assets/${seenAsset}`);
  expect(rowsBy(nodes, 'assets_org_id_id_key')).toBe(1);
  expect(rowsOf(nodes, 'tags')).toBe(1);
});

describe('a page of the report', () => {
  const byTime = 'asset_positions_listed';
  const path = '/api/v1/reports/asset-locations';

  it.each([
    ['', byTime],
    ['sort=-asset_last_seen', byTime],
    ['sort=asset_last_seen', byTime],
    ['include_deleted=true', byTime],
  ])('by "%s" is read from %s, and no position more than it shows', async (query, index) => {
    const nodes = await readsOf(`${path}?${query}`);
    expect(rowsBy(nodes, index)).toBeGreaterThanOrEqual(50);
    expect(rowsOf(nodes, 'asset_positions')).toBeLessThan(120);
    expect(rowsOf(nodes, 'assets')).toBeLessThan(120);
    expect(rowsOf(nodes, 'locations')).toBeLessThan(120);
  });

  it.each(['', 'sort=asset_last_seen&'])(
    'with a large offset by "%s" reads the assets that it shows',
    async (query) => {
      const nodes = await readsOf(`${path}?${query}offset=3000&limit=40`);
      expect(rowsBy(nodes, byTime)).toBeLessThan(3100);
      expect(rowsOf(nodes, 'assets')).toBeLessThan(120);
    },
  );

  it('of some assets or locations reads those alone', async () => {
    const [{ id: locationId } = { id: 0 }] = (await organization.get('/api/v1/locations?external_key=L-00007')).body
      .data;
    for (const query of [
      `asset_id=${seenAsset}`,
      'asset_external_key=A-00001',
      `location_id=${locationId}`,
      'location_external_key=L-00007',
    ]) {
      const nodes = await readsOf(`${path}?${query}`);
      expect(rowsOf(nodes, 'asset_positions'), query).toBeLessThanOrEqual(assetsEach / locationsEach);
      expect(rowsOf(nodes, 'assets'), query).toBeLessThanOrEqual(assetsEach / locationsEach);
    }
  });

  it('never reads events', async () => {
    for (const query of [
      '',
      'offset=3900',
      'sort=location_external_key',
      'sort=asset_external_key',
      'location_external_key=L-00001',
    ]) {
      const nodes = await readsOf(`${path}?${query}`);
      expect(nodes.filter(({ relation }) => relation.startsWith('scan_events'))).toEqual([]);
    }
  });
});

describe('a page of a history', () => {
  it.each([
    '',
    '?sort=event_observed_at',
    '?limit=10&offset=30',
    '?from=2020-01-01T00:00:00Z',
    '?to=2999-01-01T00:00:00Z&limit=1',
  ])('"%s" reads the events of the one asset by their key', async (query) => {
    const nodes = await readsOf(`/api/v1/assets/${seenAsset}/history${query}`);
    const events = nodes.filter(({ relation, rows }) => relation.startsWith('scan_events') && rows > 0);
    expect(events.length).toBeGreaterThan(0);
    for (const { index, rows } of events) {
      expect(index).toMatch(/^scan_events_\d{4}_\d{2}_pkey$/);
      expect(rows).toBeLessThanOrEqual(eventsEach);
    }
  });
});
