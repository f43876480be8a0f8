import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { createPlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { createRandom } from '../../../support/random.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);

const minuteMs = 60_000;
const nowMs = Math.floor(Date.now() / 1000) * 1000;
const beginMs = nowMs - 600 * minuteMs;
const iso = (ms: number) => new Date(ms).toISOString();

async function scan(org: ScanOrganization, location_id: number, { assets, atMs }: { assets: number[]; atMs: number }) {
  const reads = assets.map((asset_id) => ({ asset_id }));
  await org.admin.scans.submit({ submission_id: ulid(), location_id, reads, observed_at: iso(atMs) });
}

type Fixture = { org: ScanOrganization; parents: Map<number, number | null>; assets: number[] };

/** A site with two halls, a yard, two racks in one of the halls, and six assets that were scanned in various places. */
async function createFixture(seed: number): Promise<Fixture> {
  const random = createRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const org = await world.organization();
  const parents = new Map<number, number | null>();
  const add = async (parentId: number | null) => {
    const id = await org.location({ parentId });
    parents.set(id, parentId);
    return id;
  };
  const site = await add(null);
  const hall = await add(site);
  await add(site);
  await add(hall);
  await add(hall);
  await add(null);
  const locations = [...parents.keys()];
  const assets = await Promise.all(Array.from({ length: 6 }, () => org.asset()));
  for (let step = 0; step < 60; step += 1) {
    const late = below(4) === 0 ? below(200) * minuteMs : 0;
    const atMs = Math.max(beginMs, beginMs + step * 9 * minuteMs - late);
    const location = locations[below(locations.length)] as number;
    await scan(org, location, { assets: [assets[below(assets.length)] as number], atMs });
  }
  const deleted = assets[0] as number;
  await world.db.asset.update({ where: { id: deleted }, data: { deletedAt: new Date(beginMs + 400 * minuteMs) } });
  return { org, parents, assets };
}

/** Where each asset was at an instant, by its events. */
async function locationsAt({ org, assets }: Fixture, atMs: number): Promise<Map<number, number>> {
  const locations = new Map<number, number>();
  for (const asset of assets) {
    const row = await world.db.asset.findUniqueOrThrow({ where: { id: asset } });
    if (row.deletedAt && row.deletedAt.getTime() <= atMs) continue;
    const last = (await org.events(asset)).filter(({ at }) => Date.parse(at) <= atMs).at(-1);
    if (last?.location_id) locations.set(asset, last.location_id);
  }
  return locations;
}

function isBelow({ parents }: Fixture, location: number, top: number): boolean {
  for (let id: number | null | undefined = location; id; id = parents.get(id)) if (id === top) return true;
  return false;
}

describe('visits', () => {
  it.each([1, 2, 3])('show what was where at any instant, as the events do (seed %i)', async (seed) => {
    const made = await createFixture(seed);
    const { org, parents } = made;
    const events = (await org.events()).map(({ at }) => Date.parse(at));
    const instants = [
      beginMs - 1,
      ...events.flatMap((at) => [at - 1, at]).filter((_, index) => index % 5 === 0),
      nowMs,
    ];
    for (const atMs of instants) {
      const locations = [...(await locationsAt(made, atMs))];
      const { data } = await org.admin.visits.counts({ at: iso(atMs) });
      const expected = [...parents.keys()].flatMap((id) => {
        const assets_here = locations.filter(([, location]) => location === id).length;
        const assets_below = locations.filter(([, location]) => isBelow(made, location, id)).length;
        return assets_below === 0 ? [] : [{ location_id: id, assets_here, assets_below }];
      });
      expect(
        data.map(({ location_id, assets_here, assets_below }) => ({ location_id, assets_here, assets_below })),
      ).toEqual(expected);
      const [site, hall] = [...parents.keys()] as [number, number];
      for (const [location_id, including_sublocations] of [
        [site, true],
        [hall, true],
        [hall, false],
      ] as const) {
        const page = await org.admin.visits.assets({ at: iso(atMs), location_id, including_sublocations, limit: 200 });
        const here = locations.filter(([, at]) =>
          including_sublocations ? isBelow(made, at, location_id) : at === location_id,
        );
        expect(new Map(page.data.map(({ id, location }) => [id, location.id]))).toEqual(new Map(here));
        expect(page.total_count).toBe(here.length);
      }
      const inHall = await org.admin.visits.counts({ at: iso(atMs), location_id: hall });
      expect(inHall.data.map(({ location_id }) => location_id)).toEqual(
        expected.filter(({ location_id }) => isBelow(made, location_id, hall)).map(({ location_id }) => location_id),
      );
    }
  });

  it('replay: the counts at the beginning and the moves after it give the counts at the end', async () => {
    const made = await createFixture(4);
    const { org } = made;
    const [fromMs, untilMs] = [beginMs + 100 * minuteMs, nowMs + 1000];
    const locations = await locationsAt(made, fromMs - 1);
    let after: { at: string; asset_id: number } | undefined;
    let pages = 0;
    for (;;) {
      const page = await org.admin.visits.moves({
        from: iso(fromMs),
        until: iso(untilMs),
        limit: 7,
        ...(after && { after }),
      });
      pages += 1;
      for (const { asset, from, to } of page.data) {
        expect(from?.id ?? null).toBe(locations.get(asset.id) ?? null);
        if (to) locations.set(asset.id, to.id);
      }
      if (!page.next) break;
      after = page.next;
    }
    expect(pages).toBeGreaterThan(3);
    const deleted = made.assets[0] as number;
    locations.delete(deleted);
    expect(locations).toEqual(await locationsAt(made, untilMs));
  });

  it('give the moves of one location: into it, out of it and within it', async () => {
    const made = await createFixture(5);
    const { org, parents } = made;
    const hall = [...parents.keys()][1] as number;
    const range = { from: iso(beginMs), until: iso(nowMs + 1000), limit: 1000 };
    const all = await org.admin.visits.moves(range);
    const wanted = all.data.filter(({ from, to }) => [from, to].some((end) => end && isBelow(made, end.id, hall)));
    expect(wanted.length).toBeGreaterThan(3);
    expect((await org.admin.visits.moves({ ...range, location_id: hall })).data).toEqual(wanted);
    const first = await org.admin.visits.moves({ ...range, location_id: hall, limit: 2 });
    expect(first.data).toEqual(wanted.slice(0, 2));
    const second = await org.admin.visits.moves({ ...range, location_id: hall, limit: 2, after: first.next as never });
    expect(second.data).toEqual(wanted.slice(2, 4));
  });

  it('are found by name, page by page, and rejected for what is too old or of another organization', async () => {
    const org = await world.organization();
    const hall = await org.location();
    const assets: number[] = [];
    for (const name of ['Pump 0', 'Pump 1', 'Pump 2']) assets.push(await org.asset({ name }));
    await scan(org, hall, { assets, atMs: beginMs });
    const at = iso(beginMs + minuteMs);
    const page = await org.admin.visits.assets({ at, location_id: hall, limit: 2, offset: 1 });
    expect(page).toMatchObject({
      total_count: 3,
      data: [{ name: 'Pump 1', arrived_at: iso(beginMs) }, { name: 'Pump 2' }],
    });
    expect((await org.admin.visits.assets({ at, location_id: hall, q: 'pump 2' })).data).toHaveLength(1);
    const ward = await org.location({ name: 'Ward' });
    await org.admin.assets.setBelongsTo({ asset_id: assets[2] as number, belongs_to_id: ward });
    await org.admin.locations.delete({ location_id: ward });
    expect((await org.admin.visits.assets({ at })).data.map((row) => row.belongs_to_now)).toEqual([
      null,
      null,
      { id: ward, name: 'Ward', is_deleted: true },
    ]);
    expect((await org.admin.visits.assets({ at: iso(Date.now() + 3_600_000), location_id: hall })).total_count).toBe(3);
    const viewer = await org.as('viewer');
    expect((await viewer.visits.counts({ at })).data).toHaveLength(1);

    const other = await world.organization();
    expect((await other.admin.visits.counts({ at })).data).toEqual([]);
    expect((await other.admin.visits.assets({ at })).data).toEqual([]);
    expect((await other.admin.visits.moves({ from: iso(beginMs - 1), until: at })).data).toEqual([]);
    const notFound = { type: 'not_found', detail: 'Location not found' };
    expect(await refusalOf(other.admin.visits.counts({ at, location_id: hall }))).toEqual(notFound);
    expect(await refusalOf(other.admin.visits.assets({ at, location_id: hall }))).toEqual(notFound);
    const old = iso(nowMs - 366 * 86_400_000);
    expect(await refusalOf(org.admin.visits.counts({ at: old }))).toMatchObject({ type: 'validation_error' });
    expect(await refusalOf(org.admin.visits.moves({ from: at, until: at }))).toMatchObject({
      type: 'validation_error',
    });
  });

  it('are read by indexes of the location and of the time, in each organization alone', async () => {
    const orgs = [await world.organization(), await world.organization()];
    let dock = 0;
    for (const org of orgs) {
      dock = await org.location();
      const store = await org.location();
      await world.db.$executeRaw`
        INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
        SELECT ${org.orgId}, 'I-' || n, 'A thing', now(), now(), now() FROM generate_series(1, 1000) AS n`;
      // Foreign keys to a table without statistics are checked by any index that begins with the organization.
      await world.db.$executeRawUnsafe('ANALYZE assets, locations');
      await world.db.$executeRaw`
        INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
        SELECT a.org_id, a.id, t.at, t.left_at, t.left_at, CASE n % 2 WHEN 0 THEN ${dock}::int ELSE ${store}::int END
          FROM assets a, generate_series(0, 19) AS n,
               LATERAL (SELECT now() - (n + 1) * interval '6 hours' AS at,
                               CASE WHEN n > 0 THEN now() - n * interval '6 hours' END AS left_at) t
         WHERE a.org_id = ${org.orgId}`;
      // Half of the open visits are positions.
      await world.db.$executeRaw`
        INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
        SELECT org_id, asset_id, location_id, now(), arrived_at FROM asset_visits
         WHERE org_id = ${org.orgId} AND left_at IS NULL AND asset_id % 2 = 0`;
      await world.db.$executeRaw`
        DELETE FROM asset_visits WHERE org_id = ${org.orgId} AND left_at IS NULL AND asset_id % 2 = 0`;
    }
    await world.db.$executeRawUnsafe('VACUUM ANALYZE');
    await using plans = await createPlanReader(world.databaseUrl);
    const { admin } = orgs[1] as ScanOrganization;
    const at = iso(Date.now() - 9 * 3_600_000);
    const counted = await plans.nodesOf(() => admin.visits.counts({ at, location_id: dock }));
    // Of the visits that ended at this location after the instant, and those that last, nothing else is read.
    expect(rowsBy(counted, 'asset_visits_open')).toBeLessThanOrEqual(1000);
    expect(rowsOf(counted, 'asset_visits')).toBeLessThanOrEqual(1000);
    const moves = await plans.nodesOf(() => admin.visits.moves({ from: at, until: iso(Date.now()), limit: 50 }));
    expect(rowsBy(moves, 'asset_visits_arrivals')).toBe(25);
    expect(rowsOf(moves, 'asset_visits')).toBeLessThanOrEqual(50);
    expect(rowsBy(moves, 'asset_positions_located_since')).toBeLessThanOrEqual(500);
  });
});
