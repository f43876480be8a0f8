import { type Api, inParallel } from './api.js';
import type { Reported } from './knowledge.js';
import type { SetUp } from './setup.js';

const pageSize = 200;
/** Requests under way at a time. */
const width = 8;

type Page = { data: { asset_id: number; location_id: number | null }[]; total_count: number };

/** Reads where the service reports each thing, by its index. Assets that were never seen are missing. */
export async function readReport(api: Api, key: string, setUp: SetUp): Promise<Map<number, Reported>> {
  const reported = new Map<number, Reported>();
  const { total_count: total } = await readPage(0);
  const offsets = Array.from({ length: Math.ceil(total / pageSize) - 1 }, (_, i) => (i + 1) * pageSize);
  await inParallel(offsets, width, async (offset) => {
    await readPage(offset);
  });
  return reported;

  /** Sorted by key: that order does not change while assets are read. */
  async function readPage(offset: number): Promise<Page> {
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
