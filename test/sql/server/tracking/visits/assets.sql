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
  o.name, 'is_deleted', o.deleted_at IS NOT NULL) END AS belongs_to_now, round(date_part('epoch',
  a.arrived_at) * 1000) AS arrived_at, round(date_part('epoch', a.left_at) * 1000) AS left_at
FROM counts
LEFT JOIN page a ON true
LEFT JOIN locations l ON l.org_id = $12
AND l.id = a.location_id
LEFT JOIN locations o ON o.org_id = $13
AND o.id = a.belongs_to_id
ORDER BY a.name COLLATE natural_order, a.id;

-- name: listPresentRows
