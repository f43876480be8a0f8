import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { addImage, createHall, outline } from './hall.js';

const world = await sharedScanWorld();

describe('the state of a floor plan', () => {
  it('counts the assets of each shape with its sublocations, and returns by which shape a location is shown', async () => {
    const { org, id, north, south, shelf, updated_at } = await createHall(world);
    const shapes = [
      { location_id: north, points: outline },
      { location_id: south, points: outline },
    ];
    await org.admin.floorPlans.setShapes({ location_id: id, updated_at, shapes });
    expect((await org.admin.floorPlans.get({ location_id: id }))?.shapes.map((one) => one.outer_location_id)).toEqual([
      null,
      null,
    ]);
    for (const locationId of [north, shelf, shelf]) await put(org, locationId);
    // Belongs to the shelf, which is in the north of the hall, and stands elsewhere in it.
    await org.admin.assets.setBelongsTo({ asset_id: await put(org, id), belongs_to_id: shelf });
    const { counts } = await org.admin.floorPlans.state({ location_id: id });
    expect(counts).toEqual([
      { location_id: id, assets_here: 1, assets_below: 4, assets_away: 0 },
      { location_id: north, assets_here: 1, assets_below: 3, assets_away: 1 },
      { location_id: south, assets_here: 0, assets_below: 0, assets_away: 0 },
    ]);
    const plan = await org.admin.floorPlans.get({ location_id: id });
    expect(new Map(plan?.coverage)).toEqual(
      new Map([
        [north, north],
        [south, south],
        [shelf, north],
      ]),
    );
    const nested = [...shapes, { location_id: shelf, points: outline }];
    await org.admin.floorPlans.setShapes({ location_id: id, updated_at: plan?.updated_at ?? '', shapes: nested });
    const { shapes: shown = [] } = (await org.admin.floorPlans.get({ location_id: id })) ?? {};
    expect(shown.map((one) => [one.name, one.outer_location_id])).toEqual([
      ['North', null],
      ['Shelf', north],
      ['South', null],
    ]);
  });

  it('has the readers at its locations and those with a pin, each as the page of readers has it', async () => {
    const { org, id, shelf, updated_at } = await createHall(world);
    await org.reader({ name: 'At the shelf', location_id: shelf });
    await org.reader({ name: 'Elsewhere', location_id: await org.location() });
    const pinned = await org.reader({ name: 'Pinned' });
    const shapes = [{ reader_id: pinned.id, points: outline.slice(0, 1) }];
    await org.admin.floorPlans.setShapes({ location_id: id, updated_at, shapes });
    await world.db.reader.update({ where: { id: pinned.id }, data: { lastMessageAt: new Date() } });
    const { readers } = await org.admin.floorPlans.state({ location_id: id });
    expect(readers.map(({ name, status, location_id }) => [name, status, location_id])).toEqual([
      ['At the shelf', 'never', shelf],
      ['Pinned', 'connected', null],
    ]);
    const overview = await org.admin.readers.overview();
    expect(overview.data.filter(({ name }) => name !== 'Elsewhere').map(({ status }) => status)).toEqual([
      'never',
      'connected',
    ]);
  });

  it('finds an asset on the nearest plan that shows where it is', async () => {
    const { org, id, north, shelf, updated_at } = await createHall(world);
    const asset = await put(org, shelf);
    const find = async () => org.admin.floorPlans.findAsset({ asset_id: asset });
    expect(await find()).toBeNull();
    await org.admin.floorPlans.setShapes({
      location_id: id,
      updated_at,
      shapes: [{ location_id: north, points: outline }],
    });
    expect(await find()).toEqual({ location_id: id, shape_location_id: north });
    const inner = await org.admin.floorPlans.set({
      location_id: north,
      image_id: await addImage(world, org.orgId),
      updated_at: null,
    });
    expect(await find()).toEqual({ location_id: id, shape_location_id: north });
    await org.admin.floorPlans.setShapes({
      location_id: north,
      ...inner,
      shapes: [{ location_id: shelf, points: outline }],
    });
    expect(await find()).toEqual({ location_id: north, shape_location_id: shelf });
    const other = await world.organization();
    expect(await other.admin.floorPlans.findAsset({ asset_id: asset })).toBeNull();
    expect((await org.admin.floorPlans.list()).map((plan) => [plan.location.name, plan.level])).toEqual([
      ['Hall', 1],
      ['North', 2],
    ]);
  });
});

/** A new asset that a handheld has put at a location. */
async function put(org: ScanOrganization, locationId: number): Promise<number> {
  const value = `E2${String(locationId).padStart(10, '0')}${String(Math.random()).slice(2, 12)}`;
  const asset = await org.asset({ tags: [['rfid', value]] });
  const reads = [{ tag_type: 'rfid' as const, value }];
  await org.admin.scans.submit({ submission_id: ulid(), location_id: locationId, reads });
  return asset;
}
