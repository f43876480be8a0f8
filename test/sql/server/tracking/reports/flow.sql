-- name: reportFlow
WITH RECURSIVE down AS (SELECT l.id FROM locations l WHERE l.org_id = $1), path AS (
  SELECT v.asset_id, array_agg(coalesce(v.location_id, 0) ORDER BY v.arrived_at) AS ids
  FROM asset_visits v
  WHERE v.org_id = $2
  AND (v.arrived_at >= to_timestamp($3::float8 / 1000) AND v.arrived_at < to_timestamp($4::float8 / 1000))
  GROUP BY v.asset_id
),
pair AS (
  SELECT m.from_id, m.to_id, count(*) AS n
  FROM path p
  CROSS JOIN LATERAL (
    SELECT (
      SELECT coalesce(o.location_id, 0)
      FROM asset_visits o
      WHERE o.org_id = $5
      AND o.asset_id = p.asset_id
      AND o.arrived_at < to_timestamp($6::float8 / 1000)
      ORDER BY o.arrived_at DESC
      LIMIT 1
    ) AS id
  ) preceding
  CROSS JOIN LATERAL unnest(preceding.id || p.ids, p.ids) AS m (from_id, to_id)
  WHERE m.to_id IS NOT NULL
  GROUP BY 1, 2
),
flow AS (
  SELECT p.from_id, p.to_id, p.n
  FROM pair p
  WHERE p.from_id IS NOT NULL
  AND ($7::int IS NULL OR p.from_id IN (SELECT id FROM down) OR p.to_id IN (SELECT id FROM down))
)
SELECT CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'name', b.name) END AS from, CASE 
  HEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name) END AS to, f.n::float8 AS moves,
  (sum(f.n) OVER ())::float8 AS total_moves
FROM flow f
LEFT JOIN locations b ON b.org_id = $8
AND b.id = f.from_id
LEFT JOIN locations t ON t.org_id = $9
AND t.id = f.to_id
ORDER BY f.n DESC, f.from_id, f.to_id
LIMIT $10::int;

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
  SELECT v.asset_id, array_agg(coalesce(v.location_id, 0) ORDER BY v.arrived_at) AS ids
  FROM asset_visits v
  WHERE v.org_id = $4
  AND (v.arrived_at >= to_timestamp($5::float8 / 1000) AND v.arrived_at < to_timestamp($6::float8 / 1000))
  GROUP BY v.asset_id
),
pair AS (
  SELECT m.from_id, m.to_id, count(*) AS n
  FROM path p
  CROSS JOIN LATERAL (
    SELECT (
      SELECT coalesce(o.location_id, 0)
      FROM asset_visits o
      WHERE o.org_id = $7
      AND o.asset_id = p.asset_id
      AND o.arrived_at < to_timestamp($8::float8 / 1000)
      ORDER BY o.arrived_at DESC
      LIMIT 1
    ) AS id
  ) preceding
  CROSS JOIN LATERAL unnest(preceding.id || p.ids, p.ids) AS m (from_id, to_id)
  WHERE m.to_id IS NOT NULL
  GROUP BY 1, 2
),
flow AS (
  SELECT p.from_id, p.to_id, p.n
  FROM pair p
  WHERE p.from_id IS NOT NULL
  AND ($9::int IS NULL OR p.from_id IN (SELECT id FROM down) OR p.to_id IN (SELECT id FROM down))
)
SELECT CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'name', b.name) END AS from, CASE 
  HEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name) END AS to, f.n::float8 AS moves,
  (sum(f.n) OVER ())::float8 AS total_moves
FROM flow f
LEFT JOIN locations b ON b.org_id = $10
AND b.id = f.from_id
LEFT JOIN locations t ON t.org_id = $11
AND t.id = f.to_id
ORDER BY f.n DESC, f.from_id, f.to_id
LIMIT $12::int;

-- name: readFlow
WITH RECURSIVE down AS (SELECT l.id FROM locations l WHERE l.org_id = $1), path AS (
  SELECT v.asset_id, array_agg(coalesce(v.location_id, 0) ORDER BY v.arrived_at) AS ids
  FROM asset_visits v
  WHERE v.org_id = $2
  AND (v.arrived_at >= to_timestamp($3::float8 / 1000) AND v.arrived_at < to_timestamp($4::float8 / 1000))
  GROUP BY v.asset_id
),
pair AS (
  SELECT m.from_id, m.to_id, count(*) AS n
  FROM path p
  CROSS JOIN LATERAL (
    SELECT (
      SELECT coalesce(o.location_id, 0)
      FROM asset_visits o
      WHERE o.org_id = $5
      AND o.asset_id = p.asset_id
      AND o.arrived_at < to_timestamp($6::float8 / 1000)
      ORDER BY o.arrived_at DESC
      LIMIT 1
    ) AS id
  ) preceding
  CROSS JOIN LATERAL unnest(preceding.id || p.ids, p.ids) AS m (from_id, to_id)
  WHERE m.to_id IS NOT NULL
  GROUP BY 1, 2
),
flow AS (
  SELECT p.from_id, p.to_id, p.n
  FROM pair p
  WHERE p.from_id IS NOT NULL
  AND ($7::int IS NULL OR p.from_id IN (SELECT id FROM down) OR p.to_id IN (SELECT id FROM down))
)
SELECT CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'name', b.name) END AS from, CASE 
  HEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name) END AS to, f.n::float8 AS moves,
  (sum(f.n) OVER ())::float8 AS total_moves
FROM flow f
LEFT JOIN locations b ON b.org_id = $8
AND b.id = f.from_id
LEFT JOIN locations t ON t.org_id = $9
AND t.id = f.to_id
ORDER BY f.n DESC, f.from_id, f.to_id
LIMIT $10::int;
