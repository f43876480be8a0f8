import type { Database } from '../database/client.js';
import { epochMs } from '../database/columns.js';

/** The position of one asset; instants are epoch milliseconds. */
export type PositionRow = {
  location_id: number | null;
  reader_id: number | null;
  reader_name: string | null;
  reader_is_deleted: boolean;
  antenna: number | null;
  asset_last_seen: number;
  located_since: number;
};

export async function findPosition(db: Database, orgId: number, assetId: number): Promise<PositionRow | undefined> {
  const rows = await db.$queryRaw<PositionRow[]>`
    SELECT p.location_id, p.reader_id, p.antenna, r.name AS reader_name, r.deleted_at IS NOT NULL AS reader_is_deleted,
           ${epochMs('p.asset_last_seen')} AS asset_last_seen, ${epochMs('p.located_since')} AS located_since
      FROM asset_positions p
      LEFT JOIN readers r ON r.org_id = p.org_id AND r.id = p.reader_id
     WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}`;
  return rows[0];
}
