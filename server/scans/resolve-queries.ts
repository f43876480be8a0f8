import type { Database } from '../database/client.js';
import type { TagType } from '../tags/schemas.js';

/** One match of the value with an ordinal, from 1. */
export type MatchRow = {
  ordinal: number;
  kind: 'asset' | 'location';
  id: number;
  name: string;
  external_key: string;
  is_active: boolean;
  tag_type: TagType;
  where_id: number | null;
  where_name: string | null;
  where_key: string | null;
};

/**
 * Returns the tagged assets and locations of values, in the order of the values. The matches of one value are in the
 * order in which a submission chooses: as stored before by normal form, assets before locations, then RFID, BLE,
 * barcode. An asset or location that has a value twice is returned once.
 */
export async function resolveValues(db: Database, orgId: number, values: readonly string[]): Promise<MatchRow[]> {
  if (values.length === 0) return [];
  // The sum keeps the planner from the index of exact values, where organization and type alone would select all tags.
  return db.$queryRaw<MatchRow[]>`
    SELECT g.ordinal::int AS ordinal,
           CASE WHEN f.asset_id IS NULL THEN 'location' ELSE 'asset' END AS kind,
           coalesce(a.id, l.id) AS id,
           coalesce(a.name, l.name) AS name,
           coalesce(a.external_key, l.external_key) AS external_key,
           coalesce(a.is_active, l.is_active) AS is_active,
           f.tag_type,
           w.id AS where_id, w.name AS where_name, w.external_key AS where_key
      FROM unnest(${values}::text[]) WITH ORDINALITY AS g (value, ordinal)
     CROSS JOIN LATERAL (
        SELECT DISTINCT ON (m.asset_id, m.location_id)
               m.asset_id, m.location_id, m.tag_type, m.id, k.rank, m.value <> g.value COLLATE "C" AS is_loose
          FROM (VALUES ('rfid', 1), ('ble', 2), ('barcode', 3)) AS k (tag_type, rank)
         CROSS JOIN LATERAL (
            SELECT t.id, t.asset_id, t.location_id, t.tag_type, t.value
              FROM tags t
             WHERE t.org_id + 0 = ${orgId}::int
               AND t.tag_type = k.tag_type
               AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, g.value)
               AND t.deleted_at IS NULL
            OFFSET 0
          ) m
         ORDER BY m.asset_id, m.location_id, m.value <> g.value COLLATE "C", k.rank, m.id
      ) f
      LEFT JOIN assets a ON a.org_id = ${orgId}::int AND a.id = f.asset_id
      LEFT JOIN asset_positions p ON p.org_id = ${orgId}::int AND p.asset_id = f.asset_id
      LEFT JOIN locations l ON l.org_id = ${orgId}::int AND l.id = f.location_id
      LEFT JOIN locations w
        ON w.org_id = ${orgId}::int AND w.id = coalesce(p.location_id, l.parent_id) AND w.deleted_at IS NULL
     ORDER BY g.ordinal, f.is_loose, f.asset_id IS NULL, f.rank, f.id`;
}
