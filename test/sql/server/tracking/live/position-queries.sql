-- name: readPositions
SELECT p.asset_id, a.external_key AS asset_external_key, a.name AS asset_name, a.kind_id, k.color AS kind_color, p.location_id,
  l.external_key AS location_external_key, l.name AS location_name, f.id AS from_location_id, f.name AS from_location_name,
  api_timestamp(p.asset_last_seen) AS asset_last_seen, api_timestamp(p.located_since) AS located_since, (
  SELECT json_build_object('by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before',
    api_timestamp(w.seen_before), 'container', (
    SELECT json_build_object('id', c.id, 'name', c.name)
    FROM assets c
    WHERE c.org_id = w.org_id
    AND c.id = w.container_id
  ), 'with_contents', w.with_contents)
  FROM asset_placements w
  WHERE w.org_id = $1
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
) AS placement
FROM asset_positions p
JOIN assets a ON a.org_id = p.org_id
AND a.id = p.asset_id
AND a.deleted_at IS NULL
LEFT JOIN asset_kinds k ON k.org_id = a.org_id
AND k.id = a.kind_id
LEFT JOIN locations l ON l.org_id = p.org_id
AND l.id = p.location_id
AND l.deleted_at IS NULL
LEFT JOIN LATERAL (
  SELECT v.location_id
  FROM asset_visits v
  WHERE v.org_id = p.org_id
  AND v.asset_id = p.asset_id
  AND v.arrived_at < p.located_since
  ORDER BY v.arrived_at DESC
  LIMIT 1
) before ON true
LEFT JOIN locations f ON f.org_id = p.org_id
AND f.id = before.location_id
AND f.deleted_at IS NULL
WHERE p.org_id = $2
AND p.asset_id = ANY($3::int[])
ORDER BY p.asset_id;

-- name: readContainments
SELECT a.id AS asset_id, (
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
) AS containers
FROM assets a
WHERE a.org_id = $4
AND a.id = ANY($5::int[])
AND a.deleted_at IS NULL
ORDER BY a.id;
