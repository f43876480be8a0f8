import { z } from 'zod';
import { requireLocation } from '../../things/locations/procedure.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { instant } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { keptInstant, locationsAt } from './instant.js';

/** More locations than a plan or a table shows. */
const locationsMax = 10_000;

/** How many assets were at a location at an instant; `assets_below` includes sublocations. */
export type LocationCount = {
  location_id: number;
  parent_id: number | null;
  name: string;
  external_key: string;
  assets_here: number;
  assets_below: number;
};

/** The locations at which assets were at `at`, with the locations above them up to the requested one. */
export type InstantCounts = { at: string; data: LocationCount[]; is_complete: boolean };

const input = z.strictObject({ at: timestampParameter(), location_id: idParameter().exactOptional() });

/**
 * Counts the assets at each location at an instant, from visits: in a location and its sublocations, or in all
 * locations. The tree of locations is the present tree. An instant in the future is the present. A location without
 * assets is left out.
 */
export const countVisits = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { at, location_id: locationId = null } }): Promise<InstantCounts> => {
    const { db, settings } = ctx.services;
    const atMs = keptInstant(at, { field: 'at', nowMs: Date.now(), retentionDays: settings.eventRetentionDays });
    await requireLocation(db, ctx.orgId, locationId);
    const rows = await countAtInstant(db, ctx.orgId, { locationId, atMs, limit: locationsMax + 1 });
    return {
      at: formatTimestamp(atMs),
      data: rows.slice(0, locationsMax),
      is_complete: rows.length <= locationsMax,
    };
  });

/**
 * Returns the locations at which assets were at an instant, with the locations above them, by id. Visits of a location
 * are counted with two indexes: one for open visits, and one for visits that ended after the instant. Assets that were
 * deleted by then, usually few, are looked up one by one and subtracted.
 *
 * @param request.locationId the location that is counted with its sublocations; null for all
 */
export async function countAtInstant(
  db: Queries,
  orgId: number,
  { locationId, atMs, limit }: { locationId: number | null; atMs: number; limit: number },
): Promise<LocationCount[]> {
  const at = instant(atMs);
  const goesUp = locationId === null ? Prisma.sql`true` : Prisma.sql`u.id <> ${locationId}`;
  return db.$queryRaw<LocationCount[]>`
    WITH RECURSIVE ${locationsAt(orgId, locationId, { atMs })}, own AS (
      SELECT d.id,
             (SELECT count(*) FROM visits v
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
           FROM visits o
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
