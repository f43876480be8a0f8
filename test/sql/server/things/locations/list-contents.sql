-- name: countContents
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND l.deleted_at IS NULL
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND c.deleted_at IS NULL
),
counted AS (
  SELECT c.top, sum(c.n) FILTER (WHERE c.id = c.top)::float8 AS here, sum(c.n)::float8 AS below
  FROM (
    SELECT d.top, d.id, (
      SELECT count(*)
      FROM asset_positions p
      WHERE p.org_id = $4
      AND p.location_id = d.id
      AND p.hidden_by IN (0, 2)
    ) AS n
    FROM down d
  ) c
  GROUP BY c.top
)
SELECT here, below
FROM counted;

-- name: listContentRows
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND l.deleted_at IS NULL
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND c.deleted_at IS NULL
),
matched AS MATERIALIZED (
  SELECT a.id, a.name
  FROM assets a
  WHERE a.org_id = $4
  AND a.deleted_at IS NULL
  AND a.id = ANY(ARRAY((
    SELECT s.id
    FROM assets s
    WHERE s.org_id = $5
    AND s.deleted_at IS NULL
    AND search_grams(s.org_id, search_text(s.name, s.external_key, s.description)) @@ (SELECT search_query($6::int,
      fold_case($7)))
    AND ((SELECT char_length(fold_case($8)) <= $9::int) OR search_text(s.name, s.external_key,
      s.description) LIKE (SELECT fold_case($10)))
    LIMIT $11
  ) UNION (
    SELECT t.asset_id AS id
    FROM tags t
    WHERE t.org_id = $12
    AND t.deleted_at IS NULL
    AND t.asset_id IS NOT NULL
    AND search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($13::int, fold_case($14)))
    AND ((SELECT char_length(fold_case($15)) <= $16::int) OR fold_case(t.value) LIKE (SELECT fold_case($17)))
    LIMIT $18
  )))
  AND ((SELECT p.location_id FROM asset_positions p WHERE p.org_id = $19 AND p.asset_id = a.id) IN (SELECT d.id FROM down d)) IS TRUE
),
page AS MATERIALIZED (SELECT * FROM matched a ORDER BY a.name COLLATE natural_order, a.id LIMIT $20 OFFSET $21),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.*, a.id, a.external_key, a.name, a.is_active, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name',
  l.name, 'external_key', l.external_key) END AS location, api_timestamp(p.located_since) AS located_since,
  api_timestamp(p.asset_last_seen) AS asset_last_seen, (
  SELECT json_build_object('by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before',
    api_timestamp(w.seen_before), 'container', (
    SELECT json_build_object('id', c.id, 'name', c.name)
    FROM assets c
    WHERE c.org_id = w.org_id
    AND c.id = w.container_id
  ), 'with_contents', w.with_contents)
  FROM asset_placements w
  WHERE w.org_id = $22
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
      WHERE k.org_id = $23
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
      WHERE k.org_id = $24
      AND k.asset_id = up.id
      AND k.until IS NULL
      LIMIT 1
    ) n
    WHERE up.level < $25
  )
  SELECT coalesce(json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.level),
    '[]')
  FROM up
) AS containers
FROM counts
LEFT JOIN (page JOIN assets a ON a.org_id = $26 AND a.id = page.id CROSS JOIN LATERAL (
  SELECT r.asset_id, r.location_id, r.located_since, r.asset_last_seen
  FROM asset_positions r
  WHERE r.org_id = $27
  AND r.asset_id = page.id
  OFFSET 0
) p JOIN locations l ON l.org_id = $28 AND l.id = p.location_id) ON true
ORDER BY a.name COLLATE natural_order, a.id;

-- name: listContentRows
-- further: 628c2a1c64 6d63b9de39 ba06de2101 daf2e3f1b1 f1ac0d3d68
