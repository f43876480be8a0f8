import type { ScanOrganization, ScanWorld } from '../../../support/scan-world.js';

/** An upload as `/files/images` stores it. */
export async function addImage(world: ScanWorld, orgId: number, kind = 'plan'): Promise<number> {
  const bytes = Buffer.from('bytes');
  const size = { width: 400, height: 200, storedBytes: 10 };
  return (await world.db.image.create({ data: { orgId, kind, ...size, content: bytes, thumbnail: bytes, etag: 'a' } }))
    .id;
}

/** A shape of three corners, as shares of the width and height. */
export const outline = [
  [0.1, 0.1],
  [0.4, 0.1],
  [0.4, 0.5],
] as [number, number][];

/** Adds a location below another one, and returns its id. */
async function addSublocation(org: ScanOrganization, parentId: number, name: string): Promise<number> {
  return (await org.admin.locations.create({ name, parent_id: parentId })).data.id;
}

/** A hall with two rooms, one of them with a shelf, and a plan of the hall. */
export async function createHall(world: ScanWorld) {
  const org = await world.organization();
  const id = (await org.admin.locations.create({ name: 'Hall' })).data.id;
  const [north, south] = [await addSublocation(org, id, 'North'), await addSublocation(org, id, 'South')];
  const shelf = await addSublocation(org, north, 'Shelf');
  const plan = await org.admin.floorPlans.set({
    location_id: id,
    image_id: await addImage(world, org.orgId),
    updated_at: null,
  });
  return { org, id, north, south, shelf, ...plan };
}
