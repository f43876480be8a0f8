-- name: findPosition
SELECT p.location_id, p.reader_id, p.antenna, p.locating, round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen,
  round(date_part('epoch', p.located_since) * 1000) AS located_since, (
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
WHERE p.org_id = $2
AND p.asset_id = $3;

-- name: findRelations
SELECT a.belongs_to_id, (
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
AND a.id = $5;
