import type { Queries } from '../../kernel/database/client.js';

/**
 * Returns the live locations whose assets are free to use: a location counts if the nearest mark, on itself or above
 * it, is "free".
 */
export async function findFreeLocations(db: Queries, orgId: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    WITH RECURSIVE free AS (
      SELECT l.id FROM locations l WHERE l.org_id = ${orgId} AND l.assets_free AND l.deleted_at IS NULL
      UNION
      SELECT c.id
        FROM free f
        JOIN locations c ON c.org_id = ${orgId} AND c.parent_id = f.id AND c.deleted_at IS NULL AND c.assets_free IS NOT FALSE
    )
    SELECT id FROM free`;
  return rows.map(({ id }) => id);
}
