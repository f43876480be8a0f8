import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { epochMs, instant } from '../database/columns.js';
import { seenBefore } from '../database/position-order.js';
import type { CountedRow, Paging } from '../lists.js';
import { reportedLocations } from './period.js';

/** A live asset that has not been seen for some time. Instants are epoch milliseconds. */
export type UnseenRow = {
  id: number;
  external_key: string;
  name: string;
  location_id: number | null;
  location_name: string | null;
  last_seen: number;
};

/** The number of assets that were last seen at a location; null for no known location. */
export type UnseenCountRow = { location_id: number | null; name: string | null; assets: number };

export type UnseenRequest = { beforeMs: number; locationId: number | null };

/**
 * Selects the listings of live assets that were last seen before an instant. The slot of the instant is compared
 * exactly.
 */
function unseen(orgId: number, { beforeMs, locationId }: UnseenRequest): Prisma.Sql {
  const before = instant(beforeMs);
  const located =
    locationId === null ? Prisma.empty : Prisma.sql`AND s.location_id = ANY (ARRAY(SELECT d.id FROM down d))`;
  return Prisma.sql`
    SELECT s.asset_id, s.location_id, s.seen_slot, a.external_key, a.name
      FROM position_listings s
      JOIN assets a ON a.org_id = ${orgId} AND a.id = s.asset_id AND a.deleted_at IS NULL
     WHERE s.org_id = ${orgId} AND ${seenBefore('s', before)} ${located}`;
}

/** Returns a page of assets that were last seen before an instant, longest unseen first, with the count of all. */
export async function listUnseenRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { paging, ...request }: UnseenRequest & { paging: Paging },
): Promise<CountedRow<UnseenRow>[]> {
  return db.$queryRaw<CountedRow<UnseenRow>[]>`
    WITH RECURSIVE ${reportedLocations(orgId, request.locationId)}, unseen AS MATERIALIZED (${unseen(orgId, request)})
    SELECT total.n AS total_count, page.*
      FROM (SELECT count(*)::float8 AS n FROM unseen) total
      LEFT JOIN (
        SELECT u.asset_id AS id, u.external_key, u.name, u.location_id, l.name AS location_name,
               ${epochMs('p.asset_last_seen')} AS last_seen
          FROM (
            SELECT * FROM unseen ORDER BY seen_slot, asset_id LIMIT ${paging.limit} OFFSET ${paging.offset}
          ) u
          JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = u.asset_id
          LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
      ) page ON true
     ORDER BY page.last_seen, page.id`;
}

/** Counts the assets that were last seen before an instant by location, most first. */
export async function countUnseen(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { limit, ...request }: UnseenRequest & { limit: number },
): Promise<UnseenCountRow[]> {
  return db.$queryRaw<UnseenCountRow[]>`
    WITH RECURSIVE ${reportedLocations(orgId, request.locationId)}, unseen AS (${unseen(orgId, request)})
    SELECT u.location_id, l.name, u.n::float8 AS assets
      FROM (SELECT location_id, count(*) AS n FROM unseen GROUP BY 1) u
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
     ORDER BY u.n DESC, u.location_id
     LIMIT ${limit}::int`;
}
