import sharp from 'sharp';
import type { Account } from './account.js';
import type { Api } from './api.js';
import { floorSvg, outlines } from './floor.js';

/**
 * Gives the site its floor plan with the outlines of all zones, as the editor of the app would.
 *
 * @param locations the location id of each zone
 * @returns the address of the plan in the app
 */
export async function createFloorPlan(
  api: Api,
  { token }: Account,
  locations: ReadonlyMap<string, number>,
): Promise<string> {
  const siteId = locations.get('SITE') ?? 0;
  const image = await sharp(Buffer.from(floorSvg())).png().toBuffer();
  const { id: imageId } = await api.upload('plan', { bytes: image, type: 'image/png' }, token);
  const target = { location_id: siteId };
  const plan = await api.procedure<{ updated_at: string }>(
    'floorPlans.set',
    { ...target, image_id: imageId, updated_at: null },
    token,
  );
  const shapes = outlines().flatMap(({ zone, points }) => {
    const id = locations.get(zone);
    return id === undefined ? [] : [{ location_id: id, points }];
  });
  await api.procedure('floorPlans.setShapes', { ...target, updated_at: plan.updated_at, shapes }, token);
  return `${api.url}/locations/${siteId}`;
}
