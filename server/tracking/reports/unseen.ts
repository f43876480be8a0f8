import { z } from 'zod';
import { type ListOf, pageOf, pagingFields, type CountedRow, type Paging } from '../../kernel/lists.js';
import { formatNullableTimestamp, type Stored } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, integerParameter } from '../../kernel/validation/parameters.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { listQuery } from '../../kernel/database/list-query.js';
import { placedUnseenSince, sightingOf } from '../../kernel/database/placements.js';
import { ofLiveAsset, seenBefore } from '../../kernel/database/position-order.js';
import type { Queries } from '../../kernel/database/client.js';
import { namedRow } from '../../things/locations/tree.js';
import { requireLocation } from '../../things/locations/procedure.js';
import { reportedLocations } from './period.js';

const dayMs = 86_400_000;
const locationsMax = 20;

type Named = { id: number; name: string };

/** An asset that has not been seen for some time, with its last location; null for no known location. */
export type UnseenAsset = {
  id: number;
  external_key: string;
  name: string;
  location: Named | null;
  /** Null if it was never seen. */
  last_seen: string | null;
};

export type UnseenReport = ListOf<UnseenAsset> & {
  /** The locations where most unseen assets were last seen. */
  by_location: { location: Named | null; assets: number }[];
};

type UnseenRow = Stored<UnseenAsset, 'last_seen'>;

const input = z.strictObject({
  days: integerParameter({ min: 1, max: 3650 }),
  location_id: idParameter().exactOptional(),
  ...pagingFields,
});

/**
 * Reports the live assets that were not seen for a number of days: a page of assets, never seen and longest unseen
 * first, and the counts by last location. With a location, reports only assets last seen there or in its sublocations.
 */
export const reportUnseen = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { days, location_id: locationId = null, ...paging } }): Promise<UnseenReport> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, locationId);
    const request = { beforeMs: Date.now() - days * dayMs, locationId };
    const rows = await listUnseenRows(db, ctx.orgId, { ...request, paging });
    const counts = await countUnseen(db, ctx.orgId, { ...request, limit: locationsMax });
    return { ...pageOf(rows, paging, unseenAsset), by_location: counts };
  });

function unseenAsset(row: UnseenRow): UnseenAsset {
  return { ...row, last_seen: formatNullableTimestamp(row.last_seen) };
}

type UnseenRequest = { beforeMs: number; locationId: number | null };

/**
 * Selects the live assets that were last seen before an instant, or never: those that were placed since among them. Without a
 * location, assets that have no position count too.
 */
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
    SELECT p.asset_id, p.location_id, ${sightingOf(orgId, 'p')} AS asset_last_seen
      FROM asset_positions p
     WHERE p.org_id = ${orgId} AND ${ofLiveAsset('p')} AND ${seenBefore(instant(beforeMs))} ${located}
    UNION ALL
    SELECT p.asset_id, p.location_id, w.seen_before
      FROM ${placedUnseenSince(orgId, instant(beforeMs))} ${located}
    ${neverSeen}`;
}

/** Returns a page of assets that were not seen since an instant, never seen and longest unseen first, with the count of all. */
export async function listUnseenRows(
  db: Queries,
  orgId: number,
  { paging, ...request }: UnseenRequest & { paging: Paging },
): Promise<CountedRow<UnseenRow>[]> {
  const given = reportedLocations(orgId, request.locationId);
  const source = Prisma.sql`(${unseen(orgId, request)}) u`;
  const order = Prisma.raw('u.asset_last_seen NULLS FIRST, u.asset_id');
  return db.$queryRaw<CountedRow<UnseenRow>[]>`
    ${listQuery({ given, source, order, alias: 'u', paging })}
    SELECT counts.*, u.asset_id AS id, a.external_key, a.name, ${namedRow('l')} AS location,
           ${epochMs('u.asset_last_seen')} AS last_seen
      FROM counts
      LEFT JOIN (
        page u
        JOIN assets a ON a.org_id = ${orgId} AND a.id = u.asset_id
        LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
      ) ON true
     ORDER BY ${order}`;
}

/** Counts the assets that were not seen since an instant by their last location, the largest count first. */
export async function countUnseen(
  db: Queries,
  orgId: number,
  { limit, ...request }: UnseenRequest & { limit: number },
): Promise<UnseenReport['by_location']> {
  return db.$queryRaw<UnseenReport['by_location']>`
    WITH RECURSIVE ${reportedLocations(orgId, request.locationId)}, unseen AS (${unseen(orgId, request)})
    SELECT ${namedRow('l')} AS location, u.n::float8 AS assets
      FROM (SELECT location_id, count(*) AS n FROM unseen GROUP BY 1) u
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
     ORDER BY u.n DESC, u.location_id
     LIMIT ${limit}::int`;
}
