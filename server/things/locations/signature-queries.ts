import type { Queries } from '../../kernel/database/client.js';

/**
 * Deletes what was learned about a location. Record the change in the same transaction, from which other processes
 * notice that they have to forget it too.
 */
export async function deleteSignatures(db: Queries, orgId: number, locationId: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM locations WHERE org_id = ${orgId} AND id = ${locationId} FOR NO KEY UPDATE`;
  await db.$executeRaw`DELETE FROM location_signatures WHERE org_id = ${orgId} AND location_id = ${locationId}`;
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
