import { Prisma } from '../../../generated/prisma/client.js';
import { subtreeOf, upFrom } from '../locations/tree.js';
import type { Queries } from '../../kernel/database/client.js';

/** A location on the path from the root of the tree. */
export type PathStep = { id: number; external_key: string; name: string };

/** A location with its path from the root down to itself. A deleted location keeps its name. */
export type LocationWithPath = PathStep & {
  is_deleted: boolean;
  /** Whether assets there are free to use. The nearest mark decides, on the location itself or above it. */
  is_free: boolean;
  path: PathStep[];
};

type StepRow = PathStep & { start_id: number; is_deleted: boolean; assets_free: boolean | null };

/** Returns locations with their paths, each once. */
export async function readLocationPaths(
  db: Queries,
  orgId: number,
  locationIds: readonly (number | null)[],
): Promise<Map<number, LocationWithPath>> {
  const ids = [...new Set(locationIds)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const starts = Prisma.sql`locations l WHERE l.org_id = ${orgId} AND l.id = ANY(${ids}::int[])`;
  const steps = await db.$queryRaw<StepRow[]>`
    WITH RECURSIVE ${upFrom(orgId, starts, { columns: ['external_key', 'name', 'deleted_at', 'assets_free'] })}
    SELECT start_id, id, external_key, name, deleted_at IS NOT NULL AS is_deleted, assets_free
      FROM up
     ORDER BY start_id, distance DESC`;
  const locations = new Map<number, LocationWithPath>();
  let path: PathStep[] = [];
  let isFree = false;
  for (const { start_id: start, is_deleted, assets_free: saysFree, ...step } of steps) {
    path.push(step);
    isFree = saysFree ?? isFree;
    if (step.id !== start) continue;
    locations.set(start, { ...step, is_deleted, is_free: isFree && !is_deleted, path });
    path = [];
    isFree = false;
  }
  return locations;
}

/** Returns the ids of a live location and its live sublocations; none if there is no such location. */
export async function findSubtree(db: Queries, orgId: number, locationId: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}
    SELECT id FROM down`;
  return rows.map(({ id }) => id);
}
