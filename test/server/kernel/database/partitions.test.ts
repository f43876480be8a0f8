import { describe, expect, it } from 'vitest';
import { openTestDb } from '../../../support/models.js';
import { dropExpiredPartitions, ensurePartitions } from '../../../../server/kernel/database/partitions.js';
import { effectiveRetention } from '../../../../server/tracking/scans/effective-retention.js';
import { createTestDatabase } from '../../../support/postgres.js';

async function setUp() {
  const database = await createTestDatabase();
  const db = openTestDb(database.url);
  return {
    db,
    async partitions() {
      const rows = await db.$queryRaw<{ name: string }[]>`
        SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'scan_events'::regclass ORDER BY 1`;
      return rows.map(({ name }) => name.replace('scan_events_', ''));
    },
    async [Symbol.asyncDispose]() {
      await db.$disconnect();
      await database[Symbol.asyncDispose]();
    },
  };
}

const at = (iso: string) => Date.parse(iso);

describe('partitions of scan events', () => {
  it('reach from the begin of the retention to two months ahead, over the turn of a year', async () => {
    await using world = await setUp();
    const made = await ensurePartitions(world.db, { retentionDays: 30, nowMs: at('2026-12-15T00:00:00Z') });
    expect(await world.partitions()).toEqual(['2026_11', '2026_12', '2027_01', '2027_02']);
    expect(made).toHaveLength(4);
    expect(await ensurePartitions(world.db, { retentionDays: 30, nowMs: at('2026-12-15T00:00:00Z') })).toEqual([]);
  });

  it('are made once by several processes at the same time', async () => {
    await using world = await setUp();
    const retention = { retentionDays: 90, nowMs: at('2026-06-15T00:00:00Z') };
    const made = await Promise.all(Array.from({ length: 5 }, () => ensurePartitions(world.db, retention)));
    expect(made.flat()).toHaveLength(6);
    expect(await world.partitions()).toHaveLength(6);
  });

  it('hold the first and the last instant of their month', async () => {
    await using world = await setUp();
    await ensurePartitions(world.db, { retentionDays: 1, nowMs: at('2026-06-15T00:00:00Z') });
    const { id: orgId } = await world.db.organization.create({ data: { name: 'Acme' } });
    const times = { validFrom: new Date(), createdAt: new Date(), updatedAt: new Date() };
    const { id: assetId } = await world.db.asset.create({ data: { orgId, externalKey: 'A', name: 'A', ...times } });
    const insert = (instant: string) => world.db.$executeRaw`
      INSERT INTO scan_events (org_id, asset_id, event_observed_at, received_at)
      VALUES (${orgId}, ${assetId}, ${instant}::timestamptz, now())`;
    await insert('2026-06-01T00:00:00Z');
    await insert('2026-06-30T23:59:59.999Z');
    const [row] = await world.db.$queryRaw<[{ n: number }]>`SELECT count(*)::int AS n FROM ONLY scan_events_2026_06`;
    expect(row.n).toBe(2);
  });

  it('are dropped when nothing in them can be within the retention, and no sooner', async () => {
    await using world = await setUp();
    await ensurePartitions(world.db, { retentionDays: 90, nowMs: at('2026-06-15T00:00:00Z') });
    const retention = { retentionDays: 30, nowMs: at('2026-07-01T12:00:00Z') };
    expect(await dropExpiredPartitions(world.db, retention)).toHaveLength(2);
    expect(await world.partitions()).toEqual(['2026_05', '2026_06', '2026_07', '2026_08']);
    expect(await dropExpiredPartitions(world.db, { ...retention, nowMs: at('2026-07-03T00:00:00Z') })).toEqual([
      'scan_events_2026_05',
    ]);
  });

  it('are kept where the clock is far ahead of the newest events', async () => {
    await using world = await setUp();
    await ensurePartitions(world.db, { retentionDays: 90, nowMs: at('2026-06-15T00:00:00Z') });
    const { id: orgId } = await world.db.organization.create({ data: { name: 'Acme' } });
    const times = { validFrom: new Date(), createdAt: new Date(), updatedAt: new Date() };
    const { id: assetId } = await world.db.asset.create({ data: { orgId, externalKey: 'A', name: 'A', ...times } });
    await world.db.$executeRaw`
      INSERT INTO scan_events (org_id, asset_id, event_observed_at, received_at)
      VALUES (${orgId}, ${assetId}, '2026-06-10T00:00:00Z'::timestamptz, now())`;
    const dropped = await dropExpiredPartitions(world.db, { retentionDays: 30, nowMs: at('2031-06-15T00:00:00Z') });
    expect(dropped).toEqual(['scan_events_2026_03', 'scan_events_2026_04']);
  });

  it('outlast a retention that was shortened by a day, which the log announces', async () => {
    await using world = await setUp();
    const warnings: object[] = [];
    const log = { warn: (details: object) => void warnings.push(details) };
    const days = async (wanted: number) => (await effectiveRetention(world.db, log, wanted)).retentionDays;
    expect([await days(90), await days(30), await days(30)]).toEqual([90, 90, 90]);
    expect(warnings).toMatchObject([{ keptDays: 90, nextDays: 30 }, { nextDays: 30 }]);
    const letDayPass = () =>
      world.db.$executeRaw`UPDATE event_retention SET effective_at = effective_at - interval '24 hours 1 second'`;
    await letDayPass();
    // Another wish begins another day, and a longer retention counts at once.
    expect([await days(20), await days(120), await days(30)]).toEqual([90, 120, 120]);
    await letDayPass();
    expect([await days(30), await days(30)]).toEqual([30, 30]);
  });

  it('are left for another time while somebody reads them', async () => {
    await using world = await setUp();
    await ensurePartitions(world.db, { retentionDays: 90, nowMs: at('2026-06-15T00:00:00Z') });
    const retention = { retentionDays: 1, nowMs: at('2026-06-15T00:00:00Z') };
    await world.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT count(*) FROM scan_events`;
      await expect(dropExpiredPartitions(world.db, retention)).rejects.toThrow('lock timeout');
    });
    expect(await dropExpiredPartitions(world.db, retention)).toHaveLength(3);
  });
});
