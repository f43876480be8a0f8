-- name: readDwell
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
length AS MATERIALIZED (
  SELECT v.location_id, CASE WHEN v.seconds < 1000 THEN v.seconds WHEN v.seconds < 10000 THEN v.seconds / 10 * 10
    WHEN v.seconds < 100000 THEN v.seconds / 100 * 100 WHEN v.seconds < 1000000 THEN v.seconds / 1000 * 1000
    ELSE v.seconds / 10000 * 10000 END AS seconds, count(*) AS n
  FROM (
    SELECT d.id AS location_id, date_part('epoch', o.left_at - o.arrived_at)::int AS seconds
    FROM down d
    JOIN asset_visits o ON o.org_id = $4
    AND o.location_id = d.id
    AND o.left_at IS NOT NULL
    WHERE (o.left_at >= to_timestamp($5::float8 / 1000) AND o.left_at < to_timestamp($6::float8 / 1000))
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = $7
      AND w.asset_id = o.asset_id
      AND w.placed_at = o.arrived_at
      AND w.container_id IS NULL
    )
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = $8
      AND w.asset_id = o.asset_id
      AND w.placed_at = o.left_at
      AND w.container_id IS NULL
    )
  ) v
  GROUP BY 1, 2
),
placed AS (
  SELECT s.location_id, s.seconds, s.n, sum(s.n) OVER (PARTITION BY s.location_id ORDER BY s.seconds) AS upto,
    sum(s.n) OVER (PARTITION BY s.location_id) AS total
  FROM length s
)
SELECT json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted',
  l.deleted_at IS NOT NULL) AS location, p.total::float8 AS visits,
  min(p.seconds) FILTER (WHERE p.upto >= p.total * 0.5)::float8 AS median_seconds,
  min(p.seconds) FILTER (WHERE p.upto >= p.total * 0.95)::float8 AS p95_seconds
FROM placed p
JOIN locations l ON l.org_id = $9
AND l.id = p.location_id
GROUP BY l.id, l.name, l.external_key, l.deleted_at, p.total
ORDER BY p.total DESC, l.id
LIMIT $10::int;

-- name: readDwell
-- further: 73d0bbb8df
