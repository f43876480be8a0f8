import type { Database } from '../database/client.js';
import type { TagType } from '../tags/schemas.js';
import { namedByValues } from './named-queries.js';

/** One match of the value with an ordinal, from 1. */
export type MatchRow = {
  ordinal: number;
  kind: 'asset' | 'location';
  id: number;
  name: string;
  external_key: string;
  is_active: boolean;
  /** Null for what is named by its key or its label. */
  tag_type: TagType | null;
  where_id: number | null;
  where_name: string | null;
  where_key: string | null;
};

/**
 * Returns the assets and locations that values name, in the order of the values. The matches of one value are in the order
 * in which a submission chooses (`namedByValues`). An asset or location that a value names twice is returned once.
 */
export async function resolveValues(
  db: Database,
  orgId: number,
  { values, baseUrl }: { values: readonly string[]; baseUrl: string },
): Promise<MatchRow[]> {
  if (values.length === 0) return [];
  const scanned = values.map((value) => ({ value }));
  return db.$queryRaw<MatchRow[]>`
    SELECT f.ordinal,
           CASE WHEN f.asset_id IS NULL THEN 'location' ELSE 'asset' END AS kind,
           coalesce(a.id, l.id) AS id,
           coalesce(a.name, l.name) AS name,
           coalesce(a.external_key, l.external_key) AS external_key,
           coalesce(a.is_active, l.is_active) AS is_active,
           f.tag_type,
           w.id AS where_id, w.name AS where_name, w.external_key AS where_key
      FROM (
        SELECT DISTINCT ON (n.ordinal, n.asset_id, n.location_id) n.*
          FROM (${namedByValues(orgId, scanned, baseUrl)}) n
         ORDER BY n.ordinal, n.asset_id, n.location_id, n.rank_1, n.rank_2, n.rank_3, n.rank_4, n.id
      ) f
      LEFT JOIN assets a ON a.org_id = ${orgId}::int AND a.id = f.asset_id
      LEFT JOIN asset_positions p ON p.org_id = ${orgId}::int AND p.asset_id = f.asset_id
      LEFT JOIN locations l ON l.org_id = ${orgId}::int AND l.id = f.location_id
      LEFT JOIN locations w
        ON w.org_id = ${orgId}::int AND w.id = coalesce(p.location_id, l.parent_id) AND w.deleted_at IS NULL
     ORDER BY f.ordinal, f.rank_1, f.rank_2, f.rank_3, f.rank_4, f.id`;
}
