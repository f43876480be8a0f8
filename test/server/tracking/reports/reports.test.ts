import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { createRandom } from '../../../support/random.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** A whole day that is over everywhere. */
const baseMs = Math.floor(Date.now() / dayMs) * dayMs - 20 * dayMs;
const at = (minutes: number) => new Date(baseMs + minutes * minuteMs);
const range = (from: number, until: number) => ({ from: at(from).toISOString(), until: at(until).toISOString() });

type Stop = [location: number | null, minutes: number];

/** Stores what ingestion would of an asset that goes from stop to stop. */
async function travel(org: ScanOrganization, assetId: number, stops: readonly Stop[]): Promise<void> {
  const { orgId } = org;
  await world.db.assetVisit.createMany({
    data: stops.map(([locationId, arrived], index) => {
      const left = stops[index + 1]?.[1];
      return {
        orgId,
        assetId,
        locationId,
        arrivedAt: at(arrived),
        ...(left !== undefined && { leftAt: at(left), lastSeenAt: at(left) }),
      };
    }),
  });
  const [locationId, arrived] = stops.at(-1) ?? [null, 0];
  await world.db.assetPosition.create({
    data: { orgId, assetId, locationId, assetLastSeen: at(arrived), locatedSince: at(arrived) },
  });
}

describe('reports.dwell', () => {
  it('reports median and 95th percentile of the visits that ended in the period, and of the period before', async () => {
    const org = await world.organization();
    const [dock, yard] = [await org.location(), await org.location()];
    // In the period visits of 1 to 20 minutes; before it one of 30 minutes.
    const before = await org.asset();
    await travel(org, before, [
      [dock, -600],
      [yard, -570],
    ]);
    for (let minutes = 1; minutes <= 20; minutes += 1) {
      await travel(org, await org.asset(), [
        [dock, 100],
        [yard, 100 + minutes],
      ]);
    }
    const { data, is_complete } = await org.admin.reports.dwell(range(0, 1000));
    expect(is_complete).toBe(true);
    expect(data).toMatchObject([
      {
        location: { id: dock, is_deleted: false },
        visits: 20,
        median_seconds: 600,
        p95_seconds: 19 * 60,
        before: { visits: 1, median_seconds: 1800, p95_seconds: 1800 },
      },
    ]);
  });

  it('includes sublocations of the location that was asked for, and no others', async () => {
    const org = await world.organization();
    const [site, dock, yard] = [await org.location(), await org.location(), await org.location()];
    await world.db.location.update({ where: { id: dock }, data: { parentId: site } });
    await travel(org, await org.asset(), [
      [dock, 10],
      [yard, 20],
      [dock, 30],
    ]);
    const ids = async (location_id?: number) =>
      (await org.admin.reports.dwell({ ...range(0, 100), ...(location_id !== undefined && { location_id }) })).data.map(
        ({ location }) => location.id,
      );
    expect((await ids()).sort((one, other) => one - other)).toEqual([dock, yard]);
    expect(await ids(site)).toEqual([dock]);
  });
});

describe('reports.flow', () => {
  it.each([1, 2])('counts moves as the visits one after the other imply (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const below = (n: number) => Math.floor(random() * n);
    const org = await world.organization();
    const locations = [await org.location(), await org.location(), await org.location(), null];
    const moves: { from: number | null; to: number | null; minutes: number }[] = [];
    for (let asset = 0; asset < 8; asset += 1) {
      const stops: Stop[] = [];
      let minutes = below(50);
      for (let step = 0; step < 12; step += 1) {
        const previous = stops.at(-1);
        const next = locations.filter((id) => id !== previous?.[0])[below(3)] as number | null;
        if (previous) moves.push({ from: previous[0], to: next, minutes });
        stops.push([next, minutes]);
        minutes += 1 + below(100);
      }
      await travel(org, await org.asset(), stops);
    }
    // A long period and a short one are read in two ways.
    for (const [from, until] of [
      [0, 5000],
      [300, 320],
      [200, 900],
    ] as const) {
      const expected = new Map<string, number>();
      for (const { from: begin, to, minutes } of moves) {
        if (minutes < from || minutes >= until) continue;
        const key = `${begin}-${to}`;
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      const { data } = await org.admin.reports.flow(range(from, until));
      expect(new Map(data.map((flow) => [`${flow.from?.id ?? null}-${flow.to?.id ?? null}`, flow.moves]))).toEqual(
        expected,
      );
    }
    const [first] = locations as [number];
    const { data } = await org.admin.reports.flow({ ...range(0, 5000), location_id: first });
    expect(data.every(({ from, to }) => from?.id === first || to?.id === first)).toBe(true);
    expect(data.reduce((sum, { moves: n }) => sum + n, 0)).toBe(
      moves.filter(({ from, to }) => from === first || to === first).length,
    );
  });
});

describe('reports.use', () => {
  it('adds the time at each location up by hour of the day, in the time zone that was asked for', async () => {
    const org = await world.organization();
    const [dock, yard] = [await org.location(), await org.location()];
    const asset = await org.asset();
    await travel(org, asset, [
      [dock, 0],
      [yard, 90],
      [null, 100],
      [dock, dayMs / minuteMs],
    ]);
    const use = (time_zone: string, [from, until]: [number, number]) =>
      org.admin.reports.use({ asset_id: asset, ...range(from, until), time_zone });
    const { data } = await use('UTC', [0, 1440]);
    const hours = (seconds: readonly number[]) =>
      Object.fromEntries(seconds.map((s, hour) => [hour, s / 60]).filter(([, s]) => s));
    expect(
      data.map(({ location, seconds, seconds_by_hour }) => [location?.id, seconds / 60, hours(seconds_by_hour)]),
    ).toEqual([
      [undefined, 1340, { 1: 20, ...Object.fromEntries(Array.from({ length: 22 }, (_, hour) => [hour + 2, 60])) }],
      [dock, 90, { 0: 60, 1: 30 }],
      [yard, 10, { 1: 10 }],
    ]);
    // Nepal is 5 hours and 45 minutes ahead.
    const nepal = (await use('Asia/Kathmandu', [0, 100])).data;
    expect(hours(nepal[0]?.seconds_by_hour ?? [])).toEqual({ 5: 15, 6: 60, 7: 15 });
    const cut = (await use('UTC', [80, 95])).data;
    expect(cut.map(({ location, seconds }) => [location?.id, seconds / 60])).toEqual([
      [dock, 10],
      [yard, 5],
    ]);
    for (const time_zone of ['Nowhere/City', '+02:00']) {
      expect(await refusalOf(use(time_zone, [0, 10]))).toMatchObject({ type: 'validation_error' });
    }
  });
});

describe('reports.unseen', () => {
  it('lists live assets by when they were last seen, the never seen first, and counts them by location', async () => {
    const org = await world.organization();
    const [site, dock] = [await org.location(), await org.location()];
    await world.db.location.update({ where: { id: dock }, data: { parentId: site } });
    const [old, older, fresh, deleted, nowhere] = [
      await org.asset(),
      await org.asset(),
      await org.asset(),
      await org.asset(),
      await org.asset(),
    ];
    const never = await org.asset();
    await org.deleteAsset(await org.asset());
    const seen = async (assetId: number, locationId: number | null, daysAgo: number) => {
      const time = new Date(Date.now() - daysAgo * dayMs);
      await world.db.assetPosition.create({
        data: { orgId: org.orgId, assetId, locationId, assetLastSeen: time, locatedSince: time },
      });
    };
    await seen(old, dock, 8);
    await seen(older, site, 9);
    await seen(fresh, dock, 6);
    await seen(deleted, dock, 30);
    await seen(nowhere, null, 12);
    await org.deleteAsset(deleted);
    const report = await org.admin.reports.unseen({ days: 7 });
    expect(report.data.map(({ id, location }) => [id, location?.id])).toEqual([
      [never, undefined],
      [nowhere, undefined],
      [older, site],
      [old, dock],
    ]);
    expect(report.total_count).toBe(4);
    expect(report.data[0]?.last_seen).toBeNull();
    expect(report.by_location.map(({ location, assets }) => [location?.id, assets])).toEqual(
      expect.arrayContaining([
        [dock, 1],
        [site, 1],
        [undefined, 2],
      ]),
    );
    expect((await org.admin.reports.unseen({ days: 7, location_id: dock })).data).toMatchObject([{ id: old }]);
    expect((await org.admin.reports.unseen({ days: 7, limit: 1, offset: 2 })).data).toMatchObject([{ id: older }]);
    expect((await org.admin.reports.unseen({ days: 11 })).total_count).toBe(2);
  });
});

describe('reports', () => {
  it('are for viewers, about their organization alone, and reject what is too long or backwards', async () => {
    const org = await world.organization();
    const dock = await org.location();
    const asset = await org.asset();
    await travel(org, asset, [
      [dock, 0],
      [null, 10],
    ]);
    const viewer = await org.as('viewer');
    expect((await viewer.reports.dwell(range(0, 100))).data).toHaveLength(1);
    const other = await world.organization();
    const { reports } = other.admin;
    expect((await reports.dwell(range(0, 100))).data).toEqual([]);
    expect((await reports.flow(range(0, 100))).data).toEqual([]);
    expect((await reports.unseen({ days: 1 })).data).toEqual([]);
    const noLocation = { type: 'not_found', detail: 'Location not found' };
    expect(await refusalOf(reports.dwell({ ...range(0, 100), location_id: dock }))).toEqual(noLocation);
    expect(await refusalOf(reports.flow({ ...range(0, 100), location_id: dock }))).toEqual(noLocation);
    expect(await refusalOf(reports.unseen({ days: 1, location_id: dock }))).toEqual(noLocation);
    const use = reports.use({ ...range(0, 100), asset_id: asset, time_zone: 'UTC' });
    expect(await refusalOf(use)).toEqual({ type: 'not_found', detail: 'Asset not found' });
    for (const wrong of [range(10, 10), range(0, 93 * 1440)]) {
      expect(await refusalOf(org.admin.reports.dwell(wrong))).toMatchObject({ type: 'validation_error' });
      expect(await refusalOf(org.admin.reports.flow(wrong))).toMatchObject({ type: 'validation_error' });
    }
  });
});
