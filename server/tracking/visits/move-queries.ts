import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { always, subtreeOf } from '../../things/locations/tree.js';

/** A move between two visits; null if the asset was at or came to no location. `at` is epoch milliseconds. */
export type MoveRow = {
  at: number;
  asset_id: number;
  name: string;
  external_key: string;
  from_id: number | null;
  from_name: string | null;
  to_id: number | null;
  to_name: string | null;
  /** Whether the move concerns the requested location. */
  is_wanted: boolean;
};

/** The position of a page: after this move. */
export type MoveCursor = { atMs: number; assetId: number };

export type MoveRequest = {
  fromMs: number;
  untilMs: number;
  after: MoveCursor | null;
  /** The location whose moves are requested, with its sublocations; null for all. */
  locationId: number | null;
  limit: number;
};

/**
 * Returns the next moves after a cursor, oldest first, at most `limit`: the visits that began in the range `fromMs <=
 * at < untilMs`, each with the previous location of the asset. Moves that do not concern the location are returned too,
 * so that the caller knows how far was read.
 */
export async function listMoveRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { fromMs, untilMs, after, locationId, limit }: MoveRequest,
): Promise<MoveRow[]> {
  const { atMs = fromMs, assetId = 0 } = after ?? {};
  return db.$queryRaw<MoveRow[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId, { belongs: always })}, arrival AS MATERIALIZED (
      SELECT v.asset_id, v.arrived_at, v.location_id
        FROM asset_visits v
       WHERE v.org_id = ${orgId} AND (v.arrived_at, v.asset_id) > (${instant(atMs)}, ${assetId}::int)
         AND v.arrived_at < ${instant(untilMs)}
       ORDER BY v.arrived_at, v.asset_id
       LIMIT ${limit}::int
    )
    SELECT ${epochMs('m.arrived_at')} AS at, m.asset_id, a.name, a.external_key,
           m.from_id, f.name AS from_name, m.to_id, t.name AS to_name,
           coalesce(${locationId}::int IS NULL OR m.from_id IN (SELECT id FROM down)
                    OR m.to_id IN (SELECT id FROM down), false) AS is_wanted
      FROM (
        SELECT r.asset_id, r.arrived_at, r.location_id AS to_id,
               (SELECT b.location_id
                  FROM asset_visits b
                 WHERE b.org_id = ${orgId} AND b.asset_id = r.asset_id AND b.arrived_at < r.arrived_at
                 ORDER BY b.arrived_at DESC
                 LIMIT 1) AS from_id
          FROM arrival r
      ) m
     CROSS JOIN LATERAL (
       SELECT o.name, o.external_key FROM assets o WHERE o.org_id = ${orgId} AND o.id = m.asset_id OFFSET 0
     ) a
      LEFT JOIN LATERAL (
        SELECT o.name FROM locations o WHERE o.org_id = ${orgId} AND o.id = m.from_id OFFSET 0
      ) f ON true
      LEFT JOIN LATERAL (
        SELECT o.name FROM locations o WHERE o.org_id = ${orgId} AND o.id = m.to_id OFFSET 0
      ) t ON true
     ORDER BY m.arrived_at, m.asset_id`;
}
