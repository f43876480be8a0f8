import type { Database } from '../database/client.js';
import { epochMs, instant } from '../database/columns.js';

/** How long a departure is shown. */
export const departuresShownDays = 7;

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

/** The row that a page begins after. */
type Cursor = { leftAtMs: number; assetId: number };

/**
 * Returns the live assets that left a location within 7 days and are not there now, each with its last visit there, the
 * latest departure first. Walks the index of departures in this order until the page is full. Positions, assets and later
 * visits are looked up by key for each visit: with a join the planner may read whole tables, as statements are prepared once
 * for locations of any size.
 */
export async function listDepartureRows(
  db: Database,
  orgId: number,
  { locationId, limit, after }: { locationId: number; limit: number; after: Cursor | null },
): Promise<DepartureRow[]> {
  const { leftAtMs = null, assetId = null } = after ?? {};
  return db.$queryRaw<DepartureRow[]>`
    SELECT v.asset_id, a.external_key AS asset_external_key, a.name AS asset_name,
           ${epochMs('v.arrived_at')} AS arrived_at, ${epochMs('v.last_seen_at')} AS last_seen_here,
           ${epochMs('v.left_at')} AS left_at,
           l.id AS location_id, l.name AS location_name, l.external_key AS location_external_key,
           ${epochMs('p.asset_last_seen')} AS asset_last_seen
      FROM asset_visits v
     CROSS JOIN LATERAL (
       SELECT o.location_id, o.asset_last_seen
         FROM asset_positions o
        WHERE o.org_id = ${orgId} AND o.asset_id = v.asset_id
       OFFSET 0
     ) p
     CROSS JOIN LATERAL (
       SELECT o.external_key, o.name
         FROM assets o
        WHERE o.org_id = ${orgId} AND o.id = v.asset_id AND o.deleted_at IS NULL
       OFFSET 0
     ) a
      LEFT JOIN LATERAL (
       SELECT o.id, o.name, o.external_key
         FROM locations o
        WHERE o.org_id = ${orgId} AND o.id = p.location_id AND o.deleted_at IS NULL
       OFFSET 0
     ) l ON true
     WHERE v.org_id = ${orgId} AND v.location_id = ${locationId} AND v.left_at IS NOT NULL
       AND v.left_at > now() - make_interval(days => ${departuresShownDays}::int)
       AND v.left_at <= coalesce(${instant(leftAtMs)}, 'infinity')
       AND (v.left_at, -v.asset_id) < (coalesce(${instant(leftAtMs)}, 'infinity'), -coalesce(${assetId}::int, 0))
       AND p.location_id IS DISTINCT FROM v.location_id
       AND NOT EXISTS (
         SELECT 1
           FROM asset_visits later
          WHERE later.org_id = ${orgId} AND later.asset_id = v.asset_id AND later.arrived_at > v.arrived_at
            AND later.location_id = v.location_id
         OFFSET 0
       )
     ORDER BY v.left_at DESC, v.asset_id
     LIMIT ${limit}::int`;
}
