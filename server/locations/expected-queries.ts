import type { Database } from '../database/client.js';
import type { Tag } from '../tags/schemas.js';

/** An asset that is expected at a location, with the values of its tags. */
export type ExpectedAsset = { id: number; external_key: string; name: string; tags: Pick<Tag, 'tag_type' | 'value'>[] };

/** Returns the active live assets at a location by name, at most `limit` of them. */
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
      FROM position_listings s
      JOIN assets a ON a.org_id = ${orgId} AND a.id = s.asset_id AND a.deleted_at IS NULL AND a.is_active
     WHERE s.org_id = ${orgId} AND s.location_id = ${locationId}
     ORDER BY a.name, a.id
     LIMIT ${limit}::int`;
}
