import { expect, it } from 'vitest';
import { markExpired } from '../../../../server/kernel/database/expired.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization, type ScanWorld } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);

const past = '2021-01-01T00:00:00Z';

type Totals = { assets: number; withDeleted: number; report: number; reportWithDeleted: number; locations: number };

/** What the lists say they have, each compared with what they show. */
async function totalsOf(organization: ScanOrganization): Promise<Totals> {
  const admin = organization.admin;
  const all = { limit: 200, offset: 0, sort: undefined };
  const pages = {
    assets: await admin.assets.list({ ...all, include_deleted: false }),
    withDeleted: await admin.assets.list({ ...all, include_deleted: true }),
    report: await admin.reports.assetLocations({ ...all, include_deleted: false }),
    reportWithDeleted: await admin.reports.assetLocations({ ...all, include_deleted: true }),
    locations: await admin.locations.list({ ...all, include_deleted: false }),
  };
  return Object.fromEntries(
    Object.entries(pages).map(([name, page]) => {
      expect(page.data.length, name).toBe(page.total_count);
      return [name, page.total_count];
    }),
  ) as Totals;
}

type Counted = { kind: string; is_active: boolean; is_deleted: boolean; is_expired: boolean; n: number };

/** The kept counts of an organization beside what is there. */
async function countsOf(orgId: number): Promise<{ kept: Counted[]; present: Counted[] }> {
  const kept = await world.db.$queryRaw<Counted[]>`
    SELECT kind, is_active, is_deleted, is_expired, sum(n)::int AS n FROM row_counts WHERE org_id = ${orgId}
     GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4`;
  const present = await world.db.$queryRaw<Counted[]>`
    SELECT kind COLLATE "C" AS kind, is_active, deleted_at IS NOT NULL AS is_deleted, is_expired, count(*)::int AS n
      FROM (SELECT 'asset' AS kind, is_active, deleted_at, is_expired FROM assets WHERE org_id = ${orgId}
            UNION ALL
            SELECT 'location', is_active, deleted_at, is_expired FROM locations WHERE org_id = ${orgId}
            UNION ALL
            SELECT 'position', true, a.deleted_at, a.is_expired
              FROM asset_positions p JOIN assets a ON a.id = p.asset_id WHERE p.org_id = ${orgId}) r
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
  return { kept, present };
}

async function expectCountsToHold(orgId: number): Promise<void> {
  const { kept, present } = await countsOf(orgId);
  expect(kept).toEqual(present);
}

function addPosition(db: Pick<ScanWorld['db'], '$executeRaw'>, orgId: number, assetId: number): Promise<number> {
  return db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since) VALUES (${orgId}, ${assetId}, now(), now())`;
}

async function expiredAsset(organization: ScanOrganization): Promise<number> {
  const id = await organization.asset();
  await organization.admin.assets.update({ asset_id: id, valid_to: past });
  return id;
}

it('lists show and count the same before and after rows are flagged, and when a window is changed', async () => {
  const organization = await world.organization();
  const { orgId, admin } = organization;
  const ids: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    const id = await organization.asset();
    await addPosition(world.db, orgId, id);
    ids.push(id);
  }
  const [over = 0, goneAndOver = 0, gone = 0, ahead = 0] = ids;
  const location = await organization.location();
  await organization.location();
  await admin.assets.update({ asset_id: over, valid_to: past });
  await admin.assets.update({ asset_id: goneAndOver, valid_to: past });
  await admin.assets.update({ asset_id: ahead, valid_from: '2100-01-01T00:00:00Z' });
  await admin.locations.update({ location_id: location, valid_to: past });
  for (const id of [goneAndOver, gone]) await organization.deleteAsset(id);
  await expiredAsset(organization);
  const before = await totalsOf(organization);
  expect(before).toEqual({ assets: 2, withDeleted: 3, report: 2, reportWithDeleted: 3, locations: 1 });

  const [row] = await world.db.$queryRaw<{ updated_at: Date }[]>`SELECT updated_at FROM assets WHERE id = ${over}`;
  expect(await markExpired(world.db)).toBe(4);
  expect(await markExpired(world.db)).toBe(0);
  expect(await totalsOf(organization)).toEqual(before);
  await expectCountsToHold(orgId);
  expect(await world.db.$queryRaw`SELECT updated_at FROM assets WHERE id = ${over}`).toEqual([row]);

  await admin.assets.update({ asset_id: over, valid_to: '2100-01-01T00:00:00Z' });
  await admin.locations.update({ location_id: location, valid_to: null });
  expect(await totalsOf(organization)).toEqual({
    assets: 3,
    withDeleted: 4,
    report: 3,
    reportWithDeleted: 4,
    locations: 2,
  });
  await expectCountsToHold(orgId);

  await admin.assets.update({ asset_id: over, valid_to: past });
  expect(await totalsOf(organization)).toEqual({ ...before, locations: 2 });
  expect(await markExpired(world.db)).toBe(1);
  await admin.assets.update({ asset_id: over, name: 'Still over', valid_to: past });
  expect(await totalsOf(organization)).toEqual({ ...before, locations: 2 });
  await organization.deleteAsset(over);
  await expectCountsToHold(orgId);
});

it('the flag is not a change that is reported', async () => {
  const organization = await world.organization();
  const id = await expiredAsset(organization);
  const entries = () => world.db.activityEntry.count({ where: { orgId: organization.orgId } });
  const before = await entries();
  await markExpired(world.db);
  expect(await entries()).toBe(before);
  expect((await organization.admin.assets.get({ asset_id: id })).data.valid_to).toBe('2021-01-01T00:00:00.000Z');
});

it('an asset whose first position is being stored is left, and counted with it later', async () => {
  const organization = await world.organization();
  const id = await expiredAsset(organization);
  await world.db.$transaction(async (tx) => {
    await addPosition(tx, organization.orgId, id);
    expect(await markExpired(world.db)).toBe(0);
  });
  expect(await markExpired(world.db)).toBe(1);
  await expectCountsToHold(organization.orgId);
});

it('a window that is changed while the first position is being stored waits for it', async () => {
  const organization = await world.organization();
  const id = await expiredAsset(organization);
  await markExpired(world.db);
  let change: Promise<unknown> = Promise.resolve();
  await world.db.$transaction(async (tx) => {
    await addPosition(tx, organization.orgId, id);
    change = organization.admin.assets.update({ asset_id: id, valid_to: null });
    await expect
      .poll(async () => {
        const [row] = await world.db.$queryRaw<{ n: number }[]>`
          SELECT count(*)::int AS n FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE assets%'`;
        return row?.n;
      })
      .toBeGreaterThan(0);
  });
  await change;
  await expectCountsToHold(organization.orgId);
  expect((await totalsOf(organization)).report).toBe(1);
});

it('flags any number of rows', async () => {
  const organization = await world.organization();
  await world.db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, valid_to, created_at, updated_at)
    SELECT ${organization.orgId}, 'A-' || n, 'x', now() - interval '2 days', now() - interval '1 day', now(), now()
      FROM generate_series(1, 1203) AS n`;
  expect(await markExpired(world.db)).toBe(1203);
  await expectCountsToHold(organization.orgId);
  expect((await totalsOf(organization)).assets).toBe(0);
});
