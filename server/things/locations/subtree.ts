import { Prisma } from '../../../generated/prisma/client.js';

const isLive = (alias: string) => Prisma.sql`${Prisma.raw(alias)}.deleted_at IS NULL`;

/**
 * Returns the recursive CTE `down (id)`: a location with all its sublocations. The statement begins with `WITH RECURSIVE`.
 *
 * @param belongs the condition for the location and each sublocation, given the alias of its row; without it they are live.
 *   What is below a location that does not meet the condition is left out, too
 */
export function subtreeOf(
  orgId: number,
  locationId: number,
  belongs: (alias: string) => Prisma.Sql = isLive,
): Prisma.Sql {
  return Prisma.sql`down AS (
    SELECT l.id FROM locations l WHERE l.org_id = ${orgId} AND l.id = ${locationId} AND ${belongs('l')}
    UNION ALL
    SELECT c.id FROM down d JOIN locations c ON c.org_id = ${orgId} AND c.parent_id = d.id AND ${belongs('c')}
  )`;
}
