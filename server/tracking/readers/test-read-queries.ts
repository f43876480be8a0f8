import type { Database } from '../../kernel/database/client.js';
import type { TagType } from '../../things/tags/schemas.js';

type Queryable = Pick<Database, '$queryRaw'>;

type Named = { id: number; name: string };

/** A reader's topic, and an asset with its first tag; null if there is none. */
export type TestSubject = { topic: string; asset: Named | null; tag: { tag_type: TagType; value: string } | null };

/** Returns the inputs of a test read; undefined if the reader does not exist. */
export async function findTestSubject(
  db: Queryable,
  orgId: number,
  { readerId, assetId }: { readerId: number; assetId: number },
): Promise<TestSubject | undefined> {
  const rows = await db.$queryRaw<TestSubject[]>`
    SELECT r.publish_topic AS topic,
           CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name) END AS asset,
           (SELECT json_build_object('tag_type', t.tag_type, 'value', t.value)
              FROM tags t
             WHERE t.org_id = ${orgId} AND t.asset_id = a.id AND t.deleted_at IS NULL
             ORDER BY t.id
             LIMIT 1) AS tag
      FROM readers r
      LEFT JOIN assets a ON a.org_id = r.org_id AND a.id = ${assetId} AND a.deleted_at IS NULL
     WHERE r.org_id = ${orgId} AND r.id = ${readerId} AND r.deleted_at IS NULL`;
  return rows[0];
}

/** Returns the live location of an asset; null if it has none. */
export async function locationOfAsset(db: Queryable, orgId: number, assetId: number): Promise<Named | null> {
  const rows = await db.$queryRaw<Named[]>`
    SELECT l.id, l.name
      FROM asset_positions p
      JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
     WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}`;
  return rows[0] ?? null;
}
