import { Prisma } from '../../../generated/prisma/client.js';
import { instant } from './columns.js';

// A containment is the fact that an asset is in another one, its container. While the container is deleted, its contents are in none;
// they are in it again once it is restored, unless somebody has put them elsewhere since.

/** An asset can be in at most this many containers, one in the other. */
export const levelsMax = 4;

/** The most assets that are directly in one container. */
export const contentsMax = 1000;

/** A container, as lists name it. */
export type ContainerName = { id: number; name: string; external_key: string };

/** Returns the containers that the asset with the alias `asset` is in, as a JSON array from the inside out. */
export function containersOf(orgId: number, asset: string): Prisma.Sql {
  return chain(orgId, asset, {
    holds: Prisma.sql`k.until IS NULL`,
    exists: Prisma.sql`c.deleted_at IS NULL`,
  });
}

/** Does the same for an instant in the past. */
export function containersAt(orgId: number, asset: string, atMs: number): Prisma.Sql {
  return chain(orgId, asset, heldAt(atMs));
}

/** Returns the conditions that the containment `k` held at an instant, and that its container `c` was not deleted then. */
export function heldAt(atMs: number): { holds: Prisma.Sql; exists: Prisma.Sql } {
  const at = instant(atMs);
  return {
    holds: Prisma.sql`k.since <= ${at} AND (k.until IS NULL OR k.until > ${at})`,
    exists: Prisma.sql`(c.deleted_at IS NULL OR c.deleted_at > ${at})`,
  };
}

/** The containers of each asset are subqueries of their own. As a join, all assets could be read for each of them. */
function chain(orgId: number, asset: string, { holds, exists }: { holds: Prisma.Sql; exists: Prisma.Sql }): Prisma.Sql {
  const above = (id: string) => Prisma.sql`(
        SELECT c.id, c.name, c.external_key
          FROM asset_containments k
         CROSS JOIN LATERAL (
           SELECT c.id, c.name, c.external_key FROM assets c
            WHERE c.org_id = k.org_id AND c.id = k.container_id AND ${exists} OFFSET 0) c
         WHERE k.org_id = ${orgId} AND k.asset_id = ${Prisma.raw(id)} AND ${holds}
         LIMIT 1)`;
  return Prisma.sql`(
    WITH RECURSIVE up AS (
      SELECT n.*, 1 AS level FROM ${above(`${asset}.id`)} n
      UNION ALL
      SELECT n.*, up.level + 1 FROM up CROSS JOIN LATERAL ${above('up.id')} n WHERE up.level < ${levelsMax}
    )
    SELECT coalesce(json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.level), '[]')
      FROM up)`;
}
