import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';

/** How strongly an antenna reads assets at a location; instants are epoch milliseconds. */
export type SignatureRow = {
  reader_id: number;
  reader_name: string;
  antenna: number;
  mean_dbm: number;
  /** The amount of data it was learned from. */
  samples: number;
  updated_at: number;
};

/** Returns what was learned of a location, the strongest antenna first. */
export async function listSignatureRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  locationId: number,
): Promise<SignatureRow[]> {
  return db.$queryRaw<SignatureRow[]>`
    SELECT s.reader_id, r.name AS reader_name, s.antenna, round(s.mean_dbm::numeric, 1)::float8 AS mean_dbm,
           s.reads::float8 AS samples, ${epochMs('s.updated_at')} AS updated_at
      FROM location_signatures s
      JOIN readers r ON r.org_id = s.org_id AND r.id = s.reader_id AND r.deleted_at IS NULL
     WHERE s.org_id = ${orgId} AND s.location_id = ${locationId}
     ORDER BY s.mean_dbm DESC, s.reader_id, s.antenna`;
}

/** Deletes what was learned of a location. Record the change in the same transaction: processes then forget it too. */
export async function deleteSignatures(
  db: Pick<TransactionClient, '$executeRaw'>,
  orgId: number,
  locationId: number,
): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM locations WHERE org_id = ${orgId} AND id = ${locationId} FOR NO KEY UPDATE`;
  await db.$executeRaw`DELETE FROM location_signatures WHERE org_id = ${orgId} AND location_id = ${locationId}`;
}

/** The types of tags that fixed readers can read. */
const readTypes = ['rfid', 'ble'];

/** Returns whether an asset has a tag that fixed readers can read. */
export async function hasReadableTag(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  assetId: number,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1
      FROM tags
     WHERE org_id = ${orgId} AND asset_id = ${assetId} AND tag_type = ANY (${readTypes}::text[]) AND deleted_at IS NULL
     LIMIT 1`;
  return rows.length > 0;
}

/** Returns the names of a location, and of an asset if one is given; empty if there is none. */
export async function readNames(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { locationId, assetId = 0 }: { locationId: number; assetId?: number },
): Promise<{ location: string; asset: string }> {
  const [names] = await db.$queryRaw<{ location: string | null; asset: string | null }[]>`
    SELECT (SELECT name FROM locations WHERE org_id = ${orgId} AND id = ${locationId}) AS location,
           (SELECT name FROM assets WHERE org_id = ${orgId} AND id = ${assetId}) AS asset`;
  return { location: names?.location ?? '', asset: names?.asset ?? '' };
}
