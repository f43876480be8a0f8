import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { addSightings, createAsset, createLocation, daysAgo, nouns, remove } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { sharedWorld, type TestOrganization } from '../../support/world.js';

const path = '/api/v1/reports/asset-locations';

const world = await sharedWorld();

type Item = {
  asset_id: number;
  asset_external_key: string;
  location_id: number | null;
  location_external_key: string | null;
  asset_last_seen: string;
  asset_deleted_at: string | null;
};

/** Has a new asset of that key seen at a location. */
async function place(
  organization: TestOrganization,
  key: string,
  sighting: { at: number | null; on: string },
): Promise<number> {
  const { id } = await createAsset(organization, { external_key: key });
  await addSightings(world, [{ orgId: organization.orgId, assetId: id, locationId: sighting.at, at: sighting.on }]);
  return id;
}

async function report(client: RestClient, query = ''): Promise<Item[]> {
  const answer = await client.get(`${path}${query}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.total_count).toBe(answer.body.data.length);
  return answer.body.data;
}

const keys = (items: Item[]) => items.map((item) => item.asset_external_key);

describe('the report', () => {
  it('has one row for each asset that was ever seen, with its current location', async () => {
    const organization = await world.organization();
    expect((await organization.get(path)).body).toEqual({ data: [], limit: 50, offset: 0, total_count: 0 });
    const location = await createLocation(organization, { external_key: 'DOCK' });
    const other = await createLocation(organization, { external_key: 'GATE' });
    await createAsset(organization, { external_key: 'NEVER' });
    const seenAt = [daysAgo(3), daysAgo(2), daysAgo(1)];
    const a = await place(organization, 'A', { at: location.id, on: seenAt[0] ?? '' });
    const b = await place(organization, 'B', { at: null, on: seenAt[1] ?? '' });
    await addSightings(world, [{ orgId: organization.orgId, assetId: a, locationId: other.id, at: seenAt[2] ?? '' }]);
    const { body } = await organization.get(path);
    expect(body).toEqual({
      data: [
        {
          asset_id: a,
          asset_external_key: 'A',
          location_id: other.id,
          location_external_key: 'GATE',
          asset_last_seen: seenAt[2],
          asset_deleted_at: null,
        },
        {
          asset_id: b,
          asset_external_key: 'B',
          location_id: null,
          location_external_key: null,
          asset_last_seen: seenAt[1],
          asset_deleted_at: null,
        },
      ],
      limit: 50,
      offset: 0,
      total_count: 2,
    });
  });

  it('shows active and inactive assets that are effective, whatever the state of their location', async () => {
    const organization = await world.organization();
    const location = await createLocation(organization, {
      valid_to: '2020-01-01T00:00:00Z',
      is_active: false,
      external_key: 'EXPIRED',
    });
    const windows: Record<string, Record<string, unknown>> = {
      SHOWN: {},
      INACTIVE: { is_active: false },
      PAST: { valid_to: '2020-01-01T00:00:00Z' },
      FUTURE: { valid_from: '2999-01-01T00:00:00Z' },
      BACKWARDS: { valid_from: '2999-01-01T00:00:00Z', valid_to: '2020-01-01T00:00:00Z' },
    };
    for (const [key, fields] of Object.entries(windows)) {
      const id = await place(organization, key, { at: location.id, on: daysAgo(1) });
      await organization.patch(`${nouns.assets.path}/${id}`, fields);
    }
    const items = await report(organization, '?sort=asset_external_key');
    expect(keys(items)).toEqual(['INACTIVE', 'SHOWN']);
    expect(items[0]?.location_external_key).toBe('EXPIRED');
    expect(keys(await report(organization, '?asset_external_key=PAST&asset_external_key=SHOWN'))).toEqual(['SHOWN']);
    expect(keys(await report(organization, '?include_deleted=true&sort=asset_external_key'))).toEqual([
      'INACTIVE',
      'SHOWN',
    ]);
  });

  it('includes deleted assets with include_deleted', async () => {
    const organization = await world.organization();
    const location = await createLocation(organization);
    const gone = await place(organization, 'K', { at: location.id, on: daysAgo(2) });
    await remove(organization, nouns.assets, gone);
    const live = await place(organization, 'K', { at: location.id, on: daysAgo(1) });
    expect((await report(organization)).map((item) => item.asset_id)).toEqual([live]);
    expect((await report(organization, '?include_deleted=false')).map((item) => item.asset_id)).toEqual([live]);
    const all = await report(organization, '?include_deleted=true');
    expect(all.map((item) => item.asset_id)).toEqual([live, gone]);
    expect(all.map((item) => item.asset_deleted_at)).toEqual([
      null,
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ]);
    expect(await report(organization, '?include_deleted=true&asset_external_key=K')).toEqual(all);
    expect(await report(organization, `?include_deleted=true&asset_id=${gone}`)).toEqual([all[1]]);
    expect(await report(organization, `?asset_id=${gone}`)).toEqual([]);
    expect(await report(organization, '?asset_external_key=K')).toEqual([all[0]]);
  });

  it('keeps the id of a deleted location, but not its key', async () => {
    const organization = await world.organization();
    const location = await createLocation(organization, { external_key: 'OLD' });
    const gone = await place(organization, 'GONE', { at: location.id, on: daysAgo(2) });
    await remove(organization, nouns.assets, gone);
    await remove(organization, nouns.locations, location.id);
    const fresh = await createLocation(organization, { external_key: 'OLD' });
    const live = await place(organization, 'LIVE', { at: fresh.id, on: daysAgo(1) });
    const all = await report(organization, '?include_deleted=true');
    expect(all).toMatchObject([
      { asset_id: live, location_id: fresh.id, location_external_key: 'OLD' },
      { asset_id: gone, location_id: location.id, location_external_key: null },
    ]);
    expect(keys(await report(organization, `?include_deleted=true&location_id=${location.id}`))).toEqual(['GONE']);
    expect(keys(await report(organization, '?include_deleted=true&location_external_key=OLD'))).toEqual(['LIVE']);
  });

  it('filters by several assets and several locations, and intersects both filters', async () => {
    const organization = await world.organization();
    const [one, two] = [
      await createLocation(organization, { external_key: 'ONE' }),
      await createLocation(organization, { external_key: 'TWO' }),
    ];
    const a = await place(organization, 'A', { at: one.id, on: daysAgo(4) });
    const b = await place(organization, 'B', { at: two.id, on: daysAgo(3) });
    await place(organization, 'C', { at: one.id, on: daysAgo(2) });
    await place(organization, 'D', { at: null, on: daysAgo(1) });
    for (const [query, expected] of [
      [`asset_id=${a}`, ['A']],
      [`asset_id=${a}&asset_id=${b}&asset_id=${a}&asset_id=2147483647`, ['B', 'A']],
      ['asset_external_key=A&asset_external_key=D&asset_external_key=a', ['D', 'A']],
      [`location_id=${one.id}`, ['C', 'A']],
      [`location_id=${one.id}&location_id=${two.id}`, ['C', 'B', 'A']],
      ['location_external_key=TWO', ['B']],
      ['location_external_key=TWO&location_external_key=ONE&location_external_key=one', ['C', 'B', 'A']],
      [`asset_external_key=A&asset_external_key=B&location_id=${one.id}`, ['A']],
      [`asset_id=${a}&location_external_key=TWO`, []],
      [`asset_id=${b}&location_external_key=TWO&include_deleted=true`, ['B']],
      ['location_id=2147483647', []],
    ] as const) {
      expect(keys(await report(organization, `?${query}`)), query).toEqual(expected);
    }
    const page = await organization.get(`${path}?location_id=${one.id}&limit=1&offset=1`);
    expect(page.body).toMatchObject({ limit: 1, offset: 1, total_count: 2, data: [{ asset_external_key: 'A' }] });
    const beyond = await organization.get(`${path}?location_id=${one.id}&offset=9`);
    expect(beyond.body).toEqual({ data: [], limit: 50, offset: 9, total_count: 2 });
  });

  it('follows the requested order, with nulls last in ascending and first in descending order', async () => {
    const organization = await world.organization();
    const at = daysAgo(5);
    const locations: Record<string, number | null> = { none: null };
    for (const key of ['b', 'B', 'a']) locations[key] = (await createLocation(organization, { external_key: key })).id;
    for (const [key, where, day] of [
      ['k3', 'b', 1],
      ['k1', 'none', 1],
      ['K2', 'a', 2],
      ['k0', 'b', 2],
      ['k5', 'B', 1],
      ['k4', 'none', 3],
    ] as const) {
      await place(organization, key, {
        at: locations[where] ?? null,
        on: new Date(Date.parse(at) + day * 1000).toISOString(),
      });
    }
    const orders: Record<string, string[]> = {
      '': ['k4', 'K2', 'k0', 'k3', 'k1', 'k5'],
      '-asset_last_seen': ['k4', 'K2', 'k0', 'k3', 'k1', 'k5'],
      asset_last_seen: ['k3', 'k1', 'k5', 'K2', 'k0', 'k4'],
      asset_external_key: ['K2', 'k0', 'k1', 'k3', 'k4', 'k5'],
      '-asset_external_key': ['k5', 'k4', 'k3', 'k1', 'k0', 'K2'],
      location_external_key: ['k5', 'K2', 'k3', 'k0', 'k1', 'k4'],
      '-location_external_key': ['k1', 'k4', 'k3', 'k0', 'K2', 'k5'],
      'location_external_key,-asset_last_seen': ['k5', 'K2', 'k0', 'k3', 'k4', 'k1'],
      '-location_external_key,asset_external_key': ['k1', 'k4', 'k0', 'k3', 'K2', 'k5'],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      expect(keys(await report(organization, `?sort=${sort}`)), sort).toEqual(expected);
      const pages: string[] = [];
      for (let offset = 0; offset < 6; offset += 2) {
        const { body } = await organization.get(`${path}?sort=${sort}&limit=2&offset=${offset}`);
        expect(body.total_count).toBe(6);
        pages.push(...keys(body.data));
      }
      expect(pages, sort).toEqual(expected);
    }
    expect(keys(await report(organization))).toEqual(orders['']);
  });

  it('contains only assets of the organization', async () => {
    const [ours, theirs] = [await world.organization(), await world.organization()];
    const location = await createLocation(ours, { external_key: 'L' });
    const asset = await place(ours, 'A', { at: location.id, on: daysAgo(1) });
    for (const query of [
      '',
      '?include_deleted=true',
      `?asset_id=${asset}`,
      `?location_id=${location.id}`,
      '?location_external_key=L',
    ]) {
      expect(await report(theirs, query)).toEqual([]);
      expect(await report(ours, query)).toHaveLength(1);
    }
  });
});
