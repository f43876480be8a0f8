import { afterAll, expect, it } from 'vitest';
import { markExpired } from '../../../../server/kernel/database/expired.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge } from '../../../../server/tracking/scans/locating-knowledge.js';
import { OvertakenError } from '../../../../server/tracking/scans/storage-queries.js';
import { createRandom } from '../../../support/random.js';
import { sharedScanWorld, type ScanOrganization, type TestReader } from '../../../support/scan-world.js';

// The report is in the order of the exact time at which assets were last seen, whatever happens to them at the same time.

const world = await sharedScanWorld();

const knowledge = createLocatingKnowledge(world);
afterAll(() => knowledge.stop());

/** A minute of yesterday. */
const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

type Read = { value: string; atMs: number };

async function createReads(count: number) {
  const org = await world.organization();
  const location = await org.location();
  const reader = await org.reader({ location_id: location, resolution_seconds: 3600 });
  await world.db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${org.orgId}::int, 'A-' || n, 'An asset', now() - interval '1 day', now(), now()
      FROM generate_series(1, ${count}::int) AS n`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await world.db.$executeRawUnsafe('ANALYZE assets');
  await world.db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT org_id, id, 'rfid', external_key FROM assets WHERE org_id = ${org.orgId}`;
  return { org, ingest: (reads: readonly Read[]) => ingest(org, reader, reads) };
}

async function ingest(org: ScanOrganization, reader: TestReader, reads: readonly Read[]): Promise<void> {
  await knowledge.prepare([org.orgId]);
  const content = {
    kind: 'reads',
    reads: reads.map(({ value, atMs }) => ({
      ...({ tagType: 'rfid', antenna: 1, rssiDbm: -57 } as const),
      value,
      observedAtMs: atMs,
    })),
  } as const;
  const message = { orgId: org.orgId, readerId: reader.id, topic: 'reads', content };
  // The service repeats a batch, too, if one of its assets is deleted before its first position is stored.
  for (let isStored = false; !isStored; ) {
    isStored = await ingestReads(world.connections, [{ message, receivedAtMs: Date.now() }], {
      retentionDays: 365,
      waitForTrees: true,
      knowledge,
    }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof OvertakenError) return false;
        throw error;
      },
    );
  }
}

/** Expects pages of the report at some offsets to equal the list of all positions. */
async function expectOrder(org: ScanOrganization, offsets: readonly number[]): Promise<void> {
  for (const sort of ['-asset_last_seen', 'asset_last_seen']) {
    const rows = await world.db.$queryRaw<{ id: number }[]>`
      SELECT p.asset_id AS id
        FROM asset_positions p
        JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
       WHERE p.org_id = ${org.orgId} AND a.deleted_at IS NULL AND (a.valid_to IS NULL OR a.valid_to > now())
       ORDER BY CASE WHEN ${sort.startsWith('-')} THEN p.asset_last_seen END DESC, p.asset_last_seen, p.asset_id`;
    const ids = rows.map(({ id }) => id);
    for (const offset of offsets) {
      const { data, total_count } = await org.admin.reports.assetLocations({ sort, offset, limit: 10 });
      expect(total_count).toBe(ids.length);
      expect([sort, offset, data.map(({ asset_id: id }) => id)]).toEqual([
        sort,
        offset,
        ids.slice(offset, offset + 10),
      ]);
    }
  }
}

it('assets are in the order of their newest reads, however often they are read', async () => {
  const random = createRandom(7);
  const count = 500;
  const { org, ingest: read } = await createReads(count);
  // Each asset has an interval of its own: some are read several times a second, others once in twenty seconds.
  const assets = Array.from({ length: count }, (_, no) => {
    const intervalMs = [300, 2000, 4900, 5000, 7000, 10_000, 20_000][no % 7] ?? 0;
    return { value: `A-${no + 1}`, intervalMs, nextMs: baseMs + random() * intervalMs };
  });
  for (let second = 0; second < 45; second += 3) {
    const untilMs = baseMs + (second + 3) * 1000;
    const reads: Read[] = [];
    for (const asset of assets) {
      for (; asset.nextMs < untilMs; asset.nextMs += asset.intervalMs) {
        reads.push({ value: asset.value, atMs: Math.floor(asset.nextMs) });
      }
    }
    // A read of ten comes late: it is stored after those that are newer.
    const late = reads.filter(() => random() < 0.1);
    await read(reads.filter((each) => !late.includes(each)).toSorted((one, other) => one.atMs - other.atMs));
    await read(late);
    if (second % 9 === 0) await expectOrder(org, [0, 3, 100, 320, 410, count - 4]);
  }
  await expectOrder(org, [0, 50, 299, 300, 301, 350, 420, count - 1]);
  expect(await world.db.assetPosition.count({ where: { orgId: org.orgId } })).toBe(count);
}, 120_000);

it('assets that are deleted and expire while they are read are neither shown nor counted', async () => {
  const count = 400;
  const { org, ingest: read } = await createReads(count);
  const ids = (await world.db.asset.findMany({ where: { orgId: org.orgId }, orderBy: { id: 'asc' } })).map(
    ({ id }) => id,
  );
  await read(ids.slice(0, 300).map((_, no) => ({ value: `A-${no + 1}`, atMs: baseMs + no })));
  await world.db.asset.updateMany({
    where: { orgId: org.orgId, id: { in: ids.filter((_, no) => no % 5 === 0) } },
    data: { validTo: new Date(Date.now() - 1000) },
  });

  const readAll = async () => {
    for (let second = 1; second < 40; second += 4) {
      await read(ids.map((_, no) => ({ value: `A-${no + 1}`, atMs: baseMs + second * 1000 + ((no * 37) % 997) })));
    }
  };
  const deleteSome = async () => {
    // The procedure locks the asset, so that its first position is stored before or not at all.
    for (const id of ids.filter((_, no) => no % 8 === 3)) await org.admin.assets.delete({ asset_id: id });
  };
  await Promise.all([readAll(), deleteSome(), markExpired(world.db)]);
  await markExpired(world.db);

  const hidden = await world.db.$queryRaw<unknown[]>`
    SELECT a.id, a.deleted_at, a.is_expired, p.hidden_by
      FROM assets a
      JOIN asset_positions p ON p.org_id = a.org_id AND p.asset_id = a.id
     WHERE a.org_id = ${org.orgId} AND p.hidden_by <> (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int`;
  expect(hidden).toEqual([]);
  const counts = await world.db.$queryRaw<{ state: number; n: number }[]>`
    SELECT is_deleted::int + 2 * is_expired::int AS state, sum(n)::int AS n
      FROM row_counts WHERE org_id = ${org.orgId} AND kind = 'position' GROUP BY 1 HAVING sum(n) <> 0 ORDER BY 1`;
  const counted = await world.db.$queryRaw<{ state: number; n: number }[]>`
    SELECT hidden_by::int AS state, count(*)::int AS n
      FROM asset_positions WHERE org_id = ${org.orgId} GROUP BY 1 ORDER BY 1`;
  expect(counts).toEqual(counted);
  expect(counted.map(({ state }) => state)).toEqual([0, 1, 2, 3]);
  await expectOrder(org, [0, 100, 250, 270]);
}, 120_000);

it('pages equal a plain sort, near and deep, while positions are listed up to two seconds before they were seen', async () => {
  const count = 12_500;
  const { org } = await createReads(count);
  await world.db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
    SELECT org_id, id, to_timestamp(${baseMs / 1000}::float8) + id::bigint * 7919 % 20011 * interval '1 millisecond', now()
      FROM assets WHERE org_id = ${org.orgId}`;
  await world.db.$executeRaw`
    UPDATE asset_positions
       SET listed_at = asset_last_seen - asset_id::bigint * 104729 % 2001 * interval '1 millisecond'
     WHERE org_id = ${org.orgId}`;
  await expect(
    expectOrder(org, [0, 1, 300, 5000, 9990, 10_000, 10_001, 11_000, 12_300, count - 1]),
  ).resolves.toBeUndefined();
}, 120_000);

it('a read changes the list of positions only when the last sighting is more than two seconds ahead of it', async () => {
  const { org, ingest: read } = await createReads(1);
  const listed = async () => {
    const [row] = await world.db.$queryRaw<[{ seen: number; listed: number }]>`
      SELECT round(extract(epoch FROM asset_last_seen) * 1000)::float8 - ${baseMs}::float8 AS seen,
             round(extract(epoch FROM listed_at) * 1000)::float8 - ${baseMs}::float8 AS listed
        FROM asset_positions WHERE org_id = ${org.orgId}`;
    return row;
  };
  const after: unknown[] = [];
  for (const atMs of [0, 900, 2000, 2001, 4001, 4002, 100_000]) {
    await read([{ value: 'A-1', atMs: baseMs + atMs }]);
    after.push(await listed());
  }
  expect(after).toEqual([
    { seen: 0, listed: 0 },
    { seen: 900, listed: 0 },
    { seen: 2000, listed: 0 },
    { seen: 2001, listed: 2001 },
    { seen: 4001, listed: 2001 },
    { seen: 4002, listed: 4002 },
    { seen: 100_000, listed: 100_000 },
  ]);
});
