import type { Api } from './api.js';
import type { SetUp } from './setup.js';
import type { Reported } from './truth.js';

const pageSize = 200;

type Page = { data: { asset_id: number; location_id: number | null }[]; total_count: number };

/** Where the service says that each thing is, by the thing's place in the list; what it has never seen is left out. */
export async function readReport(api: Api, key: string, setUp: SetUp): Promise<Map<number, Reported>> {
  const reported = new Map<number, Reported>();
  const first = await readPage(0);
  const rest = Array.from({ length: Math.ceil(first.total_count / pageSize) - 1 }, (_, i) => (i + 1) * pageSize);
  for (const { data } of [first, ...(await Promise.all(rest.map(readPage)))]) {
    for (const { asset_id: asset, location_id: location } of data) {
      const thing = setUp.thingOfAsset.get(asset);
      if (thing === undefined) continue;
      reported.set(thing, { zone: location === null ? null : (setUp.zoneOfLocation.get(location) ?? null) });
    }
  }
  return reported;

  /** In an order that does not change while things are read. */
  function readPage(offset: number): Promise<Page> {
    const query = `limit=${pageSize}&offset=${offset}&sort=asset_external_key`;
    return api.get<Page>(`/reports/asset-locations?${query}`, key);
  }
}
