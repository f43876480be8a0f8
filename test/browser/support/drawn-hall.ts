import type { ScanOrganization } from '../../support/scan-world.js';
import { png } from '../../support/pictures.js';
import type { BrowserWorld } from './world.js';

/** Of the plans that tests draw on, in pixels. */
export const planSize = { width: 800, height: 400 };

/** A hall with a north and a south room. */
export async function hall({ admin }: ScanOrganization) {
  const id = (await admin.locations.create({ name: 'Hall' })).data.id;
  const north = (await admin.locations.create({ name: 'North', parent_id: id })).data.id;
  const south = (await admin.locations.create({ name: 'South', parent_id: id })).data.id;
  return { id, north, south };
}

/** The corners of a square, in parts of the width and height of the plan. */
export function rectangle(left: number, top: number, side = 0.3): [number, number][] {
  return [
    [left, top],
    [left + side, top],
    [left + side, top + side],
    [left, top + side],
  ];
}

/** A hall whose plan has outlines of both rooms, or of none. */
export async function drawnHall({ db }: BrowserWorld, organization: ScanOrganization, isDrawn = true) {
  const { admin, orgId } = organization;
  const locations = await hall(organization);
  const content = new Uint8Array(await png(planSize));
  const image = await db.image.create({
    data: { orgId, kind: 'plan', ...planSize, content, thumbnail: content, etag: 'plan', storedBytes: content.length },
  });
  const plan = await admin.floorPlans.set({ location_id: locations.id, image_id: image.id, updated_at: null });
  if (!isDrawn) return locations;
  const shapes = [
    { location_id: locations.north, points: rectangle(0.1, 0.1) },
    { location_id: locations.south, points: rectangle(0.6, 0.6) },
  ];
  await admin.floorPlans.setShapes({ location_id: locations.id, ...plan, shapes });
  return locations;
}
