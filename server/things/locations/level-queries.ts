import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import { ofLiveAsset } from '../../kernel/database/position-order.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';
import { downFrom } from './tree.js';

/** A location in the tree. Its assets are live ones, effective or not, since these prevent its deletion. */
export type LevelRow = {
  id: number;
  external_key: string;
  name: string;
  parent_id: number | null;
  is_active: boolean;
  updated_at: number;
  children_count: number;
  assets_here: number;
  assets_below: number;
};

/**
 * Returns SQL that counts the live assets at each location of the CTE `down (top, id)`, as the CTE `counted`. Positions are
 * counted by their index alone, without reading their assets, unless assets of one kind are asked for.
 */
export function countBelow(orgId: number, kindId?: number): Prisma.Sql {
  const isOfKind =
    kindId === undefined
      ? Prisma.empty
      : Prisma.sql`AND EXISTS (
          SELECT FROM assets a WHERE a.org_id = ${orgId} AND a.id = p.asset_id AND a.kind_id = ${kindId})`;
  return Prisma.sql`
    counted AS (
      SELECT c.top, sum(c.n) FILTER (WHERE c.id = c.top)::float8 AS here, sum(c.n)::float8 AS below
        FROM (SELECT d.top, d.id,
                     (SELECT count(*) FROM asset_positions p
                       WHERE p.org_id = ${orgId} AND p.location_id = d.id AND ${ofLiveAsset('p')} ${isOfKind}) AS n
                FROM down d) c
       GROUP BY c.top
    )`;
}

/**
 * Returns a page of the children of a location, or of the roots of the tree, with the counts of their assets; by name.
 */
export async function listLevelRows(
  db: Database,
  orgId: number,
  { parentId, paging }: { parentId: number | null; paging: Paging },
): Promise<CountedRow<LevelRow>[]> {
  const below = parentId === null ? Prisma.sql`r.parent_id IS NULL` : Prisma.sql`r.parent_id = ${parentId}`;
  const level = Prisma.sql`r.org_id = ${orgId} AND ${below} AND r.deleted_at IS NULL`;
  return db.$queryRaw<CountedRow<LevelRow>[]>`
    WITH RECURSIVE page AS MATERIALIZED (
      SELECT r.id, row_number() OVER (ORDER BY ${inNaturalOrder('r.name')}, r.id) AS ordinal
        FROM locations r
       WHERE ${level}
       ORDER BY ordinal
       LIMIT ${paging.limit} OFFSET ${paging.offset}
    ), ${downFrom(orgId, Prisma.sql`page l`)}, ${countBelow(orgId)}
    SELECT total.n AS total_count, l.id, l.external_key, l.name, l.parent_id, l.is_active, l.updated_at, l.children_count,
           l.assets_here, l.assets_below
      FROM (SELECT count(*)::float8 AS n FROM locations r WHERE ${level}) total
      LEFT JOIN (
        SELECT s.id, s.external_key, s.name, s.parent_id, s.is_active,
               round(date_part('epoch', s.updated_at) * 1000) AS updated_at,
               (SELECT count(*)::float8 FROM locations c
                 WHERE c.org_id = ${orgId} AND c.parent_id = s.id AND c.deleted_at IS NULL) AS children_count,
               counted.here AS assets_here, counted.below AS assets_below, page.ordinal
          FROM page
          JOIN locations s ON s.org_id = ${orgId} AND s.id = page.id
          JOIN counted ON counted.top = page.id
      ) l ON true
     ORDER BY l.ordinal`;
}
