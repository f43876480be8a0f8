import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, inNaturalOrder } from '../../kernel/database/columns.js';
import { matches, matchingIds, textOnly } from '../assets/search-conditions.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import { idMax } from '../../kernel/validation/fields.js';
import { countBelow } from './level-queries.js';
import { subtreeOf } from './tree.js';

/** An asset at a location. Instants are epoch milliseconds. */
export type ContentRow = {
  id: number;
  external_key: string;
  name: string;
  is_active: boolean;
  location_id: number;
  location_name: string;
  location_external_key: string;
  located_since: number;
  asset_last_seen: number;
};

export type ContentRequest = { locationId: number; includingBelow: boolean; q: string | undefined; paging: Paging };

/**
 * Up to this many assets are sorted. If there are more, assets are read in the order of their names until the page is
 * full, or are found by the search text.
 */
export const sortedMax = 20_000;

/** Counts the live assets at a location, and there or below it; undefined if there is no such location. */
export async function countContents(
  db: Database,
  orgId: number,
  locationId: number,
): Promise<{ here: number; below: number } | undefined> {
  const rows = await db.$queryRaw<{ here: number; below: number }[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}, ${countBelow(orgId)}
    SELECT here, below FROM counted`;
  return rows[0];
}

/**
 * Returns a page of the live assets at a location by name, with the count of all; `known` is the count without a search
 * text.
 */
export async function listContentRows(
  db: Database,
  orgId: number,
  { locationId, includingBelow, q, paging, known }: ContentRequest & { known: number },
): Promise<CountedRow<ContentRow>[]> {
  const window = Prisma.sql`ORDER BY ${inNaturalOrder('a.name')}, a.id LIMIT ${paging.limit} OFFSET ${paging.offset}`;
  const down = subtreeOf(orgId, locationId, { below: includingBelow });
  const search = q === undefined ? undefined : textOnly(orgId, q);
  let found: Prisma.Sql;
  if (search && known > sortedMax) {
    // The text has fewer matches than the location, and is found by its own index.
    found = Prisma.sql`
      matched AS MATERIALIZED (
        SELECT a.id, a.name
          FROM assets a
         WHERE a.org_id = ${orgId} AND a.deleted_at IS NULL AND a.id = ANY(ARRAY(${matchingIds(orgId, search, idMax)}))
           AND (SELECT p.location_id FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = a.id)
               = ANY (ARRAY(SELECT d.id FROM down d))
      ), ${pageOfMatched(window)}`;
  } else if (known > sortedMax) {
    found = Prisma.sql`
      page AS MATERIALIZED (
        -- Reads the index in order until the page is full. Written as a join, it would read every asset.
        SELECT a.id, a.name
          FROM (
            SELECT r.id, r.name FROM assets r
             WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
             ORDER BY ${inNaturalOrder('r.name')}, r.id
            OFFSET 0
          ) a
         WHERE (SELECT p.location_id FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = a.id)
               = ANY (ARRAY(SELECT d.id FROM down d))
         ${window}
      ), total AS (SELECT ${known}::float8 AS n)`;
  } else {
    found = Prisma.sql`
      matched AS MATERIALIZED (
        SELECT a.id, a.name
          FROM down d
          JOIN asset_positions p ON p.org_id = ${orgId} AND p.location_id = d.id
          JOIN assets a ON a.org_id = ${orgId} AND a.id = p.asset_id AND a.deleted_at IS NULL
         WHERE ${search ? matches(orgId, search, 'a') : Prisma.sql`true`}
      ), ${pageOfMatched(window)}`;
  }
  return db.$queryRaw<CountedRow<ContentRow>[]>`
    WITH RECURSIVE ${down}, ${found}
    SELECT total.n AS total_count, row.*
      FROM total
      LEFT JOIN (
        SELECT a.id, a.external_key, a.name, a.is_active, p.location_id, l.name AS location_name,
               l.external_key AS location_external_key,
               ${epochMs('p.located_since')} AS located_since, ${epochMs('p.asset_last_seen')} AS asset_last_seen
          FROM page
          JOIN assets a ON a.org_id = ${orgId} AND a.id = page.id
         CROSS JOIN LATERAL (
           SELECT r.location_id, r.located_since, r.asset_last_seen
             FROM asset_positions r
            WHERE r.org_id = ${orgId} AND r.asset_id = page.id
           OFFSET 0) p
          JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id
      ) row ON true
     ORDER BY ${inNaturalOrder('row.name')}, row.id`;
}

function pageOfMatched(window: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    page AS MATERIALIZED (SELECT a.id, a.name FROM matched a ${window}),
    total AS (SELECT count(*)::float8 AS n FROM matched)`;
}
