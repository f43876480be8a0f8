import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { addSightings, createAsset, createLocation, daysAgo, nouns, remove } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

type Event = {
  event_observed_at: string;
  location_id: number | null;
  location_external_key: string | null;
  duration_seconds: number | null;
};

const historyOf = (assetId: number, query = '') => `${nouns.assets.path}/${assetId}/history${query}`;

async function eventsOf(client: RestClient, path: string): Promise<Event[]> {
  const answer = await client.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** An asset that was seen at each of these instants, here and there in turn. */
async function seen(instants: string[]) {
  const organization = await world.organization();
  const here = await createLocation(organization, { external_key: 'HERE' });
  const there = await createLocation(organization, { external_key: 'THERE' });
  const asset = await createAsset(organization);
  const { orgId } = organization;
  await addSightings(
    world,
    instants.map((at, index) => ({ orgId, assetId: asset.id, locationId: index % 2 === 0 ? here.id : there.id, at })),
  );
  return { organization, asset, here, there };
}

const instants = [daysAgo(40), daysAgo(10), daysAgo(10, 1500), daysAgo(10, 3499), daysAgo(1), daysAgo(0, -5000)];

describe('the history of an asset', () => {
  it('is empty for an asset that was never seen', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization);
    expect((await organization.get(historyOf(id))).body).toEqual({ data: [], limit: 50, offset: 0, total_count: 0 });
  });

  it('lists each location and how long the asset was there, newest first', async () => {
    const { organization, asset, here, there } = await seen(instants);
    const { body } = await organization.get(historyOf(asset.id));
    expect(Object.keys(body).sort()).toEqual(['data', 'limit', 'offset', 'total_count']);
    expect(body.total_count).toBe(6);
    const seconds = (from: number, to: number) =>
      Math.floor((Date.parse(instants[to] ?? '') - Date.parse(instants[from] ?? '')) / 1000);
    const expected = instants.map((at, index) => ({
      event_observed_at: at,
      location_id: index % 2 === 0 ? here.id : there.id,
      location_external_key: index % 2 === 0 ? 'HERE' : 'THERE',
      duration_seconds: index === 5 ? null : seconds(index, index + 1),
    }));
    expect(body.data).toEqual(expected.toReversed());
    expect(body.data.map((row: Event) => row.duration_seconds)).toEqual([
      null,
      86_395,
      expect.any(Number),
      1,
      1,
      30 * 86_400,
    ]);
    expect(await eventsOf(organization, historyOf(asset.id, '?sort=-event_observed_at'))).toEqual(
      expected.toReversed(),
    );
    expect(await eventsOf(organization, historyOf(asset.id, '?sort='))).toEqual(expected.toReversed());
    expect(await eventsOf(organization, historyOf(asset.id, '?sort=event_observed_at'))).toEqual(expected);
  });

  it.each(['event_observed_at', '-event_observed_at'])('has the same events at any page size, by %s', async (sort) => {
    const { organization, asset } = await seen(instants);
    const whole = await eventsOf(organization, historyOf(asset.id, `?sort=${sort}`));
    for (const limit of [1, 2, 3, 4]) {
      const pages: Event[] = [];
      for (let offset = 0; offset < 6; offset += limit) {
        const { body } = await organization.get(historyOf(asset.id, `?sort=${sort}&limit=${limit}&offset=${offset}`));
        expect(body).toMatchObject({ limit, offset, total_count: 6 });
        pages.push(...body.data);
      }
      expect(pages).toEqual(whole);
    }
    for (const offset of [5, 6, 7, 2147483647]) {
      const { body } = await organization.get(historyOf(asset.id, `?sort=${sort}&offset=${offset}`));
      expect(body).toEqual({ data: whole.slice(offset), limit: 50, offset, total_count: 6 });
    }
  });

  it('contains only events between from and to, both inclusive', async () => {
    const { organization, asset } = await seen(instants);
    const cut = async (from: number | undefined, to: number | undefined) => {
      const bounds = [from === undefined ? '' : `from=${instants[from]}`, to === undefined ? '' : `to=${instants[to]}`];
      const { body } = await organization.get(
        historyOf(asset.id, `?sort=event_observed_at&${bounds.filter(Boolean).join('&')}`),
      );
      expect(body.total_count).toBe(body.data.length);
      return body.data.map((row: Event) => [instants.indexOf(row.event_observed_at), row.duration_seconds]);
    };
    expect((await cut(1, 3)).map(([index]: number[]) => index)).toEqual([1, 2, 3]);
    // The newest of the window has no next event in it.
    expect(await cut(1, 3)).toEqual([
      [1, 1],
      [2, 1],
      [3, null],
    ]);
    expect(await cut(2, 2)).toEqual([[2, null]]);
    expect((await cut(4, undefined)).map(([index]: number[]) => index)).toEqual([4, 5]);
    expect((await cut(undefined, 0)).map(([index]: number[]) => index)).toEqual([0]);
    expect(await cut(3, 1)).toEqual([]);
    const page = await organization.get(historyOf(asset.id, `?from=${instants[1]}&to=${instants[3]}&limit=1&offset=1`));
    expect(page.body).toMatchObject({
      total_count: 3,
      data: [{ event_observed_at: instants[2], duration_seconds: 1 }],
    });
    const last = await organization.get(
      historyOf(asset.id, `?sort=event_observed_at&to=${instants[3]}&limit=1&offset=3`),
    );
    expect(last.body).toMatchObject({
      total_count: 4,
      data: [{ event_observed_at: instants[3], duration_seconds: null }],
    });
  });

  it('accepts every RFC 3339 form in from and to, and truncates it to milliseconds', async () => {
    const { organization, asset } = await seen(instants);
    const at = instants[2] ?? '';
    const ms = Date.parse(at);
    const inOslo = encodeURIComponent(`${new Date(ms + 3_600_000).toISOString().slice(0, -1)}+01:00`);
    for (const form of [at, at.toLowerCase(), at.replace('Z', '999Z'), at.replace('Z', '999999Z'), inOslo]) {
      const events = await eventsOf(organization, historyOf(asset.id, `?from=${form}&to=${form}`));
      expect(
        events.map((event) => event.event_observed_at),
        form,
      ).toEqual([at]);
    }
    const beside = [new Date(ms - 1).toISOString(), new Date(ms + 1).toISOString()];
    for (const form of beside)
      expect(await eventsOf(organization, historyOf(asset.id, `?from=${form}&to=${form}`))).toEqual([]);
    expect(
      await eventsOf(organization, historyOf(asset.id, '?from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z')),
    ).toHaveLength(6);
  });

  it('contains events at a deleted location and events without a location', async () => {
    const { organization, asset, here, there } = await seen([daysAgo(3), daysAgo(2)]);
    await addSightings(world, [{ orgId: organization.orgId, assetId: asset.id, locationId: null, at: daysAgo(1) }]);
    await remove(organization, nouns.locations, here.id);
    await organization.post(`${nouns.locations.path}/${there.id}/rename`, { external_key: 'RENAMED' });
    await createLocation(organization, { external_key: 'HERE' });
    expect(await eventsOf(organization, historyOf(asset.id))).toMatchObject([
      { location_id: null, location_external_key: null, duration_seconds: null },
      { location_id: there.id, location_external_key: 'RENAMED', duration_seconds: 86_400 },
      { location_id: here.id, location_external_key: null, duration_seconds: 86_400 },
    ]);
  });

  it('is available for an expired or inactive asset, but not for a deleted one', async () => {
    const { organization, asset } = await seen([daysAgo(3)]);
    await organization.patch(`${nouns.assets.path}/${asset.id}`, {
      valid_to: '2020-01-01T00:00:00Z',
      is_active: false,
    });
    expect(await eventsOf(organization, historyOf(asset.id))).toHaveLength(1);
    await remove(organization, nouns.assets, asset.id);
    expect(await organization.get(historyOf(asset.id))).toBeError({ type: 'not_found', detail: 'Asset not found' });
  });

  it('contains only events of this asset', async () => {
    const first = await seen([daysAgo(3)]);
    const other = await createAsset(first.organization);
    await seen([daysAgo(3)]);
    expect((await first.organization.get(historyOf(other.id))).body.total_count).toBe(0);
    expect((await first.organization.get(historyOf(first.asset.id))).body.total_count).toBe(1);
  });

  it('rejects unknown and invalid parameters', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization);
    const unknown = (field: string) => ({ field, code: 'unknown_field', message: `unknown parameter: ${field}` });
    for (const [query, expected] of [
      ['sort=location_id', { field: 'sort', code: 'invalid_value', message: 'unknown sort field: location_id' }],
      ['sort=event_observed_at,-event_observed_at', { field: 'sort', code: 'invalid_value' }],
      ['from=', { field: 'from', code: 'invalid_value', message: 'from must be an RFC 3339 timestamp' }],
      ['to=2024-01-01', { field: 'to', code: 'invalid_value', message: 'to must be an RFC 3339 timestamp' }],
      ['from=2024-01-01T00:00:00Z&from=2024-01-01T00:00:00Z', { field: 'from', code: 'invalid_value' }],
      ['limit=201', { field: 'limit', code: 'too_large', params: { max: 200 } }],
      ['offset=-1', { field: 'offset', code: 'too_small' }],
      ['external_key=K', unknown('external_key')],
      ['location_id=1', unknown('location_id')],
      ['include_deleted=true', unknown('include_deleted')],
    ] as const) {
      expect(await organization.get(historyOf(id, `?${query}`)), query).toBeInvalid(expected);
    }
    expect(await organization.get(historyOf(id, '?sort=x&limit=0&to=x&from=x&offset=x'))).toBeInvalid(
      { field: 'from', code: 'invalid_value' },
      { field: 'to', code: 'invalid_value' },
      { field: 'limit', code: 'too_small' },
      { field: 'offset', code: 'invalid_value' },
      { field: 'sort', code: 'invalid_value' },
    );
  });
});
