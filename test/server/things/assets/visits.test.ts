import { beforeAll, describe, expect, it } from 'vitest';
import { removeOldVisits } from '../../../../server/things/assets/list-visits.js';
import { refusalOf } from '../../../support/caller.js';
import { createPlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { type AppCaller, createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);
let org: ScanOrganization;
let viewer: AppCaller;
let hall: number;
let yard: number;

beforeAll(async () => {
  org = await world.organization();
  viewer = await org.as('viewer');
  hall = await org.location();
  yard = await org.location();
});

const nowMs = Math.floor(Date.now() / 1000) * 1000;
const minutesAgo = (minutes: number) => new Date(nowMs - minutes * 60_000);

type TestVisit = { location: number | null; from: number; to?: number };

/** Stores visits, their times in minutes ago; each was last seen half a minute before it ended. */
async function addVisits(assetId: number, visits: readonly TestVisit[]): Promise<void> {
  await world.db.assetVisit.createMany({
    data: visits.map(({ location, from, to }) => ({
      orgId: org.orgId,
      assetId,
      locationId: location,
      arrivedAt: minutesAgo(from),
      ...(to !== undefined && { leftAt: minutesAgo(to), lastSeenAt: minutesAgo(to + 0.5) }),
    })),
  });
}

describe('assets.visits', () => {
  it('lists them newest first, the open one with the time of the position', async () => {
    const id = await org.asset();
    await addVisits(id, [
      { location: hall, from: 100, to: 80 },
      { location: yard, from: 80, to: 70 },
      { location: null, from: 70, to: 50 },
      { location: hall, from: 50 },
    ]);
    await world.db.assetPosition.create({
      data: {
        orgId: org.orgId,
        assetId: id,
        locationId: hall,
        assetLastSeen: minutesAgo(1),
        locatedSince: minutesAgo(50),
      },
    });
    const at = (minutes: number) => minutesAgo(minutes).toISOString();
    expect(await viewer.assets.visits({ asset_id: id })).toMatchObject({
      data: [
        {
          location: { id: hall },
          arrived_at: at(50),
          left_at: null,
          duration_seconds: null,
          last_seen_at: at(1),
        },
        { location: null, arrived_at: at(70), left_at: at(50), duration_seconds: 1200, last_seen_at: at(50.5) },
        { location: { id: yard }, arrived_at: at(80), left_at: at(70), duration_seconds: 600 },
        { location: { id: hall }, arrived_at: at(100), left_at: at(80), duration_seconds: 1200 },
      ],
      next_before: null,
    });
  });

  it('lists the same in pages as in one', async () => {
    const id = await org.asset();
    const visits = Array.from({ length: 10 }, (_, index) => ({
      location: index % 2 ? hall : yard,
      from: index * 3 + 3,
      to: index * 3,
    }));
    await addVisits(id, visits);
    const whole = await viewer.assets.visits({ asset_id: id, limit: 10 });
    expect(whole).toMatchObject({ data: { length: 10 }, next_before: null });
    const found: unknown[] = [];
    let before: string | undefined;
    do {
      const page = await viewer.assets.visits({ asset_id: id, limit: 3, ...(before === undefined ? {} : { before }) });
      found.push(...page.data);
      before = page.next_before ?? undefined;
    } while (before !== undefined);
    expect(found).toEqual(whole.data);
  });

  it('lists those that overlap a time, in pages too, and reads no others', async () => {
    const id = await org.asset();
    await addVisits(id, [
      { location: hall, from: 500, to: 400 },
      { location: yard, from: 400, to: 300 },
      { location: hall, from: 300, to: 200 },
      { location: yard, from: 200 },
    ]);
    const arrivals = async (from: number, to: number, more: { limit?: number; before?: string } = {}) => {
      const range = { from: minutesAgo(from).toISOString(), to: minutesAgo(to).toISOString() };
      const { data } = await viewer.assets.visits({ asset_id: id, ...range, ...more });
      return data.map(({ arrived_at: at }) => (nowMs - Date.parse(at)) / 60_000);
    };
    expect(await arrivals(350, 250)).toEqual([300, 400]);
    expect(await arrivals(300, 200)).toEqual([300]);
    expect(await arrivals(450, 401)).toEqual([500]);
    expect(await arrivals(600, 500)).toEqual([]);
    expect(await arrivals(100, 0)).toEqual([200]);
    expect(await arrivals(450, 0, { limit: 2 })).toEqual([200, 300]);
    expect(await arrivals(450, 0, { limit: 2, before: minutesAgo(300).toISOString() })).toEqual([400, 500]);
  });

  it('reads a page by its key, however many visits there are', async () => {
    const busy = await world.organization();
    const location = await busy.location();
    const assets: number[] = [];
    for (let count = 0; count < 10; count += 1) assets.push(await busy.asset());
    await world.db.$executeRaw`
      INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
      SELECT ${busy.orgId}, (${assets}::int[])[n % 10 + 1], at, at + interval '1 minute', at, ${location}
        FROM generate_series(0, 39999) AS n, LATERAL (SELECT now() - n * interval '1 minute' AS at) t`;
    await world.db.$executeRawUnsafe('VACUUM ANALYZE asset_visits');
    await using plans = await createPlanReader(world.databaseUrl);
    for (const before of [undefined, minutesAgo(20_000).toISOString()]) {
      const input = { asset_id: assets[3] ?? 0, limit: 15, ...(before === undefined ? {} : { before }) };
      const nodes = await plans.nodesOf(() => busy.admin.assets.visits(input));
      expect(rowsBy(nodes, 'asset_visits_pkey')).toBe(16);
      expect(rowsOf(nodes, 'asset_visits')).toBe(16);
    }
  });

  it('keeps the name of a location that is deleted', async () => {
    const { data: gone } = await org.admin.locations.create({ name: 'Old hall' });
    const id = await org.asset();
    await addVisits(id, [{ location: gone.id, from: 30, to: 20 }]);
    await org.deleteLocation(gone.id);
    expect((await viewer.assets.visits({ asset_id: id })).data).toMatchObject([
      { location: { name: 'Old hall', is_deleted: true } },
    ]);
  });

  it('is empty for an asset that was never seen, and rejected for others than the organization’s own', async () => {
    const id = await org.asset();
    expect(await viewer.assets.visits({ asset_id: id })).toEqual({ data: [], next_before: null });
    const other = await (await world.organization()).as('admin');
    const notFound = { type: 'not_found', detail: 'Asset not found' };
    expect(await refusalOf(other.assets.visits({ asset_id: id }))).toEqual(notFound);
    await org.deleteAsset(id);
    expect(await refusalOf(viewer.assets.visits({ asset_id: id }))).toEqual(notFound);
  });
});

it('deletes visits that ended before the retention of events, and keeps open ones', async () => {
  const id = await org.asset();
  const dayMinutes = 1440;
  await addVisits(id, [
    { location: hall, from: 40 * dayMinutes, to: 31 * dayMinutes },
    { location: yard, from: 31 * dayMinutes, to: 29 * dayMinutes },
  ]);
  const still = await org.asset();
  await addVisits(still, [{ location: hall, from: 90 * dayMinutes }]);
  const many = await org.asset();
  await world.db.$executeRaw`
    INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
    SELECT ${org.orgId}, ${many}, at, at + interval '1 second', at, ${hall}
      FROM generate_series(1, 4500) AS n, LATERAL (SELECT now() - interval '60 days' + n * interval '2 seconds' AS at) t`;
  await removeOldVisits(world.db, 30);
  expect((await viewer.assets.visits({ asset_id: id })).data).toMatchObject([{ location: { id: yard } }]);
  expect((await viewer.assets.visits({ asset_id: still })).data).toHaveLength(1);
  expect((await viewer.assets.visits({ asset_id: many })).data).toEqual([]);
});
