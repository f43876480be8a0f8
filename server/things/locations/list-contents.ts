import { z } from 'zod';
import { type ListOf, pageOf, pagingFields, type CountedRow, type Paging } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { booleanParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { type ContainerName, containersOf } from '../../kernel/database/containers.js';
import { type Placement, placementOf } from '../../kernel/database/placements.js';
import { inNaturalOrder, timestamp } from '../../kernel/database/columns.js';
import { type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import { matches, matchingIds, textOnly } from '../assets/search-conditions.js';
import { idMax } from '../../kernel/validation/fields.js';
import { locationNotFound } from './procedure.js';
import { locationId } from './schemas.js';
import { subtreeOf, countBelow, namedRow } from './tree.js';

/** A live asset at a location, or below it. */
export type LocationContent = {
  id: number;
  external_key: string;
  name: string;
  is_active: boolean;
  location: { id: number; name: string; external_key: string };
  /** The containers that it is in, from the inside out. */
  containers: ContainerName[];
  located_since: string;
  /** When it was seen or placed last. */
  asset_last_seen: string;
  /** Null if it was seen, not placed. */
  placement: Placement | null;
};

/**
 * A page of contents. Regardless of the search text, it has the counts of assets at the location itself, and with its
 * sublocations.
 */
export type LocationContents = ListOf<LocationContent> & { assets_here: number; assets_below: number };

const input = z.strictObject({
  ...locationId,
  including_below: booleanParameter().default(false),
  q: filterFields.q,
  ...pagingFields,
});

/** Lists the live assets at a location now, by name; optionally also the assets in its sublocations. */
export const listContents = sessionProcedure('viewer')
  .input(input)
  .query(
    async ({
      ctx,
      input: { location_id, including_below: includingBelow, q, ...paging },
    }): Promise<LocationContents> => {
      const { db } = ctx.services;
      const counts = await countContents(db, ctx.orgId, location_id);
      if (!counts) throw locationNotFound();
      const known = includingBelow ? counts.below : counts.here;
      const request = { locationId: location_id, includingBelow, q, paging, known };
      const page = pageOf(await listContentRows(db, ctx.orgId, request), paging, (row) => row);
      return { ...page, assets_here: counts.here, assets_below: counts.below };
    },
  );

/**
 * Up to this many assets are sorted. If there are more, assets are read in the order of their names until the page is
 * full, or are found by the search text.
 */
export const sortedMax = 20_000;

/** Counts the live assets at a location itself, and with its sublocations; undefined if there is no such location. */
async function countContents(
  db: Database,
  orgId: number,
  locationId: number,
): Promise<{ here: number; below: number } | undefined> {
  const rows = await db.$queryRaw<{ here: number; below: number }[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}, ${countBelow(orgId)}
    SELECT here, below FROM counted`;
  return rows[0];
}

type ContentRequest = {
  locationId: number;
  includingBelow: boolean;
  q: string | undefined;
  paging: Paging;
  known: number;
};

/**
 * Returns a page of the live assets at a location by name, with their total count; `known` is the count without a
 * search text.
 */
async function listContentRows(
  db: Database,
  orgId: number,
  { locationId, includingBelow, q, paging, known }: ContentRequest,
): Promise<CountedRow<LocationContent>[]> {
  const search = q === undefined ? undefined : textOnly(orgId, q);
  // The locations are hashed. With `= ANY`, each asset would be compared with all of them in turn.
  const isHere = Prisma.sql`(
    (SELECT p.location_id FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = a.id)
      IN (SELECT d.id FROM down d)) IS TRUE`;
  let found: Pick<ListQuery, 'source' | 'conditions' | 'total'>;
  if (search && known > sortedMax) {
    // The text has fewer matches than the location, and is found by its own index.
    const ids = matchingIds(orgId, search, idMax);
    const live = Prisma.sql`a.org_id = ${orgId} AND a.deleted_at IS NULL AND a.id = ANY(ARRAY(${ids}))`;
    found = { source: Prisma.raw('assets a'), conditions: [live, isHere] };
  } else if (known > sortedMax) {
    // Reads the index in order until the page is full. Written as a join, it would read every asset.
    const source = Prisma.sql`(
      SELECT r.id, r.name FROM assets r
       WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
       ORDER BY ${inNaturalOrder('r.name')}, r.id
      OFFSET 0) a`;
    found = { source, conditions: [isHere], total: Prisma.sql`${known}::float8` };
  } else {
    const source = Prisma.sql`
      down d
      JOIN asset_positions p ON p.org_id = ${orgId} AND p.location_id = d.id
      JOIN assets a ON a.org_id = ${orgId} AND a.id = p.asset_id AND a.deleted_at IS NULL`;
    found = { source, conditions: [search && matches(orgId, search, 'a')] };
  }
  const list: ListQuery = {
    ...found,
    alias: 'a',
    columns: Prisma.raw('a.id, a.name'),
    paging,
    given: subtreeOf(orgId, locationId, { below: includingBelow }),
    order: Prisma.sql`${inNaturalOrder('a.name')}, a.id`,
  };
  return db.$queryRaw<CountedRow<LocationContent>[]>`
    ${listQuery(list)}
    SELECT counts.*, a.id, a.external_key, a.name, a.is_active, ${namedRow('l', 'external_key')} AS location,
           ${timestamp('p.located_since')} AS located_since, ${timestamp('p.asset_last_seen')} AS asset_last_seen,
           ${placementOf(orgId, 'p')} AS placement, ${containersOf(orgId, 'a')} AS containers
      FROM counts
      LEFT JOIN (
        page
        JOIN assets a ON a.org_id = ${orgId} AND a.id = page.id
       CROSS JOIN LATERAL (
         SELECT r.asset_id, r.location_id, r.located_since, r.asset_last_seen
           FROM asset_positions r
          WHERE r.org_id = ${orgId} AND r.asset_id = page.id
         OFFSET 0) p
        JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id
      ) ON true
     ORDER BY ${list.order}`;
}
