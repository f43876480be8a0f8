import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

// What belongs to a location and is not there, by kind, with where it is.

const world = await sharedScanWorld();

it('lists what belongs to a location and is not there, and counts it by kind and location', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const viewer = await org.as('viewer');
  const site = await org.location({ name: 'Hospital' });
  const icu = await org.location({ name: 'ICU', parentId: site });
  const bay = await org.location({ name: 'Bay', parentId: icu });
  const ward = await org.location({ name: 'Ward 3A', parentId: site });
  const { id: pumps } = await manager.assetKinds.create({
    name: 'Pump',
    icon: 'droplet',
    color: 'blue',
    image_id: null,
  });
  const ids: Record<string, number> = {};
  const add = async (name: string, [own, where]: [number, number | null], kind: number | null = pumps) => {
    const { data } = await manager.assets.createInApp({ name, kind_id: kind, belongs_to_id: own });
    ids[name] = data.id;
    if (where === null) return;
    await manager.scans.submit({ submission_id: ulid(), location_id: where, reads: [{ asset_id: data.id }] });
  };
  await add('Pump 1', [icu, icu]);
  await add('Pump 2', [icu, bay]);
  await add('Pump 10', [icu, ward]);
  await add('Pump 9', [bay, ward]);
  await add('Pump 11', [icu, null]);
  await add('Bed', [icu, ward], null);
  await add('Chair', [ward, icu], null);
  await add('Lost', [ward, site], null);
  await add('Gone', [icu, ward]);
  await manager.assets.delete({ asset_id: ids['Gone'] ?? 0 });
  await org.asset({ name: 'Free' });

  const place = (location: { id: number; name: string } | null, assets: number) => ({ location, assets });
  const [atWard, atIcu, atSite] = [
    { id: ward, name: 'Ward 3A' },
    { id: icu, name: 'ICU' },
    { id: site, name: 'Hospital' },
  ];
  const here = await viewer.reports.missing({ location_id: icu });
  expect(here.data.map(({ name, belongs_to, location }) => [name, belongs_to.name, location?.name ?? null])).toEqual([
    ['Pump 9', 'Bay', 'Ward 3A'],
    ['Bed', 'ICU', 'Ward 3A'],
    ['Pump 10', 'ICU', 'Ward 3A'],
    ['Pump 11', 'ICU', null],
  ]);
  expect(here.by_kind).toEqual([
    { kind: { id: pumps, name: 'Pump' }, assets: 3, places: [place(atWard, 2), place(null, 1)] },
    { kind: null, assets: 1, places: [place(atWard, 1)] },
  ]);
  expect(here.data[2]).toMatchObject({
    kind: { name: 'Pump' },
    located_since: expect.any(String),
    last_seen: expect.any(String),
  });
  expect(here.data[3]).toMatchObject({ located_since: null, last_seen: null });
  expect(await viewer.reports.missing({ location_id: icu, limit: 1, offset: 3 })).toMatchObject({
    data: [{ name: 'Pump 11' }],
    total_count: 4,
  });
  // In the hospital nothing is missing that is in another ward of it.
  expect((await viewer.reports.missing({ location_id: site })).data.map(({ name }) => name)).toEqual(['Pump 11']);
  // Without a location, each asset is compared with the one that it belongs to.
  const all = await viewer.reports.missing({});
  expect(all.total_count).toBe(6);
  expect(all.by_kind).toEqual([
    { kind: { id: pumps, name: 'Pump' }, assets: 3, places: [place(atWard, 2), place(null, 1)] },
    { kind: null, assets: 3, places: [place(atSite, 1), place(atIcu, 1), place(atWard, 1)] },
  ]);

  const stranger = await (await world.organization()).as('viewer');
  expect(await refusalOf(stranger.reports.missing({ location_id: icu }))).toMatchObject({ type: 'not_found' });
  expect(await stranger.reports.missing({})).toMatchObject({ data: [], by_kind: [], total_count: 0 });
});
