import { Prisma } from '../../../generated/prisma/client.js';
import { timestamp } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { selected } from '../../kernel/database/field-sql.js';
import { assetFields, type ValuesFor, viewer, without } from '../../kernel/fields.js';
import { type ContainerName, containersOf } from '../../kernel/database/containers.js';
import { type Placement, placementOf } from '../../kernel/database/placements.js';
import { kindOfAsset } from '../asset-kinds/queries.js';
import type { KindOfAsset } from '../asset-kinds/schemas.js';
import { hasOpenProblem } from '../asset-problems/queries.js';
import { tagsOf } from '../tags/queries.js';
import type { AssetView } from './schemas.js';
import { isAway } from './belongs-to.js';
import { type LocationWithPath, readLocationPaths } from './location-paths.js';

const listedFields = without(assetFields, ['metadata', 'deleted_at']);

/** An asset of a list: its fields, its location and when it was seen or placed. */
export type PlacedAsset = Omit<AssetView, 'metadata' | 'deleted_at'> & {
  kind: KindOfAsset | null;
  has_problem: boolean;
  /** Its requested custom details, as text of at most 200 characters. */
  details: Record<string, string>;
  /** The lowest percentage of its tags' batteries, if it was requested; null if none is known. */
  battery: number | null;
  /** Null if it was never seen, or seen by a reader without a location. */
  location: LocationWithPath | null;
  /** The containers that it is in, from the inside out. */
  containers: ContainerName[];
  /** The location that it belongs to, which may be deleted. */
  belongs_to: LocationWithPath | null;
  /** Whether it is known to be elsewhere. */
  is_away: boolean;
  /** When it was seen or placed last. Null if it never was, like `located_since`. */
  asset_last_seen: string | null;
  located_since: string | null;
  /** Null if it was seen, not placed. */
  placement: Placement | null;
};

type PlacedRow = ValuesFor<typeof listedFields, 'view'> &
  Omit<PlacedAsset, keyof AssetView | 'location' | 'belongs_to' | 'is_away'> &
  Pick<PlacedAsset, 'tags'> & { location_id: number | null; belongs_to_id: number | null };

const viewFields = viewer(listedFields);

type PlacedQuery = { ids: readonly number[]; detailKeys?: readonly string[]; withBattery?: boolean };

/**
 * Returns the live assets with the given ids, in the same order; missing ones are left out. Rows are looked up one by
 * one: a generic plan would assume a long list and read whole tables.
 */
export async function readPlacedAssets(
  db: Queries,
  orgId: number,
  { ids, detailKeys = [], withBattery = false }: PlacedQuery,
): Promise<PlacedAsset[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<PlacedRow[]>`
    SELECT ${selected(listedFields, 'a')}, ${kindOfAsset} AS kind, ${hasOpenProblem(orgId, 'a')} AS has_problem,
           ${tagsOf('asset', 'a')} AS tags, ${detailsOf(detailKeys)} AS details, ${batteryOf(withBattery)} AS battery,
           a.belongs_to_id, p.location_id, ${timestamp('p.asset_last_seen')} AS asset_last_seen, ${timestamp('p.located_since')} AS located_since,
           ${placementOf(orgId, 'p')} AS placement, ${containersOf(orgId, 'a')} AS containers
      FROM unnest(${ids}::int[]) WITH ORDINALITY AS wanted (id, no)
     CROSS JOIN LATERAL (
       SELECT * FROM assets r WHERE r.org_id = ${orgId} AND r.id = wanted.id AND r.deleted_at IS NULL OFFSET 0
     ) a
      LEFT JOIN LATERAL (
       SELECT r.asset_id, r.location_id, r.asset_last_seen, r.located_since
         FROM asset_positions r
        WHERE r.org_id = ${orgId} AND r.asset_id = a.id OFFSET 0
     ) p ON true
     ORDER BY wanted.no`;
  const locations = await readLocationPaths(
    db,
    orgId,
    rows.flatMap((row) => [row.location_id, row.belongs_to_id]),
  );
  const locationOf = (id: number | null) => (id === null ? null : (locations.get(id) ?? null));
  return rows.map(({ location_id, belongs_to_id, ...row }) => {
    const [location, belongsTo] = [locationOf(location_id), locationOf(belongs_to_id)];
    return { ...row, ...viewFields(row), location, belongs_to: belongsTo, is_away: isAway(belongsTo, location) };
  });
}

/**
 * Returns the custom details of the asset `a` with the given keys; a null value counts as missing. Reads the details
 * once, because `->>` would parse all of them again for each key.
 */
function detailsOf(keys: readonly string[]): Prisma.Sql {
  if (keys.length === 0) return Prisma.sql`'{}'::json`;
  return Prisma.sql`(
    SELECT coalesce(json_object_agg(member.key, left(member.value, 200)), '{}')
      FROM json_each_text(a.metadata) AS member (key, value)
     WHERE member.key = ANY(${[...keys]}::text[]) AND member.value IS NOT NULL)`;
}

/** Returns the lowest percentage of the batteries of the asset `a`. */
function batteryOf(isWanted: boolean): Prisma.Sql {
  if (!isWanted) return Prisma.sql`NULL::real`;
  return Prisma.sql`(
    SELECT min(m.battery) FROM tags k JOIN tag_telemetry m ON m.tag_id = k.id AND m.org_id = k.org_id
     WHERE k.org_id = a.org_id AND k.asset_id = a.id AND k.deleted_at IS NULL)`;
}
