import { Prisma } from '../../../generated/prisma/client.js';
import { ofLiveAsset } from '../../kernel/database/position-order.js';

// How statements walk the tree of locations. A statement with one of these common table expressions begins with `WITH RECURSIVE`.

/** The maximum depth of a tree, the root included (contract 2.3). */
export const levelsMax = 64;

/** The message about a tree that would have too many levels. */
export const tooDeep = `locations can be nested ${levelsMax} levels deep`;

type Upward = {
  /** Further columns of each location. */
  columns?: readonly string[];
  /** Whether the way up ends below a deleted location. */
  liveOnly?: boolean;
};

/**
 * Returns the CTE `up (start_id, id, parent_id, distance)`: locations, at the distance 0, and all above them.
 *
 * @param starts what follows `FROM`, with each start once as the location `l`
 */
export function upFrom(orgId: number, starts: Prisma.Sql, { columns = [], liveOnly = false }: Upward = {}): Prisma.Sql {
  const rowOf = (alias: string) =>
    Prisma.raw(['id', 'parent_id', ...columns].map((name) => `${alias}.${name}`).join(', '));
  return Prisma.sql`up AS (
    SELECT l.id AS start_id, 0 AS distance, ${rowOf('l')} FROM ${starts}
    UNION ALL
    SELECT up.start_id, up.distance + 1, ${rowOf('p')}
      FROM up
      JOIN locations p ON p.org_id = ${orgId} AND p.id = up.parent_id ${liveOnly ? Prisma.sql`AND p.deleted_at IS NULL` : Prisma.empty}
  )`;
}

/** Returns what follows `FROM`, for `upFrom`: the location with the id, deleted or not. */
export function oneLocation(orgId: number, locationId: number): Prisma.Sql {
  return Prisma.sql`locations l WHERE l.org_id = ${orgId} AND l.id = ${locationId}`;
}

/** A condition on the location called `alias`. */
type Belongs = (alias: string) => Prisma.Sql;

const isLive: Belongs = (alias) => Prisma.sql`${Prisma.raw(alias)}.deleted_at IS NULL`;

/** For all locations, deleted ones too. */
export const always: Belongs = () => Prisma.sql`true`;

/**
 * Returns the CTE `down (top, id)`: each location of `starts`, and all below it.
 *
 * @param starts what follows `FROM`, with the locations `l`
 * @param belongs the condition for each sublocation. Locations below a sublocation that does not meet it are left out,
 * too
 */
export function downFrom(orgId: number, starts: Prisma.Sql, belongs = isLive): Prisma.Sql {
  return Prisma.sql`down AS (
    SELECT l.id AS top, l.id FROM ${starts}
    UNION ALL
    SELECT d.top, c.id FROM down d JOIN locations c ON c.org_id = ${orgId} AND c.parent_id = d.id AND ${belongs('c')}
  )`;
}

type Subtree = {
  /** The condition for the location and each sublocation; by default they must be live. */
  belongs?: Belongs;
  /** Whether sublocations are included; they are by default. */
  below?: boolean;
};

/** Returns the CTE `down (top, id)`: a location, with all its sublocations; empty for null. */
export function subtreeOf(
  orgId: number,
  locationId: number | null,
  { belongs = isLive, below = true }: Subtree = {},
): Prisma.Sql {
  const start = Prisma.sql`locations l WHERE l.org_id = ${orgId} AND l.id = ${locationId}::int AND ${belongs('l')}`;
  return below ? downFrom(orgId, start, belongs) : Prisma.sql`down AS (SELECT l.id AS top, l.id FROM ${start})`;
}

/**
 * Returns SQL that counts the live assets at each location of the CTE `down (top, id)`, as the CTE `counted`. Counts
 * positions by their index alone, without reading their assets, unless only one kind is requested.
 */
export function countBelow(orgId: number, kindId?: number): Prisma.Sql {
  return Prisma.sql`
    counted AS (
      SELECT c.top, sum(c.n) FILTER (WHERE c.id = c.top)::float8 AS here, sum(c.n)::float8 AS below
        FROM (SELECT d.top, d.id,
                     (SELECT count(*) FROM asset_positions p
                       WHERE p.org_id = ${orgId} AND p.location_id = d.id AND ${ofLiveAsset('p')} ${isOfKind(orgId, kindId)}) AS n
                FROM down d) c
       GROUP BY c.top
    )`;
}

/** Returns a further condition on the positions `p`: that their assets are of a kind. Nothing if undefined. */
export function isOfKind(orgId: number, kindId: number | undefined): Prisma.Sql {
  if (kindId === undefined) return Prisma.empty;
  return Prisma.sql`AND EXISTS (
          SELECT FROM assets a WHERE a.org_id = ${orgId} AND a.id = p.asset_id AND a.kind_id = ${kindId})`;
}

/** Returns the row of an alias as JSON, with its id, its name and further columns; null without a row. */
export function namedRow(alias: string, ...columns: string[]): Prisma.Sql {
  const members = ['id', 'name', ...columns].map((name) => `'${name}', ${alias}.${name}`).join(', ');
  return Prisma.raw(`CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object(${members}) END`);
}

/**
 * Returns the recursive CTE `nearness (id, steps)`: for each location in `starts`, how many levels one has to go up
 * from the location `nearId` until the location is below. 0 is the location itself and its sublocations, 1 the rest of
 * its parent, and so on. Locations with another root are left out. The statement begins with `WITH RECURSIVE`.
 *
 * @param starts a query for the ids of the locations to compare, each once
 */
export function nearnessOf(orgId: number, nearId: number, starts: Prisma.Sql): Prisma.Sql {
  const all = Prisma.sql`locations l WHERE l.org_id = ${orgId} AND l.id = ANY(ARRAY(SELECT ${nearId}::int UNION ${starts}))`;
  return Prisma.sql`
    ${upFrom(orgId, all)}, nearness AS (
      SELECT up.start_id AS id, min(line.distance) AS steps
        FROM up JOIN up line ON line.start_id = ${nearId} AND line.id = up.id
       GROUP BY up.start_id
    )`;
}
