import type { Database } from '../database/client.js';
import type { Tag } from '../tags/schemas.js';

/** An asset that is to be found at a location, with everything that can be scanned of it. */
export type ExpectedAsset = { id: number; external_key: string; name: string; tags: Pick<Tag, 'tag_type' | 'value'>[] };

/** The active live assets whose position is the location, by name; at most as many as asked for. */
export async function listExpected(
  db: Database,
  orgId: number,
  { locationId, limit }: { locationId: number; limit: number },
): Promise<ExpectedAsset[]> {
  return db.$queryRaw<ExpectedAsset[]>`
    SELECT a.id, a.external_key, a.name,
           (SELECT coalesce(json_agg(json_build_object('tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
              FROM tags t
             WHERE t.org_id = ${orgId} AND t.asset_id = a.id AND t.deleted_at IS NULL) AS tags
      FROM asset_positions p
      JOIN assets a ON a.org_id = ${orgId} AND a.id = p.asset_id AND a.deleted_at IS NULL AND a.is_active
     WHERE p.org_id = ${orgId} AND p.location_id = ${locationId}
     ORDER BY a.name, a.id
     LIMIT ${limit}::int`;
}
