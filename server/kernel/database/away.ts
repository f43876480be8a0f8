import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from './client.js';
import { ofLiveAsset } from './position-order.js';

// An asset is away if its location is known, and is neither the location that it belongs to nor below it. The index
// `asset_positions_belongs_to` has the positions by both locations, so statements read each pair of locations once, however many
// assets have it.

/** A location that assets belong to, and a location at which some of them are. */
export type AwayPair = { belongs_to_id: number; location_id: number };

/** Returns the condition on the positions `p` that their assets are live, have a known location, and belong to one. */
function withBothLocations(orgId: number): Prisma.Sql {
  return Prisma.sql`
    p.org_id = ${orgId} AND p.belongs_to_id IS NOT NULL AND p.location_id IS NOT NULL AND ${ofLiveAsset('p')}`;
}

/**
 * Returns the CTE `pair (belongs_to_id, location_id)`: where the assets are that belong to locations. The statement begins with
 * `WITH RECURSIVE`.
 *
 * @param own what follows `FROM`, with each location once as the row `o`
 */
export function pairsOf(orgId: number, own: Prisma.Sql): Prisma.Sql {
  const next = (belongsTo: string, further = '') => Prisma.sql`(
      SELECT p.location_id FROM asset_positions p
       WHERE ${withBothLocations(orgId)} AND p.belongs_to_id = ${Prisma.raw(belongsTo)} ${Prisma.raw(further)}
       ORDER BY p.location_id
       LIMIT 1)`;
  return Prisma.sql`pair AS (
    SELECT o.id AS belongs_to_id, n.location_id FROM ${own} CROSS JOIN LATERAL ${next('o.id')} n
    UNION ALL
    SELECT t.belongs_to_id, n.location_id
      FROM pair t
     CROSS JOIN LATERAL ${next('t.belongs_to_id', 'AND p.location_id > t.location_id')} n
  )`;
}

/** Returns the CTE `away (belongs_to_id, location_id)` and what it needs. The statement begins with `WITH RECURSIVE`. */
export function awayPairs(orgId: number): Prisma.Sql {
  const next = (further = Prisma.empty) => Prisma.sql`(
      SELECT p.belongs_to_id AS id FROM asset_positions p
       WHERE ${withBothLocations(orgId)} ${further}
       ORDER BY p.belongs_to_id
       LIMIT 1)`;
  const live = Prisma.sql`own JOIN locations o ON o.org_id = ${orgId} AND o.id = own.id AND o.deleted_at IS NULL`;
  return Prisma.sql`
    own AS (
      ${next()}
      UNION ALL
      SELECT n.id FROM own CROSS JOIN LATERAL ${next(Prisma.sql`AND p.belongs_to_id > own.id`)} n
    ), ${pairsOf(orgId, live)}, line AS (
      SELECT l.id AS location_id, l.id, l.parent_id FROM locations l
       WHERE l.org_id = ${orgId} AND l.id = ANY(ARRAY(SELECT DISTINCT location_id FROM pair))
      UNION ALL
      SELECT line.location_id, l.id, l.parent_id
        FROM line JOIN locations l ON l.org_id = ${orgId} AND l.id = line.parent_id
    ), away AS (
      SELECT t.* FROM pair t
       WHERE NOT EXISTS (SELECT FROM line WHERE line.location_id = t.location_id AND line.id = t.belongs_to_id)
    )`;
}

export async function findAwayPairs(db: Queries, orgId: number): Promise<AwayPair[]> {
  return db.$queryRaw<AwayPair[]>`
    WITH RECURSIVE ${awayPairs(orgId)}
    SELECT belongs_to_id, location_id FROM away`;
}

/** Counts the assets that are away, up to a maximum. */
export async function countAway(db: Pick<Queries, '$queryRaw'>, orgId: number, countMax: number): Promise<number> {
  const [row] = await db.$queryRaw<[{ n: number }]>`
    WITH RECURSIVE ${awayPairs(orgId)}
    SELECT count(*)::int AS n
      FROM (SELECT 1 FROM (${assetsOfPairs(orgId, Prisma.raw('away'))}) q LIMIT ${countMax}) found`;
  return row.n;
}

/**
 * Returns the CTE `absent (top, n)`: of each location of the CTE `down (top, id)`, how many assets belong to it or below it, and are
 * known to be neither there nor below it.
 *
 * @param further a further condition on the positions `p`, after `AND`
 */
export function countAbsent(orgId: number, further = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    ${pairsOf(orgId, Prisma.raw('(SELECT DISTINCT d.id FROM down d) o'))}, absent AS (
      SELECT d.top, sum(c.n)::float8 AS n
        FROM down d
        JOIN (SELECT t.*, (SELECT count(*) FROM asset_positions p
                            WHERE ${withBothLocations(orgId)} AND p.belongs_to_id = t.belongs_to_id
                              AND p.location_id = t.location_id ${further}) AS n
                FROM pair t) c ON c.belongs_to_id = d.id
       WHERE NOT EXISTS (SELECT FROM down x WHERE x.top = d.top AND x.id = c.location_id)
       GROUP BY d.top
    )`;
}

/** Selects the assets of pairs, with further columns of the pairs `w`; a limit may follow. Looks up each pair in the index. */
export function assetsOfPairs(orgId: number, pairs: Prisma.Sql, further = ''): Prisma.Sql {
  return Prisma.sql`
    SELECT f.id ${Prisma.raw(further)} FROM ${pairs} w CROSS JOIN LATERAL (
      SELECT p.asset_id AS id FROM asset_positions p
       WHERE ${withBothLocations(orgId)} AND p.belongs_to_id = w.belongs_to_id AND p.location_id = w.location_id OFFSET 0) f`;
}

/** Returns pairs as the table of a statement. */
export function pairTable(pairs: readonly AwayPair[]): Prisma.Sql {
  const [own, present] = [pairs.map((pair) => pair.belongs_to_id), pairs.map((pair) => pair.location_id)];
  return Prisma.sql`unnest(${own}::int[], ${present}::int[])`;
}
