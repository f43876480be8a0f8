-- name: contentRows
WITH RECURSIVE matched AS MATERIALIZED (
  SELECT a.id, a.name, k.since, k.put_in_by, k.container_id
  FROM asset_containments k
  JOIN assets a ON a.org_id = k.org_id
  AND a.id = k.asset_id
  AND a.deleted_at IS NULL
  WHERE k.org_id = $1
  AND k.container_id = $2
  AND k.until IS NULL
  AND (search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($3)) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $4
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND (fold_case(t.value) LIKE (SELECT fold_case($5)))
    OFFSET 0
  ))
),
page AS MATERIALIZED (SELECT * FROM matched a ORDER BY a.name COLLATE natural_order, a.id LIMIT $6 OFFSET $7),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.*, a.id, round(date_part('epoch', a.since) * 1000) AS since, (SELECT json_build_object('id', u.id, 'name',
  u.name) FROM users u WHERE u.id = a.put_in_by) AS put_in_by, coalesce(p.location_id <> c.location_id, false) AS is_elsewhere
FROM counts
LEFT JOIN page a ON true
LEFT JOIN asset_positions p ON p.org_id = $8
AND p.asset_id = a.id
LEFT JOIN asset_positions c ON c.org_id = $9
AND c.asset_id = a.container_id
ORDER BY a.name COLLATE natural_order, a.id;

-- name: contentRows
WITH RECURSIVE matched AS MATERIALIZED (
  SELECT a.id, a.name, k.since, k.put_in_by, k.container_id
  FROM asset_containments k
  JOIN assets a ON a.org_id = k.org_id
  AND a.id = k.asset_id
  AND a.deleted_at IS NULL
  WHERE k.org_id = $1
  AND k.container_id = $2
  AND k.until IS NULL
),
page AS MATERIALIZED (SELECT * FROM matched a ORDER BY a.name COLLATE natural_order, a.id LIMIT $3 OFFSET $4),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.*, a.id, round(date_part('epoch', a.since) * 1000) AS since, (SELECT json_build_object('id', u.id, 'name',
  u.name) FROM users u WHERE u.id = a.put_in_by) AS put_in_by, coalesce(p.location_id <> c.location_id, false) AS is_elsewhere
FROM counts
LEFT JOIN page a ON true
LEFT JOIN asset_positions p ON p.org_id = $5
AND p.asset_id = a.id
LEFT JOIN asset_positions c ON c.org_id = $6
AND c.asset_id = a.container_id
ORDER BY a.name COLLATE natural_order, a.id;

-- name: findSummary
WITH inside AS MATERIALIZED (
  SELECT p.location_id
  FROM asset_containments k
  JOIN assets a ON a.org_id = k.org_id
  AND a.id = k.asset_id
  AND a.deleted_at IS NULL
  LEFT JOIN asset_positions p ON p.org_id = k.org_id
  AND p.asset_id = k.asset_id
  WHERE k.org_id = $1
  AND k.container_id = $2
  AND k.until IS NULL
),
elsewhere AS (
  SELECT i.location_id, count(*)::int AS count
  FROM inside i
  WHERE i.location_id IS NOT NULL
  AND i.location_id IS DISTINCT FROM (SELECT p.location_id FROM asset_positions p WHERE p.org_id = $3 AND p.asset_id = $4)
  GROUP BY i.location_id
)
SELECT coalesce(h.holds_assets, false) AS holds_assets, (SELECT count(*)::int FROM inside) AS count, (
  SELECT coalesce(json_agg(json_build_object('location', json_build_object('id', l.id, 'name', l.name), 'count',
    e.count) ORDER BY e.count DESC, l.name), '[]')
  FROM elsewhere e
  JOIN locations l ON l.org_id = $5
  AND l.id = e.location_id
) AS elsewhere
FROM assets a
LEFT JOIN asset_kinds h ON h.org_id = a.org_id
AND h.id = a.kind_id
WHERE a.org_id = $6
AND a.id = $7
AND a.deleted_at IS NULL;

-- name: contentsAt
SELECT a.id, a.name, a.external_key, a.deleted_at IS NOT NULL AS is_deleted, round(date_part('epoch', k.since) * 1000) AS since,
  round(date_part('epoch', coalesce(k.until, c.deleted_at)) * 1000) AS until, coalesce(k.ended_by, CASE
  WHEN c.deleted_at IS NOT NULL THEN 'deletion' END) AS ended_by
FROM asset_containments k
JOIN assets c ON c.org_id = k.org_id
AND c.id = k.container_id
AND (c.deleted_at IS NULL OR c.deleted_at > to_timestamp($1::float8 / 1000))
JOIN assets a ON a.org_id = k.org_id
AND a.id = k.asset_id
WHERE k.org_id = $2
AND k.container_id = $3
AND k.since <= to_timestamp($4::float8 / 1000)
AND (k.until IS NULL OR k.until > to_timestamp($5::float8 / 1000))
ORDER BY a.name COLLATE natural_order, a.id
LIMIT $6;

-- name: pastRows
WITH RECURSIVE matched AS MATERIALIZED (SELECT k.* FROM asset_containments k WHERE k.org_id = $1 AND k.asset_id = $2),
  page AS MATERIALIZED (SELECT * FROM matched k ORDER BY k.since DESC, k.id DESC LIMIT $3 OFFSET $4),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.*, k.id, round(date_part('epoch', k.since) * 1000) AS since, round(date_part('epoch', coalesce(k.until,
  c.deleted_at)) * 1000) AS until, coalesce(k.ended_by, CASE WHEN c.deleted_at IS NOT NULL THEN 'deletion' END) AS ended_by,
  (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = k.put_in_by) AS put_in_by,
  (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = k.taken_out_by) AS taken_out_by, CASE
  WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name, 'external_key', c.external_key, 'is_deleted',
  c.deleted_at IS NOT NULL) END AS container
FROM counts
LEFT JOIN page k ON true
LEFT JOIN assets c ON c.org_id = $5
AND c.id = k.container_id
ORDER BY k.since DESC, k.id DESC;
