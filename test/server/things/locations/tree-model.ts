import { createRandom } from '../../../support/random.js';
import type { ScanOrganization, ScanWorld } from '../../../support/scan-world.js';

export type ModelLocation = { id: number; name: string; parentId: number | null; isDeleted: boolean };

export type ModelAsset = { id: number; locationId: number | null; isDeleted: boolean };

/** A tree and what is in it, in plain objects beside the database that holds the same. */
export type TreeModel = {
  locations: ModelLocation[];
  assets: ModelAsset[];
  childrenOf(parentId: number | null): ModelLocation[];
  pathOf(id: number): ModelLocation[];
  /** The live assets at a location, or there and anywhere below. */
  assetsAt(id: number, includingBelow: boolean): ModelAsset[];
};

/** Fills an organization with a random tree and random positions, some of them of deleted assets. */
export async function growTree(
  { db }: Pick<ScanWorld, 'db'>,
  { orgId }: ScanOrganization,
  {
    seed,
    locations: locationCount = 40,
    assets: assetCount = 120,
  }: { seed: number; locations?: number; assets?: number },
): Promise<TreeModel> {
  const random = createRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const past = new Date(Date.now() - 86_400_000);
  const row = { orgId, validFrom: past, createdAt: past, updatedAt: past };
  const locations: ModelLocation[] = [];
  for (let n = 0; n < locationCount; n += 1) {
    const parent = locations[below(locations.length + 3)];
    const name = `${['Hall', 'aisle', 'Rack'][below(3)]} ${below(30)}`;
    const parentId = parent?.id ?? null;
    const isDeleted = parent?.isDeleted === true || random() < 0.05;
    const { id } = await db.location.create({
      data: { ...row, externalKey: `L-${n}`, name, parentId, deletedAt: isDeleted ? past : null },
    });
    locations.push({ id, name, parentId, isDeleted });
  }
  const live = locations.filter(({ isDeleted }) => !isDeleted);
  const assets: ModelAsset[] = [];
  for (let n = 0; n < assetCount; n += 1) {
    const isDeleted = random() < 0.2;
    const locationId = random() < 0.1 ? null : (live[below(live.length)]?.id ?? null);
    const { id } = await db.asset.create({
      data: { ...row, externalKey: `A-${n}`, name: `Thing ${below(50)}`, deletedAt: isDeleted ? past : null },
    });
    await db.assetPosition.create({
      data: { orgId, assetId: id, locationId, assetLastSeen: past, locatedSince: past },
    });
    assets.push({ id, locationId, isDeleted });
  }
  const byId = new Map(locations.map((location) => [location.id, location]));

  function pathOf(id: number): ModelLocation[] {
    const location = byId.get(id);
    if (!location) return [];
    return [...(location.parentId === null ? [] : pathOf(location.parentId)), location];
  }

  return {
    locations,
    assets,
    pathOf,
    childrenOf: (parentId) => live.filter((location) => location.parentId === parentId),
    assetsAt: (id, includingBelow) =>
      assets.filter(
        ({ isDeleted, locationId }) =>
          !isDeleted &&
          locationId !== null &&
          (includingBelow ? pathOf(locationId).some((step) => step.id === id) : locationId === id),
      ),
  };
}
