-- name: isLarge
SELECT (
  SELECT round(date_part('epoch', v.arrived_at) * 1000)
  FROM asset_visits v
  WHERE v.org_id = $1
  ORDER BY v.arrived_at
  LIMIT 1
) AS first, round(date_part('epoch', now()) * 1000) AS now;

-- name: readFlow
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
path AS (
  SELECT v.asset_id, array_agg(CASE WHEN EXISTS (
    SELECT
    FROM asset_placements w
    WHERE w.org_id = $4
    AND w.asset_id = v.asset_id
    AND w.placed_at = v.arrived_at
    AND w.container_id IS NULL
  ) THEN -1 - coalesce(v.location_id, 0) ELSE coalesce(v.location_id, 0) END ORDER BY v.arrived_at) AS ids
  FROM visits v
  WHERE v.org_id = $5
  AND (v.arrived_at >= to_timestamp($6::float8 / 1000) AND v.arrived_at < to_timestamp($7::float8 / 1000))
  GROUP BY v.asset_id
),
pair AS (
  SELECT CASE WHEN m.from_id < 0 THEN -1 - m.from_id ELSE m.from_id END AS from_id, m.to_id, count(*) AS n
  FROM path p
  CROSS JOIN LATERAL (
    SELECT (
      SELECT coalesce(o.location_id, 0)
      FROM asset_visits o
      WHERE o.org_id = $8
      AND o.asset_id = p.asset_id
      AND o.arrived_at < to_timestamp($9::float8 / 1000)
      ORDER BY o.arrived_at DESC
      LIMIT 1
    ) AS id
  ) preceding
  CROSS JOIN LATERAL unnest(preceding.id || p.ids, p.ids) AS m (from_id, to_id)
  WHERE m.to_id >= 0
  GROUP BY 1, 2
),
flow AS (
  SELECT p.from_id, p.to_id, p.n
  FROM pair p
  WHERE p.from_id IS NOT NULL
  AND ($10::int IS NULL OR p.from_id IN (SELECT id FROM down) OR p.to_id IN (SELECT id FROM down))
)
SELECT CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'name', b.name) END AS from, CASE
  WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name) END AS to, f.n::float8 AS moves
FROM flow f
LEFT JOIN locations b ON b.org_id = $11
AND b.id = f.from_id
LEFT JOIN locations t ON t.org_id = $12
AND t.id = f.to_id
ORDER BY f.n DESC, f.from_id, f.to_id
LIMIT $13::int;

-- name: readFlow
-- further: 33c5f4e970 ea192dddc7
