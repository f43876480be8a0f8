import { expect, it } from 'vitest';
import type { Database } from '../../../../server/kernel/database/client.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { type ExplainedStatement, explaining } from '../../../support/explained-statements.js';
import { createScanWorld, type ScanWorld } from '../../../support/scan-world.js';
import { message, read } from './tag-reads.js';

const assets = 400;
const readsPerBatch = 100;
/** Blocks that a statement reads for each read of a batch, and once. */
const buffersPerRead = 60;
const buffersOnce = 300;

async function prepare(world: ScanWorld) {
  const { db } = world;
  const org = await world.organization();
  const { orgId } = org;
  const [here, there] = [await org.location(), await org.location()];
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'A-' || n, 'A', now(), now(), now() FROM generate_series(1, ${assets}::int) n`;
  await db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT ${orgId}, id, 'rfid', 'TAG' || row_number() OVER (ORDER BY id) FROM assets WHERE org_id = ${orgId}`;
  const readers = [
    await org.reader({ location_id: here, resolution_seconds: 0 }),
    await org.reader({ location_id: there, resolution_seconds: 0 }),
  ] as const;

  /** Stores a read of each of some tags, and returns the statements by which that was done. */
  async function store(tags: readonly number[], at: 'here' | 'there'): Promise<ExplainedStatement[]> {
    const statements: ExplainedStatement[] = [];
    await storeOn(
      explaining(world.connections, (statement) => statements.push(statement)),
      tags,
      at,
    );
    return statements;
  }

  async function storeOn(
    connections: Pick<Database, '$transaction'>,
    tags: readonly number[],
    at: 'here' | 'there',
  ): Promise<void> {
    const nowMs = Date.now();
    const reads = tags.map((no) => read({ value: `TAG${no}`, observedAtMs: nowMs }));
    await ingestReads(connections, [message({ org, reader: at === 'here' ? readers[0] : readers[1] }, reads, nowMs)], {
      retentionDays: 365,
      waitForTrees: true,
    });
  }

  return { org, store, storeOn };
}

/** Statements that read more than their reads need, or find positions or visits by something else than their keys. */
function notByKey(statements: readonly ExplainedStatement[], reads: number): string[] {
  return statements.flatMap(({ name, buffers, indexes }) => [
    ...(buffers > buffersOnce + reads * buffersPerRead ? [`${name}: ${buffers} blocks for ${reads} reads`] : []),
    ...['asset_positions', 'asset_visits'].flatMap((table) =>
      [...(indexes.get(table) ?? [])]
        .filter((index) => index !== `${table}_pkey` && index !== 'ctid')
        .map((index) => `${name}: ${table} by ${index}`),
    ),
  ]);
}

const batchOfTags = (first: number) => Array.from({ length: readsPerBatch }, (_, n) => first + n);

it('stores moves by key on a new database without statistics', async () => {
  await using world = await createScanWorld();
  const { store } = await prepare(world);
  for (const [at, first] of [
    ['here', 1],
    ['there', 1],
    ['here', 1],
    ['here', 101],
    ['there', 51],
  ] as const) {
    expect(notByKey(await store(batchOfTags(first), at), readsPerBatch)).toEqual([]);
  }
});

it('stores a move of a busy asset by key although statistics show calm assets with one visit each', async () => {
  await using world = await createScanWorld();
  const { db } = world;
  const { org, store } = await prepare(world);
  for (const first of [1, 101, 201, 301]) await store(batchOfTags(first), 'here');
  await db.$executeRaw`
    INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
    SELECT p.org_id, p.asset_id, p.located_since - n * interval '1 minute', p.located_since - (n - 1) * interval '1 minute',
           p.located_since - (n - 1) * interval '1 minute', p.location_id
      FROM asset_positions p
     CROSS JOIN generate_series(1, 10000) AS n
     WHERE p.asset_id = (SELECT t.asset_id FROM tags t WHERE t.org_id = ${org.orgId} AND t.value = 'TAG1')`;
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  expect(notByKey(await store([1], 'there'), 1)).toEqual([]);
  expect(notByKey(await store([1], 'here'), 1)).toEqual([]);
  expect(notByKey(await store(batchOfTags(1), 'there'), readsPerBatch)).toEqual([]);
});

it.each(['without statistics', 'with statistics'])(
  'stores a move in an organization of 20,000 locations by key, %s',
  async (statistics) => {
    await using world = await createScanWorld();
    const { db } = world;
    const { org, store } = await prepare(world);
    await db.$executeRaw`
    INSERT INTO locations (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${org.orgId}, 'L-' || n, 'L', now(), now(), now() FROM generate_series(1, 20000) n`;
    for (const first of [1, 101, 201, 301]) await store(batchOfTags(first), 'there');
    if (statistics === 'with statistics') await db.$executeRawUnsafe('VACUUM ANALYZE');
    for (const at of ['here', 'there', 'here'] as const) {
      const statements = await store([1], at);
      expect(notByKey(statements, 1)).toEqual([]);
      expect(statements.filter(({ indexes }) => indexes.get('locations')?.has('none'))).toEqual([]);
    }
  },
);

it('finds what is in a moved container by key on a new database without statistics', async () => {
  await using world = await createScanWorld();
  const { db } = world;
  const { org, store } = await prepare(world);
  await db.$executeRaw`
    INSERT INTO asset_containments (org_id, asset_id, container_id, since)
    SELECT ${org.orgId}, a.id, c.id, now()
      FROM assets a
      JOIN assets c ON c.org_id = a.org_id AND c.external_key = 'A-1'
     WHERE a.org_id = ${org.orgId} AND a.id <> c.id`;
  expect(notByKey(await store([1], 'here'), assets)).toEqual([]);
  const statements = await store([1], 'there');
  expect(notByKey(statements, assets)).toEqual([]);
  expect(statements.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^lock_contents/));
});

it('updates the positions of parked assets in place, without a change of any index', async () => {
  await using world = await createScanWorld();
  const { db } = world;
  const { storeOn } = await prepare(world);
  for (let times = 0; times < 2; times += 1) await storeOn(world.connections, batchOfTags(1), 'here');
  const updates = async () => {
    // A connection reports its counts after ten idle seconds, or when it is told to.
    await world.connections.$queryRaw`SELECT pg_stat_force_next_flush()`;
    const [row] = await db.$queryRaw<[{ all: number; in_place: number }]>`
      SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS in_place
        FROM pg_stat_user_tables WHERE relname = 'asset_positions'`;
    return row;
  };
  await expect.poll(async () => (await updates()).all, { timeout: 20_000 }).toBe(readsPerBatch);
  expect((await updates()).in_place).toBe(readsPerBatch);
});
