import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, inNaturalOrder } from '../../kernel/database/columns.js';
import { listQuery } from '../../kernel/database/list-query.js';
import type { Queries } from '../../kernel/database/client.js';
import { type CountedRow, type ListOf, pageOf, pagingFields, type Paging } from '../../kernel/lists.js';
import { formatNullableTimestamp, type Stored } from '../../kernel/time.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { sessionProcedure } from '../../trpc.js';
import { assetsOfPairs, awayPairs, pairsOf } from '../../kernel/database/away.js';
import { requireLocation } from '../../things/locations/procedure.js';
import { namedRow, subtreeOf } from '../../things/locations/tree.js';

/** Kinds of missing assets, and the locations of each kind's assets, that the counts have; those with most assets. */
const kindsMax = 20;
const placesMax = 5;

type Named = { id: number; name: string };

/** An asset that is not where it belongs; null for no known location. */
export type MissingAsset = {
  id: number;
  external_key: string;
  name: string;
  kind: Named | null;
  belongs_to: Named;
  location: Named | null;
  /** Since when it has been at its location; null without one. */
  located_since: string | null;
  /** When it was seen or placed last; null if it never was. */
  last_seen: string | null;
};

export type MissingReport = ListOf<MissingAsset> & {
  by_kind: { kind: Named | null; assets: number; places: { location: Named | null; assets: number }[] }[];
};

type MissingRow = Stored<MissingAsset, 'located_since' | 'last_seen'>;

type Counts = Pick<MissingReport, 'by_kind'>;

/** Each row has the counts of the whole list. */
type ListedRow = CountedRow<MissingRow, { total_count: number } & Counts>;

const input = z.strictObject({ location_id: idParameter().exactOptional(), ...pagingFields });

/**
 * Reports the live assets that are not where they belong, or have no known location: a page by the location that they belong
 * to and by name, and the counts by kind. With a location, reports only assets that belong to it or below it, and are neither
 * there nor below it.
 */
export const reportMissing = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { location_id: locationId = null, ...paging } }): Promise<MissingReport> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, locationId);
    const rows = await listMissingRows(db, ctx.orgId, { locationId, paging });
    return { ...pageOf<MissingRow, MissingAsset>(rows, paging, missingAsset), by_kind: rows[0]?.by_kind ?? [] };
  });

function missingAsset({ by_kind: _byKind, ...row }: MissingRow & Partial<Counts>): MissingAsset {
  return {
    ...row,
    located_since: formatNullableTimestamp(row.located_since),
    last_seen: formatNullableTimestamp(row.last_seen),
  };
}

/** Returns the CTE `missing (asset_id, belongs_to_id, location_id)` and what it needs, for a statement that begins with `WITH RECURSIVE`. */
function missing(orgId: number, locationId: number | null): Prisma.Sql {
  const isThere = Prisma.sql`EXISTS (SELECT FROM down d WHERE d.id = t.location_id)`;
  const pairs =
    locationId === null
      ? awayPairs(orgId)
      : Prisma.sql`${subtreeOf(orgId, locationId)}, ${pairsOf(orgId, Prisma.raw('down o'))}, away AS (
          SELECT t.* FROM pair t WHERE NOT ${isThere})`;
  const own =
    locationId === null
      ? Prisma.sql`EXISTS (SELECT FROM locations o WHERE o.org_id = ${orgId} AND o.id = a.belongs_to_id AND o.deleted_at IS NULL)`
      : Prisma.sql`a.belongs_to_id = ANY(ARRAY(SELECT d.id FROM down d))`;
  return Prisma.sql`${pairs}, missing (asset_id, belongs_to_id, location_id) AS (
    ${assetsOfPairs(orgId, Prisma.raw('away'), ', w.belongs_to_id, w.location_id')}
    UNION ALL
    SELECT a.id, a.belongs_to_id, NULL
      FROM assets a
     WHERE a.org_id = ${orgId} AND a.belongs_to_id IS NOT NULL AND a.deleted_at IS NULL AND ${own}
       AND NOT EXISTS (
         SELECT FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = a.id AND p.location_id IS NOT NULL)
  )`;
}

/** Returns a page of missing assets with the count of all, and with the counts by kind. */
async function listMissingRows(
  db: Queries,
  orgId: number,
  { locationId, paging }: { locationId: number | null; paging: Paging },
): Promise<ListedRow[]> {
  const order = Prisma.sql`${inNaturalOrder('m.own_name')}, m.belongs_to_id, ${inNaturalOrder('m.name')}, m.asset_id`;
  const source = Prisma.sql`(
    SELECT s.*, a.external_key, a.name, a.kind_id, o.name AS own_name
      FROM missing s
      JOIN assets a ON a.org_id = ${orgId} AND a.id = s.asset_id
      JOIN locations o ON o.org_id = ${orgId} AND o.id = s.belongs_to_id) m`;
  const furtherCounts = Prisma.sql`, (${countsByKind(orgId)}) AS by_kind`;
  return db.$queryRaw<ListedRow[]>`
    ${listQuery({ given: missing(orgId, locationId), source, order, alias: 'm', paging, furtherCounts })}
    SELECT counts.*, m.asset_id AS id, m.external_key, m.name, ${namedRow('k')} AS kind,
           CASE WHEN m.asset_id IS NOT NULL THEN json_build_object('id', m.belongs_to_id, 'name', m.own_name) END AS belongs_to,
           ${namedRow('l')} AS location,
           CASE WHEN l.id IS NOT NULL THEN ${epochMs('p.located_since')} END AS located_since,
           ${epochMs('p.asset_last_seen')} AS last_seen
      FROM counts
      LEFT JOIN (
        page m
        LEFT JOIN asset_kinds k ON k.org_id = ${orgId} AND k.id = m.kind_id
        LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = m.asset_id
        LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = m.location_id
      ) ON true
     ORDER BY ${order}`;
}

/** Selects the counts of the CTE `matched` by kind and by where the assets are, as JSON, the largest counts first. */
function countsByKind(orgId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT coalesce(json_agg(json_build_object('kind', ${namedRow('k')}, 'assets', c.n, 'places', c.places)
                             ORDER BY c.n DESC, c.kind_id), '[]')
      FROM (SELECT g.kind_id, sum(g.n) AS n,
                   json_agg(json_build_object('location', ${namedRow('l')}, 'assets', g.n) ORDER BY g.rank)
                     FILTER (WHERE g.rank <= ${placesMax}) AS places
              FROM (SELECT m.kind_id, m.location_id, count(*) AS n,
                           row_number() OVER (PARTITION BY m.kind_id ORDER BY count(*) DESC, m.location_id) AS rank
                      FROM matched m
                     GROUP BY m.kind_id, m.location_id) g
              LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = g.location_id
             GROUP BY g.kind_id
             ORDER BY n DESC, g.kind_id
             LIMIT ${kindsMax}) c
      LEFT JOIN asset_kinds k ON k.org_id = ${orgId} AND k.id = c.kind_id`;
}
