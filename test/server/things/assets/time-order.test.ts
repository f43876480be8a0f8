import { beforeAll, describe, expect, it } from 'vitest';
import { type TableFilter } from '../../../../server/things/assets/table-filter.js';
import { findTablePage } from '../../../../server/things/assets/table-queries.js';
import { createPlanReader, rowsBy } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

// Of these assets the 700 seen last are deleted, 2,600 were seen within ten seconds, 1,800 of them in one millisecond, and others
// are not shown here and there.

const assets = 7600;

type Row = {
  id: number;
  external_key: string;
  location_external_key: string | null;
  last_seen: number;
  is_active: boolean;
  is_deleted: boolean;
  is_effective: boolean;
  /** Milliseconds after the beginning of the busy ten seconds. */
  in_busy: number;
};

const busyStartMs = Math.floor(Date.now() / 10_000) * 10_000 - 2 * 86_400_000;

const world = fileWorld(createScanWorld);
let org: ScanOrganization;
let rows: Row[];

beforeAll(async () => {
  await fill((await world.organization()).orgId, 300);
  org = await world.organization();
  await fill(org.orgId, assets);
  await world.db.$executeRawUnsafe('VACUUM ANALYZE');
  rows = await world.db.$queryRaw<Row[]>`
    SELECT a.id, a.external_key, l.external_key AS location_external_key, a.is_active,
           round(date_part('epoch', p.asset_last_seen) * 1000) AS last_seen, a.deleted_at IS NOT NULL AS is_deleted,
           a.valid_from <= now() AND (a.valid_to IS NULL OR a.valid_to > now()) AS is_effective,
           round(date_part('epoch', p.asset_last_seen) * 1000) - ${busyStartMs}::float8 AS in_busy
      FROM asset_positions p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
      LEFT JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id
     WHERE p.org_id = ${org.orgId}
     ORDER BY p.asset_id`;
});

async function fill(orgId: number, count: number): Promise<void> {
  const { db } = world;
  await db.$executeRaw`
    INSERT INTO locations (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'L-' || n, 'Location', now() - interval '1 day', now(), now() FROM generate_series(1, 5) AS n`;
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, is_active, valid_from, valid_to, created_at, updated_at, deleted_at)
    SELECT ${orgId}, 'A-' || lpad((n * 7919 % 100003)::text, 6, '0'), 'Thing ' || n % 4, n % 8 <> 0,
           now() + CASE WHEN n % 23 = 0 THEN interval '1 day' ELSE interval '-1 day' END,
           CASE WHEN n % 29 = 0 THEN now() - interval '1 hour' END,
           now(), now(), CASE WHEN n <= 700 OR n % 31 = 0 THEN now() END
      FROM generate_series(1, ${count}::int) AS n`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await db.$executeRawUnsafe('ANALYZE assets, locations');
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
    SELECT n.org_id, n.id, l.id,
           to_timestamp(${busyStartMs}::float8 / 1000) + interval '1 millisecond' * t.ms,
           now() - interval '1 year'
      FROM (SELECT a.*, row_number() OVER (ORDER BY id) AS no FROM assets a WHERE a.org_id = ${orgId}) n
     CROSS JOIN LATERAL (
       SELECT CASE
                WHEN n.no <= 700 THEN 20000 + n.no
                WHEN n.no <= 2500 THEN 5000
                WHEN n.no <= 3300 THEN n.no * 7919 % 997 * 10
                ELSE -(n.no * 7919 % 40009) * 10
              END AS ms) t
      LEFT JOIN locations l ON l.org_id = n.org_id AND l.external_key = 'L-' || n.no % 7`;
}

type Compare = (one: Row, other: Row) => number;

const newestFirst: Compare = (one, other) => other.last_seen - one.last_seen;
const oldestFirst: Compare = (one, other) => one.last_seen - other.last_seen;
const byKey: Compare = (one, other) => (one.external_key < other.external_key ? -1 : 1);
/** Rows without a location come last, as in PostgreSQL. */
const byLocation: Compare = (one, other) => {
  const [a, b] = [one.location_external_key ?? '~', other.location_external_key ?? '~'];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** The ids of the rows in an order whose last term is the id. */
function ordered(those: readonly Row[], ...terms: readonly Compare[]): number[] {
  const compare: Compare = (one, other) =>
    [...terms, (a: Row, b: Row) => a.id - b.id].reduce((result, term) => result || term(one, other), 0);
  return those.toSorted(compare).map(({ id }) => id);
}

/**
 * Offsets on both sides of the offset at which pages are found in another way, among the rows of one millisecond, and
 * around the end.
 */
function offsetsOf(ids: readonly number[]): number[] {
  const ofMillisecond = new Set(rows.filter((row) => row.in_busy === 5000).map(({ id }) => id));
  const equal = ids.findIndex((id) => ofMillisecond.has(id));
  return [0, 7, 280, 299, 300, 301, 640, 999, 1000, 2150, 4000, equal + 5, ids.length - 3, ids.length, ids.length + 5];
}

describe('the report', () => {
  const isShown = ({ is_deleted: isDeleted, is_effective: isEffective }: Row) => !isDeleted && isEffective;

  it.each<[sort: string, includeDeleted: boolean, terms: Compare[]]>([
    ['-asset_last_seen', false, [newestFirst]],
    ['asset_last_seen', false, [oldestFirst]],
    ['-asset_last_seen', true, [newestFirst]],
    ['asset_last_seen', true, [oldestFirst]],
    ['-asset_last_seen,asset_external_key', false, [newestFirst, byKey]],
    ['asset_last_seen,location_external_key', false, [oldestFirst, byLocation]],
    ['location_external_key,-asset_last_seen', false, [byLocation, newestFirst]],
    ['location_external_key', false, [byLocation]],
  ])('by %s, with deleted assets: %s', async (sort, includeDeleted, terms) => {
    const ids = ordered(
      rows.filter((row) => (includeDeleted ? row.is_effective : isShown(row))),
      ...terms,
    );
    for (const offset of offsetsOf(ids)) {
      const limit = offset === 7 ? 200 : 20;
      const { data, total_count } = await org.admin.reports.assetLocations({
        sort,
        offset,
        limit,
        include_deleted: includeDeleted,
      });
      expect([offset, total_count, data.map(({ asset_id: id }) => id)]).toEqual([
        offset,
        ids.length,
        ids.slice(offset, offset + limit),
      ]);
    }
  });

  it.each<[sort: string, terms: Compare[]]>([
    ['-asset_last_seen', [newestFirst]],
    ['-asset_last_seen,asset_external_key', [newestFirst, byKey]],
    ['-asset_external_key', [(one, other) => byKey(other, one)]],
  ])('of two locations, by %s', async (sort, terms) => {
    const those = rows.filter((row) => isShown(row) && ['L-2', 'L-4'].includes(row.location_external_key ?? ''));
    const ids = ordered(those, ...terms);
    for (const offset of [0, 100, ids.length - 3, ids.length + 5]) {
      const filter = { location_external_key: ['L-2', 'L-4'] };
      const page = await org.admin.reports.assetLocations({ ...filter, sort, offset, limit: 20 });
      expect([page.total_count, page.data.map(({ asset_id: id }) => id)]).toEqual([
        ids.length,
        ids.slice(offset, offset + 20),
      ]);
    }
  });
});

describe('the table of assets', () => {
  it.each<[what: string, filter: TableFilter, holds: (row: Row) => boolean]>([
    ['all', {}, () => true],
    ['active ones', { isActive: true }, (row) => row.is_active],
    ['those in effect', { inEffect: true }, (row) => row.is_effective],
    [
      'those not seen since the middle of the busy seconds',
      { seenBeforeMs: busyStartMs + 6000 },
      (row) => row.in_busy < 6000,
    ],
    ['those not seen since before these', { seenBeforeMs: busyStartMs - 35_000 }, (row) => row.in_busy < -35_000],
  ])('shows %s by time', async (_, filter, holds) => {
    const those = rows.filter((row) => !row.is_deleted && holds(row));
    for (const descending of [true, false]) {
      const ids = ordered(those, descending ? newestFirst : oldestFirst);
      for (const offset of offsetsOf(ids)) {
        const page = await findTablePage(world.db, org.orgId, {
          filter: { isSeen: true, ...filter },
          sort: { field: 'asset_last_seen', descending },
          paging: { limit: 30, offset },
        });
        expect([offset, page.ids]).toEqual([offset, ids.slice(offset, offset + 30)]);
      }
    }
  });
});

it('a page is found on indexes by few rows', async () => {
  await using plans = await createPlanReader(world.databaseUrl);
  const viewer = await org.as('viewer');
  const tables = new Set(['asset_positions', 'assets']);
  const whole = [
    () => org.admin.reports.assetLocations({ sort: undefined }),
    () => org.admin.reports.assetLocations({ sort: undefined, offset: 250 }),
    () => viewer.assets.table({ sort: '-asset_last_seen' }),
  ];
  for (const page of [...whole, () => viewer.assets.table({ sort: '-asset_last_seen', is_active: true })]) {
    const nodes = await plans.nodesOf(page);
    expect(nodes.filter(({ kind, relation }) => kind === 'Seq Scan' && tables.has(relation))).toEqual([]);
    // A filter is followed up to 5,000 rows, to count them.
    if (!whole.includes(page)) continue;
    // Besides its rows, a page reads the rows of two seconds of the order, in which 1,800 assets were seen here.
    expect(rowsBy(nodes, 'asset_positions_listed')).toBeGreaterThanOrEqual(50);
    expect(rowsBy(nodes, 'asset_positions_listed')).toBeLessThan(3000);
  }
});
