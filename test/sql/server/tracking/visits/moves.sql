-- name: listMoveRows
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND true
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND true
),
arrival AS MATERIALIZED (
  SELECT a.asset_id, a.arrived_at, a.location_id
  FROM ((
    SELECT v.asset_id, v.arrived_at, v.location_id
    FROM asset_visits v
    WHERE v.org_id = $4
    AND (v.arrived_at, v.asset_id) > (to_timestamp($5::float8 / 1000), $6::int)
    AND v.arrived_at < to_timestamp($7::float8 / 1000)
    ORDER BY v.arrived_at, v.asset_id
    LIMIT $8::int
  ) UNION ALL (
    SELECT v.asset_id, v.arrived_at, v.location_id
    FROM open_visits v
    WHERE v.org_id = $9
    AND (v.arrived_at, v.asset_id) > (to_timestamp($10::float8 / 1000), $11::int)
    AND v.arrived_at < to_timestamp($12::float8 / 1000)
    ORDER BY v.arrived_at, v.asset_id
    LIMIT $13::int
  )) a
  ORDER BY a.arrived_at, a.asset_id
  LIMIT $14::int
)
SELECT round(date_part('epoch', m.arrived_at) * 1000) AS at, CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name',
  a.name, 'external_key', a.external_key) END AS asset, CASE WHEN f.id IS NOT NULL THEN json_build_object('id', f.id, 'name',
  f.name) END AS from, CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name) END AS to,
  coalesce($15::int IS NULL OR m.from_id IN (SELECT id FROM down) OR m.to_id IN (SELECT id FROM down), false) AS is_wanted
FROM (
  SELECT r.asset_id, r.arrived_at, r.location_id AS to_id, (
    SELECT b.location_id
    FROM asset_visits b
    WHERE b.org_id = $16
    AND b.asset_id = r.asset_id
    AND b.arrived_at < r.arrived_at
    ORDER BY b.arrived_at DESC
    LIMIT 1
  ) AS from_id
  FROM arrival r
) m
CROSS JOIN LATERAL (
  SELECT o.id, o.name, o.external_key
  FROM assets o
  WHERE o.org_id = $17
  AND o.id = m.asset_id
  OFFSET 0
) a
LEFT JOIN LATERAL (SELECT o.id, o.name FROM locations o WHERE o.org_id = $18 AND o.id = m.from_id OFFSET 0) f ON true
LEFT JOIN LATERAL (SELECT o.id, o.name FROM locations o WHERE o.org_id = $19 AND o.id = m.to_id OFFSET 0) t ON true
ORDER BY m.arrived_at, m.asset_id;
