import type { Queries } from '../../server/kernel/database/client.js';
import { epochMs } from '../../server/kernel/database/columns.js';

type StoredVisit = { arrivedAt: Date; leftAt: Date | null; locationId: number | null };

/** The visits of an organization, or of one of its assets, oldest first, with the open ones. */
export async function visitsIn(
  db: Queries,
  { orgId, assetId = null }: { orgId: number; assetId?: number | null },
): Promise<StoredVisit[]> {
  const rows = await db.$queryRaw<{ arrived: number; left: number | null; location_id: number | null }[]>`
    SELECT ${epochMs('v.arrived_at')} AS arrived, ${epochMs('v.left_at')} AS left, v.location_id
      FROM visits v
     WHERE v.org_id = ${orgId} AND v.asset_id = coalesce(${assetId}::int, v.asset_id)
     ORDER BY v.arrived_at`;
  return rows.map((row) => ({
    arrivedAt: new Date(row.arrived),
    leftAt: row.left === null ? null : new Date(row.left),
    locationId: row.location_id,
  }));
}
