import type { TestOrganization, World } from '../support/world.js';

/** An organization with one asset and one location, and every write of the contract by its template. */
export async function createWrites(world: World) {
  const org = await world.organization();
  const { data: asset } = (
    await org.post('/api/v1/assets', { name: 'Asset', tags: [{ tag_type: 'rfid', value: 'A' }] })
  ).body;
  const { data: location } = (await org.post('/api/v1/locations', { name: 'Location' })).body;
  const writes: readonly [method: 'POST' | 'PATCH', path: string][] = [
    ['POST', '/api/v1/assets'],
    ['PATCH', `/api/v1/assets/${asset.id}`],
    ['POST', `/api/v1/assets/${asset.id}/rename`],
    ['POST', `/api/v1/assets/${asset.id}/tags`],
    ['POST', '/api/v1/locations'],
    ['PATCH', `/api/v1/locations/${location.id}`],
    ['POST', `/api/v1/locations/${location.id}/rename`],
    ['POST', `/api/v1/locations/${location.id}/tags`],
  ];
  const stored = () => storedBy(world, org);
  return { org, asset, location, writes, stored };
}

/** Everything that a write could have changed. */
async function storedBy({ db }: World, { orgId }: TestOrganization): Promise<string> {
  const where = { where: { orgId }, orderBy: { id: 'asc' as const } };
  const rows = await Promise.all([db.asset.findMany(where), db.location.findMany(where), db.tag.findMany(where)]);
  return JSON.stringify(rows);
}
