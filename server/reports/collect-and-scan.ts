import { Prisma } from '../../generated/prisma/client.js';
import { orderBy, type Paging } from '../lists.js';
import { assetOf, locationOf, type Page, pageColumns, positionOf, type Sort, sortColumns } from './page.js';

type Request = { conditions: Prisma.Sql; sort: Sort; paging: Paging };

// Conditions are on `s`, `a` and `l`; the planner chooses where to begin.
const listings = Prisma.sql`position_listings s JOIN assets a ON a.org_id = s.org_id AND a.id = s.asset_id ${locationOf('s')}`;
const positions = Prisma.sql`asset_positions p JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id ${locationOf('p')}`;

const matchedColumns = {
  asset_last_seen: Prisma.raw('p.asset_last_seen'),
  asset_external_key: Prisma.raw('m.asset_external_key'),
  location_external_key: Prisma.raw('m.location_external_key'),
};

/** Collects a page of the report with filters. All matches are found and counted by their listings. */
export function collectPage(orgId: number, { conditions, sort, paging }: Request): Page {
  const [first, ...others] = sort;
  const window = Prisma.sql`LIMIT ${paging.limit} OFFSET ${paging.offset}`;
  let page = Prisma.sql`
    SELECT m.asset_id, p.asset_last_seen, m.location_id, m.asset_external_key, m.deleted_at
      FROM matched m ${positionOf(orgId, 'm')}
     ORDER BY ${orderBy(sort, { columns: matchedColumns, id: Prisma.raw('m.asset_id') })} ${window}`;
  if (first?.field === 'asset_last_seen' && others.length === 0) {
    // The positions are read in one pass over the key, which is faster than many lookups.
    page = Prisma.sql`
      SELECT ${pageColumns}
        FROM (SELECT p.asset_id, p.location_id, p.asset_last_seen
                FROM asset_positions p
               WHERE p.org_id = ${orgId} AND p.asset_id = ANY(ARRAY(SELECT m.asset_id FROM matched m))
               ORDER BY ${orderBy(sort, { columns: sortColumns, id: Prisma.raw('p.asset_id') })} ${window}) p
        ${assetOf(orgId, 'p')}`;
  }
  return {
    ctes: Prisma.sql`
      matched AS MATERIALIZED (
        SELECT s.asset_id, s.location_id, a.external_key AS asset_external_key, a.deleted_at, l.external_key AS location_external_key
          FROM ${listings}
         WHERE ${conditions}
      ), page AS MATERIALIZED (${page})`,
    total: Prisma.sql`(SELECT count(*)::float8 FROM matched)`,
    isComplete: Prisma.sql`true`,
  };
}

/**
 * Scans for a page of the whole report, in any order. If the time is not part of the order, it is looked up only for the
 * rows of the page.
 */
export function scanPage(orgId: number, { conditions, sort, paging, total }: Request & { total: Prisma.Sql }): Page {
  const window = Prisma.sql`LIMIT ${paging.limit} OFFSET ${paging.offset}`;
  const isTimed = sort.some(({ field }) => field === 'asset_last_seen');
  const order = orderBy(sort, { columns: sortColumns, id: Prisma.raw('a.id') });
  const page = isTimed
    ? Prisma.sql`SELECT ${pageColumns} FROM ${positions} WHERE ${conditions} ORDER BY ${order} ${window}`
    : Prisma.sql`
        SELECT found.*, p.asset_last_seen
          FROM (SELECT s.asset_id, s.location_id, a.external_key AS asset_external_key, a.deleted_at
                  FROM ${listings} WHERE ${conditions} ORDER BY ${order} ${window}) found
          ${positionOf(orgId, 'found')}`;
  return { ctes: Prisma.sql`page AS MATERIALIZED (${page})`, total, isComplete: Prisma.sql`true` };
}
