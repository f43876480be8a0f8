import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { createPlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);

const minuteMs = 60_000;
const dayMinutes = 1440;
const nowMs = Math.floor(Date.now() / 1000) * 1000;
const minutesAgo = (minutes: number) => new Date(nowMs - minutes * minuteMs);

type Stop = [location: number | null, minutesAgo: number];

/** Stores what ingestion would of an asset that goes from stop to stop: its visits, and its position at the last. */
async function travel(org: ScanOrganization, assetId: number, stops: readonly Stop[]): Promise<void> {
  const { orgId } = org;
  await world.db.assetVisit.createMany({
    data: stops.map(([locationId, arrived], index) => {
      const left = stops[index + 1]?.[1];
      return {
        orgId,
        assetId,
        locationId,
        arrivedAt: minutesAgo(arrived),
        ...(left !== undefined && { leftAt: minutesAgo(left), lastSeenAt: minutesAgo(left + 1) }),
      };
    }),
  });
  const [locationId, arrived] = stops.at(-1) ?? [null, 0];
  await world.db.assetPosition.create({
    data: { orgId, assetId, locationId, assetLastSeen: minutesAgo(0), locatedSince: minutesAgo(arrived) },
  });
}

let submissions = 0;

/** Places assets by a handheld scan, a number of minutes ago. */
async function scan(org: ScanOrganization, locationId: number, { assets, ago }: { assets: number[]; ago: number }) {
  submissions += 1;
  await org.admin.scans.submit({
    submission_id: `01J${submissions.toString().padStart(23, '0')}`,
    location_id: locationId,
    reads: assets.map((asset_id) => ({ asset_id })),
    observed_at: minutesAgo(ago).toISOString(),
  });
}

describe('locations.departures', () => {
  it('lists what left, when, and where it is now, each asset once with its last visit', async () => {
    const org = await world.organization();
    const [dock, store, yard] = [await org.location(), await org.location(), await org.location()];
    const [first, second, returned, lost] = [
      await org.asset(),
      await org.asset(),
      await org.asset(),
      await org.asset(),
    ];
    await travel(org, first, [
      [dock, 50],
      [store, 40],
      [dock, 20],
      [yard, 10],
    ]);
    await travel(org, second, [
      [dock, 50],
      [store, 30],
    ]);
    await travel(org, returned, [
      [dock, 50],
      [store, 40],
      [dock, 10],
    ]);
    await travel(org, lost, [
      [dock, 90],
      [null, 70],
    ]);
    const { data, has_more } = await org.admin.locations.departures({ location_id: dock });
    expect(has_more).toBe(false);
    const at = (minutes: number) => minutesAgo(minutes).toISOString();
    expect(data).toMatchObject([
      { asset_id: first, arrived_at: at(20), left_at: at(10), location: { id: yard } },
      { asset_id: second, arrived_at: at(50), left_at: at(30), location: { id: store } },
      { asset_id: lost, left_at: at(70), location: null, asset_last_seen: at(0) },
    ]);
    expect((await org.admin.locations.departures({ location_id: store })).data).toMatchObject([
      { asset_id: returned },
      { asset_id: first },
    ]);
  });

  it('pages after the previous row, also where several left at once', async () => {
    const org = await world.organization();
    const [dock, store] = [await org.location(), await org.location()];
    const assets = [await org.asset(), await org.asset(), await org.asset(), await org.asset()] as const;
    for (const asset of assets.slice(0, 3)) {
      await travel(org, asset, [
        [dock, 50],
        [store, 40],
      ]);
    }
    await travel(org, assets[3], [
      [dock, 50],
      [store, 30],
    ]);
    const seen: number[] = [];
    let after: { left_at: string; asset_id: number } | undefined;
    for (;;) {
      const page = await org.admin.locations.departures({ location_id: dock, limit: 1, ...(after && { after }) });
      seen.push(...page.data.map(({ asset_id }) => asset_id));
      const last = page.data.at(-1);
      if (!last || !page.has_more) break;
      after = { left_at: last.left_at, asset_id: last.asset_id };
    }
    expect(seen).toEqual([assets[3], assets[0], assets[1], assets[2]]);
  });

  it('leaves out what left more than seven days ago, and deleted assets', async () => {
    const org = await world.organization();
    const [dock, store] = [await org.location(), await org.location()];
    const [old, recent, deleted] = [await org.asset(), await org.asset(), await org.asset()];
    await travel(org, old, [
      [dock, 9 * dayMinutes],
      [store, 8 * dayMinutes],
    ]);
    for (const asset of [recent, deleted]) {
      await travel(org, asset, [
        [dock, 9 * dayMinutes],
        [store, 6 * dayMinutes],
      ]);
    }
    await org.deleteAsset(deleted);
    expect((await org.admin.locations.departures({ location_id: dock })).data).toMatchObject([{ asset_id: recent }]);
  });

  it('finds the few that left among many visits of assets that are back', async () => {
    const org = await world.organization();
    const [hub, aisle] = [await org.location(), await org.location()];
    const gone = [await org.asset(), await org.asset()];
    for (const [index, asset] of gone.entries()) {
      await travel(org, asset, [
        [hub, 5 * dayMinutes],
        [aisle, (4 - index) * dayMinutes],
      ]);
    }
    const back = await org.asset();
    await travel(org, back, [[hub, 1]]);
    // Every other minute for three days and a half: before, between and after the two departures that count.
    await world.db.$executeRaw`
      INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
      SELECT ${org.orgId}, ${back}, at - interval '1 minute', at, at, ${hub}
        FROM generate_series(1, 3500) AS n, LATERAL (SELECT now() - (n * 2 + 1) * interval '1 minute' AS at) t`;
    const first = await org.admin.locations.departures({ location_id: hub, limit: 1 });
    expect(first).toMatchObject({ data: [{ asset_id: gone[1] }], has_more: true });
    const [row] = first.data;
    const after = { left_at: row?.left_at ?? '', asset_id: row?.asset_id ?? 0 };
    expect(await org.admin.locations.departures({ location_id: hub, limit: 1, after })).toMatchObject({
      data: [{ asset_id: gone[0] }],
      has_more: false,
    });
  });

  it('is rejected for a location of another organization', async () => {
    const org = await world.organization();
    const location_id = await (await world.organization()).location();
    expect(await refusalOf(org.admin.locations.departures({ location_id }))).toEqual({
      type: 'not_found',
      detail: 'Location not found',
    });
  });

  it('reads a few visits for each row of the page, wherever it begins', async () => {
    const org = await world.organization();
    const [dock, store] = [await org.location(), await org.location()];
    const first = await org.asset();
    const assets = 2000;
    await world.db.$executeRaw`
      INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
      SELECT ${org.orgId}, 'D-' || n, 'A thing', now(), now(), now() FROM generate_series(2, ${assets}::int) AS n`;
    await world.db.$executeRaw`
      INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
      SELECT org_id, id, ${store}, now(), now() FROM assets WHERE org_id = ${org.orgId}`;
    await world.db.$executeRaw`
      INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
      SELECT a.org_id, a.id, at, at + interval '1 minute', at, ${dock}
        FROM assets a, generate_series(1, 10) AS n,
             LATERAL (SELECT now() - n * interval '12 hours' - (a.id - ${first}) * interval '10 seconds' AS at) t
       WHERE a.org_id = ${org.orgId}`;
    await world.db.$executeRawUnsafe('VACUUM ANALYZE');
    await using plans = await createPlanReader(world.databaseUrl);
    const { data } = await org.admin.locations.departures({ location_id: dock, limit: 200 });
    const last = data.at(-1);
    const pages = [undefined, { left_at: last?.left_at ?? '', asset_id: last?.asset_id ?? 0 }];
    for (const after of pages) {
      const input = { location_id: dock, limit: 20, ...(after && { after }) };
      const nodes = await plans.nodesOf(() => org.admin.locations.departures(input));
      expect(rowsBy(nodes, 'asset_visits_departures')).toBe(105);
      expect(rowsOf(nodes, 'asset_visits')).toBeLessThanOrEqual(105);
      expect(rowsOf(nodes, 'asset_positions')).toBeLessThanOrEqual(105);
      expect(rowsOf(nodes, 'assets')).toBeLessThanOrEqual(105);
    }
  });

  it('follows handheld scans; one of an earlier time moves nothing', async () => {
    const org = await world.organization();
    const [dock, store] = [await org.location(), await org.location()];
    const [late, moved] = [await org.asset(), await org.asset()];
    await scan(org, dock, { assets: [late, moved], ago: 50 });
    await scan(org, store, { assets: [late], ago: 60 });
    await scan(org, store, { assets: [moved], ago: 40 });
    expect((await org.admin.locations.departures({ location_id: dock })).data).toMatchObject([
      { asset_id: moved, location: { id: store } },
    ]);
  });
});
