import { Prisma } from '../../../generated/prisma/client.js';
import { levelsMax } from './tree-queries.js';

/**
 * Returns the recursive CTE `nearness (id, steps)`: how many levels one has to go up from a location until all of `starts` is below.
 * 0 is the location itself and what is below it, 1 the rest of its parent, and so on; locations of another tree are left out. The
 * statement begins with `WITH RECURSIVE`.
 *
 * @param starts a query for the ids of the locations to compare, each once
 */
export function nearnessOf(orgId: number, nearId: number, starts: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    line AS (
      SELECT l.id, l.parent_id, 0 AS steps FROM locations l WHERE l.org_id = ${orgId} AND l.id = ${nearId}
      UNION ALL
      SELECT l.id, l.parent_id, line.steps + 1
        FROM line JOIN locations l ON l.org_id = ${orgId} AND l.id = line.parent_id
       WHERE line.steps < ${levelsMax}
    ), up AS (
      SELECT s.id AS start, s.id AS at, 0 AS level FROM (${starts}) AS s (id)
      UNION ALL
      SELECT up.start, l.parent_id, up.level + 1
        FROM up JOIN locations l ON l.org_id = ${orgId} AND l.id = up.at
       WHERE l.parent_id IS NOT NULL AND up.level < ${levelsMax}
    ), nearness AS (
      SELECT up.start AS id, min(line.steps) AS steps FROM up JOIN line ON line.id = up.at GROUP BY up.start
    )`;
}
