import { Prisma } from '../../../generated/prisma/client.js';
import { upFrom } from './tree.js';

/**
 * Returns the recursive CTE `nearness (id, steps)`: how many levels one has to go up from a location until all of `starts` is below.
 * 0 is the location itself and what is below it, 1 the rest of its parent, and so on; locations of another tree are left out. The
 * statement begins with `WITH RECURSIVE`.
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
