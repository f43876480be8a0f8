-- name: resolveValues
SELECT f.ordinal, CASE WHEN f.asset_id IS NULL THEN 'location' ELSE 'asset' END AS kind, coalesce(a.id, l.id) AS id,
  coalesce(a.name, l.name) AS name, coalesce(a.external_key, l.external_key) AS external_key, coalesce(a.is_active,
  l.is_active) AS is_active, f.tag_type, CASE WHEN w.id IS NOT NULL THEN json_build_object('id', w.id, 'name', w.name,
  'external_key', w.external_key) END AS "where", o.name AS belongs_to, (
  WITH RECURSIVE up AS (
    SELECT n.*, 1 AS level
    FROM (
      SELECT c.id, c.name, c.external_key
      FROM asset_containments k
      CROSS JOIN LATERAL (
        SELECT c.id, c.name, c.external_key
        FROM assets c
        WHERE c.org_id = k.org_id
        AND c.id = k.container_id
        AND c.deleted_at IS NULL
        OFFSET 0
      ) c
      WHERE k.org_id = $1
      AND k.asset_id = a.id
      AND k.until IS NULL
      LIMIT 1
    ) n
    UNION ALL SELECT n.*, up.level + 1
    FROM up
    CROSS JOIN LATERAL (
      SELECT c.id, c.name, c.external_key
      FROM asset_containments k
      CROSS JOIN LATERAL (
        SELECT c.id, c.name, c.external_key
        FROM assets c
        WHERE c.org_id = k.org_id
        AND c.id = k.container_id
        AND c.deleted_at IS NULL
        OFFSET 0
      ) c
      WHERE k.org_id = $2
      AND k.asset_id = up.id
      AND k.until IS NULL
      LIMIT 1
    ) n
    WHERE up.level < $3
  )
  SELECT coalesce(json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.level),
    '[]')
  FROM up
) AS containers, coalesce(h.holds_assets, false) AS holds_assets
FROM (
  SELECT DISTINCT ON (n.ordinal, n.asset_id, n.location_id) n.*
  FROM (
    SELECT c.ordinal, m.asset_id, m.location_id, m.tag_type, m.id, CASE WHEN c.rank = 0 THEN 0 ELSE 2 END AS rank_1, CASE
      WHEN c.rank > 0 THEN c.rank WHEN m.value <> c.value COLLATE "C" THEN 1 ELSE 0 END AS rank_2,
      (m.asset_id IS NULL)::int AS rank_3, k.rank AS rank_4
    FROM unnest($4::int[], $5::int[], $6::text[], $7::text[]) AS c (ordinal, rank, type, value)
    JOIN (VALUES ('rfid', 1), ('ble', 2), ('barcode', 3)) AS k (tag_type, rank) ON c.type IS NULL OR c.type = k.tag_type
    CROSS JOIN LATERAL (
      SELECT t.id, t.asset_id, t.location_id, t.tag_type, t.value
      FROM tags t
      WHERE t.org_id + 0 = $8::int
      AND t.tag_type = k.tag_type
      AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, c.value)
      AND t.deleted_at IS NULL
      OFFSET 0
    ) m
    UNION ALL SELECT l.ordinal, a.id, NULL, NULL, a.id, 1, 0, 0, 0
    FROM unnest($9::int[], $10::int[]) AS l (ordinal, id)
    JOIN assets a ON a.org_id = $11::int
    AND a.id = l.id
    AND a.deleted_at IS NULL
    UNION ALL SELECT l.ordinal, NULL, o.id, NULL, o.id, 1, 0, 1, 0
    FROM unnest($12::int[], $13::int[]) AS l (ordinal, id)
    JOIN locations o ON o.org_id = $14::int
    AND o.id = l.id
    AND o.deleted_at IS NULL
    UNION ALL SELECT c.ordinal, a.id, NULL, NULL, a.id, 3, c.rank, 0, 0
    FROM unnest($15::int[], $16::int[], $17::text[]) AS c (ordinal, rank, key)
    JOIN assets a ON a.org_id = $18::int
    AND a.external_key = c.key
    AND a.deleted_at IS NULL
    UNION ALL SELECT c.ordinal, NULL, o.id, NULL, o.id, 3, c.rank, 1, 0
    FROM unnest($19::int[], $20::int[], $21::text[]) AS c (ordinal, rank, key)
    JOIN locations o ON o.org_id = $22::int
    AND o.external_key = c.key
    AND o.deleted_at IS NULL
  ) n
  ORDER BY n.ordinal, n.asset_id, n.location_id, n.rank_1, n.rank_2, n.rank_3, n.rank_4, n.id
) f
LEFT JOIN assets a ON a.org_id = $23::int
AND a.id = f.asset_id
LEFT JOIN asset_kinds h ON h.org_id = $24::int
AND h.id = a.kind_id
LEFT JOIN asset_positions p ON p.org_id = $25::int
AND p.asset_id = f.asset_id
LEFT JOIN locations l ON l.org_id = $26::int
AND l.id = f.location_id
LEFT JOIN locations w ON w.org_id = $27::int
AND w.id = coalesce(p.location_id, l.parent_id)
AND w.deleted_at IS NULL
LEFT JOIN locations o ON o.org_id = $28::int
AND o.id = a.belongs_to_id
AND o.deleted_at IS NULL
ORDER BY f.ordinal, f.rank_1, f.rank_2, f.rank_3, f.rank_4, f.id;
