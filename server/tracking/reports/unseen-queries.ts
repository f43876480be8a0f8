import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { ofLiveAsset } from '../../kernel/database/position-order.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import { reportedLocations } from './period.js';

/** A live asset that has not been seen for some time, or never. Instants are epoch milliseconds. */
export type UnseenRow = {
  id: number;
  external_key: string;
  name: string;
  location_id: number | null;
  location_name: string | null;
  /** Null for an asset that was never seen. */
  last_seen: number | null;
};

/** The number of assets that were last seen at a location; null for no known location. */
export type UnseenCountRow = { location_id: number | null; name: string | null; assets: number };

export type UnseenRequest = { beforeMs: number; locationId: number | null };

/** Selects the live assets that were last seen before an instant. In all locations, those that were never seen count too. */
function unseen(orgId: number, { beforeMs, locationId }: UnseenRequest): Prisma.Sql {
  const located =
    locationId === null ? Prisma.empty : Prisma.sql`AND p.location_id = ANY (ARRAY(SELECT d.id FROM down d))`;
  const neverSeen =
    locationId === null
      ? Prisma.sql`
    UNION ALL
    SELECT a.id, NULL, NULL
      FROM assets a
     WHERE a.org_id = ${orgId} AND a.deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = a.id)`
      : Prisma.empty;
  return Prisma.sql`
    SELECT p.asset_id, p.location_id, p.asset_last_seen
      FROM asset_positions p
     WHERE p.org_id = ${orgId} AND ${ofLiveAsset('p')} AND p.asset_last_seen < ${instant(beforeMs)} ${located}
    ${neverSeen}`;
}

/** Returns a page of assets that were not seen since an instant, never seen and longest unseen first, with the count of all. */
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
        SELECT u.asset_id AS id, a.external_key, a.name, u.location_id, l.name AS location_name,
               ${epochMs('u.asset_last_seen')} AS last_seen
          FROM (
            SELECT * FROM unseen ORDER BY asset_last_seen NULLS FIRST, asset_id LIMIT ${paging.limit} OFFSET ${paging.offset}
          ) u
          JOIN assets a ON a.org_id = ${orgId} AND a.id = u.asset_id
          LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
      ) page ON true
     ORDER BY page.last_seen NULLS FIRST, page.id`;
}

/** Counts the assets that were not seen since an instant by their last location, most first. */
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
