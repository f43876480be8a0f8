-- name: readPlacedAssets
SELECT a.id, a.external_key, a.name, a.description, a.is_active, round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at, (
  SELECT json_build_object('id', k.id, 'name', k.name, 'icon', k.icon, 'color', k.color, 'image_id', k.image_id, 'holds_assets',
    k.holds_assets)
  FROM asset_kinds k
  WHERE k.org_id = a.org_id
  AND k.id = a.kind_id
) AS kind, EXISTS (
  SELECT
  FROM asset_problems q
  WHERE q.org_id = $1
  AND q.asset_id = a.id
  AND q.resolved_at IS NULL
  OFFSET 0
) AS has_problem, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = a.org_id
  AND t.asset_id = a.id
) AS tags, '{}'::json AS details, (
  SELECT min(m.battery)
  FROM tags k
  JOIN tag_telemetry m ON m.tag_id = k.id
  AND m.org_id = k.org_id
  WHERE k.org_id = a.org_id
  AND k.asset_id = a.id
  AND k.deleted_at IS NULL
) AS battery, a.belongs_to_id, p.location_id, api_timestamp(p.asset_last_seen) AS asset_last_seen,
  api_timestamp(p.located_since) AS located_since, (
  SELECT json_build_object('by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before',
    api_timestamp(w.seen_before), 'container', (
    SELECT json_build_object('id', c.id, 'name', c.name)
    FROM assets c
    WHERE c.org_id = w.org_id
    AND c.id = w.container_id
  ), 'with_contents', w.with_contents)
  FROM asset_placements w
  WHERE w.org_id = $2
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
) AS placement, (
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
      WHERE k.org_id = $3
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
      WHERE k.org_id = $4
      AND k.asset_id = up.id
      AND k.until IS NULL
      LIMIT 1
    ) n
    WHERE up.level < $5
  )
  SELECT coalesce(json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.level),
    '[]')
  FROM up
) AS containers
FROM unnest($6::int[]) WITH ORDINALITY AS wanted (id, no)
CROSS JOIN LATERAL (
  SELECT *
  FROM assets r
  WHERE r.org_id = $7
  AND r.id = wanted.id
  AND r.deleted_at IS NULL
  OFFSET 0
) a
LEFT JOIN LATERAL (
  SELECT r.asset_id, r.location_id, r.asset_last_seen, r.located_since
  FROM asset_positions r
  WHERE r.org_id = $8
  AND r.asset_id = a.id
  OFFSET 0
) p ON true
ORDER BY wanted.no;

-- name: readPlacedAssets
-- further: 495ae07b1e e5d94934bd
