import { beforeAll, describe, expect, it } from 'vitest';
import { markExpired } from '../../../../server/kernel/database/expired.js';
import { deepOffsetMin } from '../../../../server/kernel/lists.js';
import { createReportStarts } from '../../../../server/tracking/reports/page-starts.js';
import { createPlanReader, rowsBy } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createWorld, type TestOrganization, type World } from '../../../support/world.js';

// Pages at large offsets are found in another way, and must equal the pages of a walk from the start. Every fifth asset
// has expired, every seventh has not begun, every eleventh is deleted; several are seen in the same millisecond.

const assets = 17_500;

const world = fileWorld(createWorld);
let organization: TestOrganization;
/** The visible rows, each in the default order of its list. */
let assetIds: number[];
let liveIds: number[];
let positionIds: number[];
let positionIdsWithDeleted: number[];
let positionIdsOldestFirst: number[];

beforeAll(async () => {
  organization = await world.organization();
  await fill((await world.organization()).orgId, 500);
  await fill(organization.orgId, assets);
  await world.db.$executeRawUnsafe('VACUUM ANALYZE');
  const effective = `valid_from <= now() AND (valid_to IS NULL OR valid_to > now())`;
  assetIds = await ids(
    `SELECT id FROM assets WHERE org_id = $1 AND deleted_at IS NULL AND ${effective} ORDER BY external_key`,
  );
  liveIds = await ids(`SELECT id FROM assets WHERE org_id = $1 AND ${effective} ORDER BY external_key, id`);
  const positions = (condition: string, direction: 'ASC' | 'DESC') =>
    ids(`SELECT a.id FROM asset_positions p JOIN assets a ON a.id = p.asset_id
          WHERE p.org_id = $1 AND ${effective} ${condition} ORDER BY p.asset_last_seen ${direction}, a.id`);
  positionIds = await positions('AND a.deleted_at IS NULL', 'DESC');
  positionIdsWithDeleted = await positions('', 'DESC');
  positionIdsOldestFirst = await positions('AND a.deleted_at IS NULL', 'ASC');
});

async function fill(orgId: number, count: number): Promise<void> {
  const { db } = world;
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, valid_to, created_at, updated_at, deleted_at)
    SELECT ${orgId}, 'A-' || lpad((n * 7919 % 100003)::text, 6, '0'), 'Thing',
           now() + CASE WHEN n % 7 = 0 THEN interval '1 day' ELSE interval '-1 day' END,
           CASE WHEN n % 5 = 0 THEN now() - interval '1 hour' WHEN n % 3 = 0 THEN now() + interval '1 hour' END,
           now(), now(), CASE WHEN n % 11 = 0 THEN now() END
      FROM generate_series(1, ${count}::int) AS n`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await db.$executeRawUnsafe('ANALYZE assets');
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
    SELECT org_id, id, date_trunc('second', now()) - (id * 7919 % 5000) * interval '40 milliseconds', now() - interval '1 year'
      FROM assets
     WHERE org_id = ${orgId}`;
}

async function ids(sql: string): Promise<number[]> {
  const rows = await world.db.$queryRawUnsafe<{ id: number }[]>(sql, organization.orgId);
  return rows.map(({ id }) => id);
}

/** Offsets around the first deep offset, in the middle of the deep offsets, and around the end. */
function offsetsOf(total: number): number[] {
  return [
    deepOffsetMin - 1,
    deepOffsetMin,
    deepOffsetMin + 1,
    5000,
    10_321,
    9000,
    total - 3,
    total - 1,
    total,
    total + 5,
    30_000,
  ];
}

type Page = { offset: number; shown: readonly number[]; total: number };

/** What pages of seven show. */
async function pagesOf(query: string, { key, total }: { key: 'id' | 'asset_id'; total: number }): Promise<Page[]> {
  const pages: Page[] = [];
  for (const offset of offsetsOf(total)) {
    const { body } = await organization.get(`/api/v1/${query}limit=7&offset=${offset}`);
    const shown = (body.data as Record<string, number>[]).map((item) => item[key] ?? 0);
    pages.push({ offset, shown, total: body.total_count as number });
  }
  return pages;
}

/** What they should show for rows in this order. */
function pagesIn(ids: readonly number[]): Page[] {
  return offsetsOf(ids.length).map((offset) => ({ offset, shown: ids.slice(offset, offset + 7), total: ids.length }));
}

describe.each([
  { state: 'unflagged', isFlagged: false },
  { state: 'flagged', isFlagged: true },
])('a page far down, with expired assets $state,', ({ isFlagged }) => {
  beforeAll(async () => {
    if (isFlagged) await markExpired(world.db);
  });

  it('has something to find', async () => {
    for (const list of [assetIds, liveIds, positionIds, positionIdsWithDeleted]) {
      expect(list.length).toBeGreaterThan(deepOffsetMin + 500);
    }
    const flagged = await ids('SELECT id FROM assets WHERE org_id = $1 AND is_expired');
    expect(flagged.length > assets / 10).toBe(isFlagged);
  });

  it.each<[query: string, key: 'id' | 'asset_id', ids: () => readonly number[]]>([
    ['assets?', 'id', () => assetIds],
    ['assets?sort=external_key&', 'id', () => assetIds],
    ['assets?sort=-external_key&', 'id', () => assetIds.toReversed()],
    ['assets?include_deleted=true&', 'id', () => liveIds],
    ['reports/asset-locations?', 'asset_id', () => positionIds],
    ['reports/asset-locations?include_deleted=true&', 'asset_id', () => positionIdsWithDeleted],
    ['reports/asset-locations?sort=asset_last_seen&', 'asset_id', () => positionIdsOldestFirst],
  ])('of %s is the one that follows', async (query, key, ids) => {
    expect(await pagesOf(query, { key, total: ids().length })).toEqual(pagesIn(ids()));
  });
});

describe('a page of the report from offset 10,001 on', () => {
  const order = () => ({ orgId: organization.orgId, descending: true });

  it('begins at a key that an earlier page has read', async () => {
    await using plans = await createPlanReader(world.databaseUrl);
    const path = '/api/v1/reports/asset-locations?offset=10200&limit=40';
    await organization.get(path);
    const nodes = await plans.nodesOf(() => organization.get(path));
    expect(rowsBy(nodes, 'asset_positions_listed')).toBeGreaterThanOrEqual(240);
    expect(rowsBy(nodes, 'asset_positions_listed')).toBeLessThan(2000);
  });

  it('begins where its offset was at most two seconds before, and keys are read once for pages at the same time', async () => {
    let nowMs = 1000;
    let reads = 0;
    const counting = {
      $queryRaw: (...query: Parameters<World['db']['$queryRaw']>) => {
        reads += 1;
        return world.db.$queryRaw(...query);
      },
    } as World['db'];
    const starts = createReportStarts(() => nowMs);
    const startAt = (offset: number) => starts.startOf(counting, order(), offset);
    const [first, second] = await Promise.all([startAt(10_100), startAt(10_500)]);
    expect([first.key?.assetId, first.skip]).toEqual([positionIds[10_000], 100]);
    expect([second.key?.assetId, second.skip]).toEqual([positionIds[10_000], 500]);
    expect(reads).toBe(1);

    const seen = positionIds[10_900];
    await world.db
      .$executeRaw`UPDATE asset_positions SET asset_last_seen = now(), listed_at = now() WHERE asset_id = ${seen}::int`;
    nowMs += 999;
    expect(await startAt(10_100)).toEqual(first);
    expect(reads).toBe(1);
    nowMs += 1001;
    const next = await startAt(10_100);
    expect([next.key?.assetId, next.skip]).toEqual([positionIds[9999], 100]);
    expect(reads).toBe(2);
    expect((await starts.startOf(counting, { orgId: -1, descending: true }, 10_100)).key).toBeUndefined();
  });
});

/** The page of the default order, read from the start. */
async function expectedAt(offset: number): Promise<number[]> {
  return ids(
    `SELECT id FROM assets
      WHERE org_id = $1 AND deleted_at IS NULL AND valid_from <= now() AND (valid_to IS NULL OR valid_to > now())
      ORDER BY external_key LIMIT 50 OFFSET ${offset}`,
  );
}

it('pages that are read in turn are the right ones while assets are created, deleted, renamed and expire', async () => {
  const first = await ids(`SELECT id FROM assets WHERE org_id = $1 AND deleted_at IS NULL AND NOT is_expired
                            ORDER BY external_key LIMIT 40`);
  let made = 0;
  const next = () => first[(made += 1)] ?? 0;
  const changes: (() => Promise<unknown>)[] = [
    () => organization.post('/api/v1/assets', { name: 'New', external_key: `A-0000000-${(made += 1)}` }),
    () => organization.delete(`/api/v1/assets/${next()}`),
    () => organization.post(`/api/v1/assets/${next()}/rename`, { external_key: `Z-${(made += 1)}` }),
    () => organization.patch(`/api/v1/assets/${next()}`, { valid_to: '2020-01-01T00:00:00Z' }),
    () => markExpired(world.db),
    () =>
      organization.patch(`/api/v1/assets/${first[made - 1] ?? 0}`, {
        valid_from: '2020-01-01T00:00:00Z',
        valid_to: null,
      }),
    async () => {},
    async () => {},
  ];
  for (let page = 0; page < 40; page += 1) {
    const offset = deepOffsetMin + page * 150;
    await changes[page % changes.length]?.();
    const { body } = await organization.get(`/api/v1/assets?limit=50&offset=${offset}`);
    expect(
      body.data.map(({ id }: { id: number }) => id),
      `page ${page}`,
    ).toEqual(await expectedAt(offset));
  }
});
