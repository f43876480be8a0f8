import { type Api, inParallel } from './api.js';
import type { SetUp } from './setup.js';
import type { Reported } from './truth.js';

const pageSize = 200;
/** Pages asked for at a time. */
const width = 8;

type Page = { data: { asset_id: number; location_id: number | null }[]; total_count: number };

/** Where the service says that each thing is, by the thing's place in the list; what it has never seen is left out. */
export async function readReport(api: Api, key: string, setUp: SetUp): Promise<Map<number, Reported>> {
  const reported = new Map<number, Reported>();
  const { total_count: total } = await takePage(0);
  const offsets = Array.from({ length: Math.ceil(total / pageSize) - 1 }, (_, i) => (i + 1) * pageSize);
  await inParallel(offsets, width, async (offset) => {
    await takePage(offset);
  });
  return reported;

  /** In an order that does not change while things are read. */
  async function takePage(offset: number): Promise<Page> {
    const query = `limit=${pageSize}&offset=${offset}&sort=asset_external_key`;
    const page = await api.get<Page>(`/reports/asset-locations?${query}`, key);
    for (const { asset_id: asset, location_id: location } of page.data) {
      const thing = setUp.thingOfAsset.get(asset);
      if (thing === undefined) continue;
      reported.set(thing, { zone: location === null ? null : (setUp.zoneOfLocation.get(location) ?? null) });
    }
    return page;
  }
}
