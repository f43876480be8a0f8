-- name: readStep
WITH visit AS MATERIALIZED (
  SELECT v.asset_id, v.arrived_at, v.left_at
  FROM asset_visits v
  WHERE v.org_id = $1
  AND v.location_id = $2
  AND v.left_at IS NOT NULL
  AND v.left_at > now() - make_interval(days => $3::int)
  AND v.left_at <= coalesce(to_timestamp($4::float8 / 1000), 'infinity')
  AND (v.left_at, -v.asset_id) < (coalesce(to_timestamp($5::float8 / 1000), 'infinity'), -coalesce($6::int, 0))
  ORDER BY v.left_at DESC, v.asset_id
  LIMIT $7::int
),
latest AS MATERIALIZED (
  SELECT DISTINCT ON (visit.asset_id) visit.*
  FROM visit
  ORDER BY visit.asset_id, visit.left_at DESC
),
departure AS (
  SELECT v.*, a.external_key, a.name, p.location_id, p.asset_last_seen
  FROM latest v
  CROSS JOIN LATERAL (
    SELECT o.location_id, o.asset_last_seen
    FROM asset_positions o
    WHERE o.org_id = $8
    AND o.asset_id = v.asset_id
    OFFSET 0
  ) p
  CROSS JOIN LATERAL (
    SELECT o.external_key, o.name
    FROM assets o
    WHERE o.org_id = $9
    AND o.id = v.asset_id
    AND o.deleted_at IS NULL
    OFFSET 0
  ) a
  WHERE p.location_id IS DISTINCT FROM $10::int
  AND NOT EXISTS (
    SELECT 1
    FROM asset_visits later
    WHERE later.org_id = $11
    AND later.asset_id = v.asset_id
    AND later.arrived_at > v.arrived_at
    AND later.location_id = $12
    OFFSET 0
  )
  ORDER BY v.left_at DESC, v.asset_id
  LIMIT $13::int
)
SELECT step.visits, round(date_part('epoch', step.left_at) * 1000) AS last_left_at, step.asset_id AS last_asset_id, d.asset_id,
  d.external_key AS asset_external_key, d.name AS asset_name, api_timestamp(d.arrived_at) AS arrived_at,
  api_timestamp(d.left_at) AS left_at, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name,
  'external_key', l.external_key) END AS location, api_timestamp(d.asset_last_seen) AS asset_last_seen, (
  SELECT json_build_object('by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before',
    api_timestamp(w.seen_before), 'container', (
    SELECT json_build_object('id', c.id, 'name', c.name)
    FROM assets c
    WHERE c.org_id = w.org_id
    AND c.id = w.container_id
  ), 'with_contents', w.with_contents)
  FROM asset_placements w
  WHERE w.org_id = $14
  AND w.asset_id = d.asset_id
  AND w.placed_at = d.asset_last_seen
) AS placement
FROM (
  SELECT (SELECT count(*)::int FROM visit) AS visits, last.left_at, last.asset_id
  FROM (VALUES (1)) one
  LEFT JOIN (SELECT * FROM visit ORDER BY visit.left_at, visit.asset_id DESC LIMIT 1) last ON true
) step
LEFT JOIN departure d ON true
LEFT JOIN LATERAL (
  SELECT o.id, o.name, o.external_key
  FROM locations o
  WHERE o.org_id = $15
  AND o.id = d.location_id
  AND o.deleted_at IS NULL
  OFFSET 0
) l ON true
ORDER BY d.left_at DESC, d.asset_id;
