import type { Queries } from '../../kernel/database/client.js';

/** Empties the picture of a location. Processes that have learned more meanwhile forget it when they read the reset. */
export async function resetPicture(db: Queries, orgId: number, locationId: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO location_pictures AS p (org_id, location_id, visits, antennas, reset_at)
    SELECT org_id, id, 0, '[]', now() FROM locations WHERE org_id = ${orgId} AND id = ${locationId}
    ON CONFLICT (location_id) DO UPDATE
       SET visits = 0, antennas = '[]', reset_at = EXCLUDED.reset_at, updated_at = EXCLUDED.updated_at`;
}

/** The types of tags that fixed readers can read. */
const readTypes = ['rfid', 'ble'];

/** Returns whether an asset has a tag that fixed readers can read. */
export async function hasReadableTag(db: Queries, orgId: number, assetId: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1
      FROM tags
     WHERE org_id = ${orgId} AND asset_id = ${assetId} AND tag_type = ANY (${readTypes}::text[]) AND deleted_at IS NULL
     LIMIT 1`;
  return rows.length > 0;
}

/** Returns the names of a location, and of an asset if one is given; empty if there is none. */
export async function readNames(
  db: Queries,
  orgId: number,
  { locationId, assetId = 0 }: { locationId: number; assetId?: number },
): Promise<{ location: string; asset: string }> {
  const [names] = await db.$queryRaw<{ location: string | null; asset: string | null }[]>`
    SELECT (SELECT name FROM locations WHERE org_id = ${orgId} AND id = ${locationId}) AS location,
           (SELECT name FROM assets WHERE org_id = ${orgId} AND id = ${assetId}) AS asset`;
  return { location: names?.location ?? '', asset: names?.asset ?? '' };
}
