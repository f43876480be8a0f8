import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import { locationsAt } from './instant.js';

/** How many assets were at a location at an instant; the second count includes sublocations. */
export type CountRow = {
  location_id: number;
  parent_id: number | null;
  name: string;
  external_key: string;
  assets_here: number;
  assets_below: number;
};

/**
 * Returns the locations at which assets were at an instant, with those above them, by id. Visits of one location are counted on
 * two indexes: those that last, and those that ended after the instant. Assets that were deleted by then, few as a rule, are
 * looked up one by one and subtracted.
 *
 * @param request.locationId the location that is counted with its sublocations; null for all
 */
export async function countAtInstant(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { locationId, atMs, limit }: { locationId: number | null; atMs: number; limit: number },
): Promise<CountRow[]> {
  const at = instant(atMs);
  const goesUp = locationId === null ? Prisma.sql`true` : Prisma.sql`u.id <> ${locationId}`;
  return db.$queryRaw<CountRow[]>`
    WITH RECURSIVE ${locationsAt(orgId, locationId, { atMs })}, own AS (
      SELECT d.id,
             (SELECT count(*) FROM asset_visits v
               WHERE v.org_id = ${orgId} AND v.location_id = d.id AND v.left_at IS NULL AND v.arrived_at <= ${at})
             + (SELECT count(*) FROM asset_visits v
                 WHERE v.org_id = ${orgId} AND v.location_id = d.id AND v.left_at IS NOT NULL AND v.left_at > ${at}
                   AND v.arrived_at <= ${at}) AS n
        FROM down d
    ), gone AS (
      SELECT v.location_id AS id, -count(*) AS n
        FROM assets a
       CROSS JOIN LATERAL (
         SELECT o.location_id, o.left_at
           FROM asset_visits o
          WHERE o.org_id = ${orgId} AND o.asset_id = a.id AND o.arrived_at <= ${at}
          ORDER BY o.arrived_at DESC
          LIMIT 1
       ) v
        JOIN down d ON d.id = v.location_id
       WHERE a.org_id = ${orgId} AND a.deleted_at IS NOT NULL AND a.deleted_at <= ${at}
         AND (v.left_at IS NULL OR v.left_at > ${at})
       GROUP BY v.location_id
    ), here AS (
      SELECT c.id, sum(c.n) AS n
        FROM (SELECT id, n FROM own WHERE n > 0 UNION ALL SELECT id, n FROM gone) c
       GROUP BY c.id
      HAVING sum(c.n) > 0
    ), up AS (
      SELECT h.id, l.parent_id, h.n FROM here h JOIN locations l ON l.org_id = ${orgId} AND l.id = h.id
      UNION ALL
      SELECT p.id, p.parent_id, u.n
        FROM up u
        JOIN locations p ON p.org_id = ${orgId} AND p.id = u.parent_id
       WHERE ${goesUp}
    )
    SELECT l.id AS location_id, l.parent_id, l.name, l.external_key,
           coalesce(h.n, 0)::float8 AS assets_here, b.n::float8 AS assets_below
      FROM (SELECT u.id, sum(u.n) AS n FROM up u GROUP BY u.id) b
      JOIN locations l ON l.org_id = ${orgId} AND l.id = b.id
      LEFT JOIN here h ON h.id = b.id
     ORDER BY l.id
     LIMIT ${limit}::int`;
}
