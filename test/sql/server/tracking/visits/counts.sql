-- name: countAtInstant
WITH RECURSIVE down AS (
  SELECT l.id
  FROM locations l
  WHERE l.org_id = $1
  AND (l.deleted_at IS NULL OR l.deleted_at > to_timestamp($2::float8 / 1000))
),
own AS (
  SELECT d.id, (
    SELECT count(*)
    FROM visits v
    WHERE v.org_id = $3
    AND v.location_id = d.id
    AND v.left_at IS NULL
    AND v.arrived_at <= to_timestamp($4::float8 / 1000)
  ) + (
    SELECT count(*)
    FROM asset_visits v
    WHERE v.org_id = $5
    AND v.location_id = d.id
    AND v.left_at IS NOT NULL
    AND v.left_at > to_timestamp($6::float8 / 1000)
    AND v.arrived_at <= to_timestamp($7::float8 / 1000)
  ) AS n
  FROM down d
),
gone AS (
  SELECT v.location_id AS id, -count(*) AS n
  FROM assets a
  CROSS JOIN LATERAL (
    SELECT o.location_id, o.left_at
    FROM visits o
    WHERE o.org_id = $8
    AND o.asset_id = a.id
    AND o.arrived_at <= to_timestamp($9::float8 / 1000)
    ORDER BY o.arrived_at DESC
    LIMIT 1
  ) v
  JOIN down d ON d.id = v.location_id
  WHERE a.org_id = $10
  AND a.deleted_at IS NOT NULL
  AND a.deleted_at <= to_timestamp($11::float8 / 1000)
  AND (v.left_at IS NULL OR v.left_at > to_timestamp($12::float8 / 1000))
  GROUP BY v.location_id
),
here AS (
  SELECT c.id, sum(c.n) AS n
  FROM (SELECT id, n FROM own WHERE n > 0 UNION ALL SELECT id, n FROM gone) c
  GROUP BY c.id
  HAVING sum(c.n) > 0
),
up AS (
  SELECT h.id, l.parent_id, h.n
  FROM here h
  JOIN locations l ON l.org_id = $13
  AND l.id = h.id
  UNION ALL SELECT p.id, p.parent_id, u.n
  FROM up u
  JOIN locations p ON p.org_id = $14
  AND p.id = u.parent_id
  WHERE true
)
SELECT l.id AS location_id, l.parent_id, l.name, l.external_key, coalesce(h.n, 0)::float8 AS assets_here,
  b.n::float8 AS assets_below
FROM (SELECT u.id, sum(u.n) AS n FROM up u GROUP BY u.id) b
JOIN locations l ON l.org_id = $15
AND l.id = b.id
LEFT JOIN here h ON h.id = b.id
ORDER BY l.id
LIMIT $16::int;

-- name: countAtInstant
-- further: f3444bf0c5
