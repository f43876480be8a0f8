-- name: listPresentRows
WITH RECURSIVE down AS (
  SELECT l.id
  FROM locations l
  WHERE l.org_id = $1
  AND (l.deleted_at IS NULL OR l.deleted_at > to_timestamp($2::float8 / 1000))
),
present AS MATERIALIZED (
  SELECT v.asset_id, v.arrived_at, v.left_at, d.id AS location_id
  FROM down d
  CROSS JOIN LATERAL (
    SELECT o.asset_id, o.arrived_at, o.left_at
    FROM visits o
    WHERE o.org_id = $3
    AND o.location_id = d.id
    AND o.left_at IS NULL
    AND o.arrived_at <= to_timestamp($4::float8 / 1000)
    UNION ALL SELECT o.asset_id, o.arrived_at, o.left_at
    FROM asset_visits o
    WHERE o.org_id = $5
    AND o.location_id = d.id
    AND o.left_at IS NOT NULL
    AND o.left_at > to_timestamp($6::float8 / 1000)
    AND o.arrived_at <= to_timestamp($7::float8 / 1000)
  ) v
),
matched AS MATERIALIZED (
  SELECT a.id, a.name, a.external_key, a.deleted_at IS NOT NULL AS is_deleted, a.belongs_to_id, p.arrived_at, p.left_at,
    p.location_id
  FROM present p
  JOIN assets a ON a.org_id = $8
  AND a.id = p.asset_id
  AND (a.deleted_at IS NULL OR a.deleted_at > to_timestamp($9::float8 / 1000))
),
page AS MATERIALIZED (SELECT * FROM matched a ORDER BY a.name COLLATE natural_order, a.id LIMIT $10 OFFSET $11),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.*, a.id, a.external_key, a.name, a.is_deleted, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name',
  l.name, 'external_key', l.external_key) END AS location, CASE WHEN o.id IS NOT NULL THEN json_build_object('id', o.id, 'name',
  o.name, 'is_deleted', o.deleted_at IS NOT NULL) END AS belongs_to_now, (
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
        AND (c.deleted_at IS NULL OR c.deleted_at > to_timestamp($12::float8 / 1000))
        OFFSET 0
      ) c
      WHERE k.org_id = $13
      AND k.asset_id = a.id
      AND k.since <= to_timestamp($14::float8 / 1000)
      AND (k.until IS NULL OR k.until > to_timestamp($15::float8 / 1000))
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
        AND (c.deleted_at IS NULL OR c.deleted_at > to_timestamp($16::float8 / 1000))
        OFFSET 0
      ) c
      WHERE k.org_id = $17
      AND k.asset_id = up.id
      AND k.since <= to_timestamp($18::float8 / 1000)
      AND (k.until IS NULL OR k.until > to_timestamp($19::float8 / 1000))
      LIMIT 1
    ) n
    WHERE up.level < $20
  )
  SELECT coalesce(json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.level),
    '[]')
  FROM up
) AS containers, round(date_part('epoch', a.arrived_at) * 1000) AS arrived_at, round(date_part('epoch',
  a.left_at) * 1000) AS left_at
FROM counts
LEFT JOIN page a ON true
LEFT JOIN locations l ON l.org_id = $21
AND l.id = a.location_id
LEFT JOIN locations o ON o.org_id = $22
AND o.id = a.belongs_to_id
ORDER BY a.name COLLATE natural_order, a.id;

-- name: listPresentRows
-- further: 966748fa20 a4a1895d59 d7850001af
