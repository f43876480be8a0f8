import { expect } from 'vitest';
import type { Answer, World } from '../support/world.js';

/** An organization with an asset and a location, the paths that write, and a check that nothing was written. */
export async function createFixture(world: World) {
  const org = await world.organization();
  const { data: asset } = (await org.post('/api/v1/assets', { name: 'Asset' })).body;
  const { data: location } = (await org.post('/api/v1/locations', { name: 'Location' })).body;
  const paths = {
    assets: '/api/v1/assets',
    asset: `/api/v1/assets/${asset.id}`,
    assetRename: `/api/v1/assets/${asset.id}/rename`,
    assetTags: `/api/v1/assets/${asset.id}/tags`,
    locations: '/api/v1/locations',
    location: `/api/v1/locations/${location.id}`,
    locationRename: `/api/v1/locations/${location.id}/rename`,
    locationTags: `/api/v1/locations/${location.id}/tags`,
  };
  const counts = () =>
    Promise.all([
      world.db.asset.count({ where: { orgId: org.orgId } }),
      world.db.location.count({ where: { orgId: org.orgId } }),
      world.db.tag.count({ where: { orgId: org.orgId } }),
    ]);
  const untouched = async () => {
    expect(await counts()).toStrictEqual([1, 1, 0]);
    expect((await org.get(paths.asset)).body.data).toStrictEqual(asset);
    expect((await org.get(paths.location)).body.data).toStrictEqual(location);
  };
  return { org, asset, location, paths, untouched };
}

export type PathName = keyof Awaited<ReturnType<typeof createFixture>>['paths'];

/** The status of an answer with its errors. */
export function entriesOf({ status, body }: Answer): unknown {
  const fields = (body?.error?.fields ?? []) as { field: string; code: string; message: string }[];
  return [status, ...fields.map(({ field, code, message }) => [field, code, message])];
}
