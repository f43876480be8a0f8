import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, inNaturalOrder, instant } from '../../kernel/database/columns.js';
import { matches, textOnly } from '../../things/assets/search-conditions.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import { existedAt, locationsAt } from './instant.js';

/** An asset that was at a location at an instant. Instants are epoch milliseconds. */
export type PresentRow = {
  id: number;
  external_key: string;
  name: string;
  is_deleted: boolean;
  location_id: number;
  location_name: string;
  location_external_key: string;
  arrived_at: number;
  /** Null while the visit lasts. */
  left_at: number | null;
};

export type PresentRequest = {
  locationId: number | null;
  atMs: number;
  includingSublocations: boolean;
  q: string | undefined;
  paging: Paging;
};

/**
 * Returns a page, by name, of the assets that were at a location at an instant, with the count of all of them. Visits are found
 * by location on two indexes: those that last, and those that ended after the instant.
 */
export async function listPresentRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { locationId, atMs, includingSublocations, q, paging }: PresentRequest,
): Promise<CountedRow<PresentRow>[]> {
  const at = instant(atMs);
  const down = locationsAt(orgId, locationId, { atMs, below: includingSublocations });
  const search = q === undefined ? undefined : textOnly(orgId, q);
  return db.$queryRaw<CountedRow<PresentRow>[]>`
    WITH RECURSIVE ${down}, present AS MATERIALIZED (
      SELECT v.asset_id, v.arrived_at, v.left_at, d.id AS location_id
        FROM down d
       CROSS JOIN LATERAL (
         SELECT o.asset_id, o.arrived_at, o.left_at
           FROM asset_visits o
          WHERE o.org_id = ${orgId} AND o.location_id = d.id AND o.left_at IS NULL AND o.arrived_at <= ${at}
         UNION ALL
         SELECT o.asset_id, o.arrived_at, o.left_at
           FROM asset_visits o
          WHERE o.org_id = ${orgId} AND o.location_id = d.id AND o.left_at IS NOT NULL AND o.left_at > ${at}
            AND o.arrived_at <= ${at}
       ) v
    ), matched AS MATERIALIZED (
      SELECT a.id, a.name, a.external_key, a.deleted_at IS NOT NULL AS is_deleted,
             p.arrived_at, p.left_at, p.location_id
        FROM present p
        JOIN assets a ON a.org_id = ${orgId} AND a.id = p.asset_id AND ${existedAt('a', atMs)}
       WHERE ${search ? matches(orgId, search, 'a') : Prisma.sql`true`}
    )
    SELECT total.n AS total_count, m.id, m.external_key, m.name, m.is_deleted, m.location_id,
           l.name AS location_name, l.external_key AS location_external_key,
           ${epochMs('m.arrived_at')} AS arrived_at, ${epochMs('m.left_at')} AS left_at
      FROM (SELECT count(*)::float8 AS n FROM matched) total
      LEFT JOIN (
        SELECT * FROM matched ORDER BY ${inNaturalOrder('name')}, id LIMIT ${paging.limit} OFFSET ${paging.offset}
      ) m ON true
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = m.location_id
     ORDER BY ${inNaturalOrder('m.name')}, m.id`;
}
