import type { Database } from '../database/client.js';
import { epochMs, instant } from '../database/columns.js';

/** How long a departure is shown and kept. */
export const departuresKeptDays = 7;

const deletedAtOnceMax = 2000;

/** An asset that was at a location, and where it is now. Instants are epoch milliseconds. */
export type DepartureRow = {
  asset_id: number;
  asset_external_key: string;
  asset_name: string;
  arrived_at: number;
  last_seen_here: number;
  left_at: number;
  location_id: number | null;
  location_name: string | null;
  location_external_key: string | null;
  asset_last_seen: number;
};

/**
 * The live assets that left a location within the days that departures are kept and have not come back, the latest first.
 * The instant and the asset after which a page begins are those of the row before it.
 */
export async function listDepartureRows(
  db: Database,
  orgId: number,
  {
    locationId,
    limit,
    before,
  }: { locationId: number; limit: number; before: { leftAtMs: number; assetId: number } | null },
): Promise<DepartureRow[]> {
  return db.$queryRaw<DepartureRow[]>`
    SELECT d.asset_id, a.external_key AS asset_external_key, a.name AS asset_name,
           ${epochMs('d.located_since')} AS arrived_at, ${epochMs('d.last_seen')} AS last_seen_here,
           ${epochMs('d.left_at')} AS left_at,
           l.id AS location_id, l.name AS location_name, l.external_key AS location_external_key,
           ${epochMs('p.asset_last_seen')} AS asset_last_seen
      FROM location_departures d
      JOIN asset_positions p ON p.org_id = d.org_id AND p.asset_id = d.asset_id
      JOIN assets a ON a.org_id = d.org_id AND a.id = d.asset_id
      LEFT JOIN locations l ON l.org_id = d.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
     WHERE d.org_id = ${orgId} AND d.location_id = ${locationId}
       AND d.left_at > now() - ${departuresKeptDays}::int * interval '1 day'
       AND (d.left_at <= ${instant(before?.leftAtMs ?? null)} OR ${before === null})
       AND (d.left_at < ${instant(before?.leftAtMs ?? null)} OR d.asset_id > ${before?.assetId ?? 0}::int OR ${before === null})
       AND p.location_id IS DISTINCT FROM d.location_id
       AND a.deleted_at IS NULL
     ORDER BY d.left_at DESC, d.asset_id
     LIMIT ${limit}::int`;
}

/** Throws away what left too long ago, a little at a time: whoever moves one of these assets waits no longer than that. */
export async function removeOldDepartures(db: Database): Promise<void> {
  for (let removed = deletedAtOnceMax; removed === deletedAtOnceMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM location_departures d
       USING (
         SELECT o.org_id, o.location_id, o.asset_id
           FROM location_departures o
          WHERE o.left_at < now() - ${departuresKeptDays}::int * interval '1 day'
          LIMIT ${deletedAtOnceMax}
            FOR UPDATE SKIP LOCKED
       ) old
       WHERE d.org_id = old.org_id AND d.location_id = old.location_id AND d.asset_id = old.asset_id`;
  }
}
