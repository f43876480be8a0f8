-- name: countOnPlan
WITH RECURSIVE tops AS MATERIALIZED (
  SELECT l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.deleted_at IS NULL
  AND (l.id = $2 OR l.id IN (SELECT s.location_id FROM floor_plan_shapes s WHERE s.org_id = $3 AND s.plan_location_id = $4))
),
down AS (
  SELECT l.id AS top, l.id
  FROM tops l
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $5
  AND c.parent_id = d.id
  AND c.deleted_at IS NULL
),
counted AS (
  SELECT c.top, sum(c.n) FILTER (WHERE c.id = c.top)::float8 AS here, sum(c.n)::float8 AS below
  FROM (
    SELECT d.top, d.id, (
      SELECT count(*)
      FROM asset_positions p
      WHERE p.org_id = $6
      AND p.location_id = d.id
      AND p.hidden_by IN (0, 2)
    ) AS n
    FROM down d
  ) c
  GROUP BY c.top
),
pair AS (
  SELECT o.id AS belongs_to_id, n.location_id
  FROM (SELECT DISTINCT d.id FROM down d) o
  CROSS JOIN LATERAL (
    SELECT p.location_id
    FROM asset_positions p
    WHERE p.org_id = $7
    AND p.belongs_to_id IS NOT NULL
    AND p.location_id IS NOT NULL
    AND p.hidden_by IN (0, 2)
    AND p.belongs_to_id = o.id
    ORDER BY p.location_id
    LIMIT 1
  ) n
  UNION ALL SELECT t.belongs_to_id, n.location_id
  FROM pair t
  CROSS JOIN LATERAL (
    SELECT p.location_id
    FROM asset_positions p
    WHERE p.org_id = $8
    AND p.belongs_to_id IS NOT NULL
    AND p.location_id IS NOT NULL
    AND p.hidden_by IN (0, 2)
    AND p.belongs_to_id = t.belongs_to_id
    AND p.location_id > t.location_id
    ORDER BY p.location_id
    LIMIT 1
  ) n
),
absent AS (
  SELECT d.top, sum(c.n)::float8 AS n
  FROM down d
  JOIN (
    SELECT t.*, (
      SELECT count(*)
      FROM asset_positions p
      WHERE p.org_id = $9
      AND p.belongs_to_id IS NOT NULL
      AND p.location_id IS NOT NULL
      AND p.hidden_by IN (0, 2)
      AND p.belongs_to_id = t.belongs_to_id
      AND p.location_id = t.location_id
    ) AS n
    FROM pair t
  ) c ON c.belongs_to_id = d.id
  WHERE NOT EXISTS (SELECT FROM down x WHERE x.top = d.top AND x.id = c.location_id)
  GROUP BY d.top
)
SELECT c.top AS location_id, c.here AS assets_here, c.below AS assets_below, coalesce(a.n, 0) AS assets_away
FROM counted c
LEFT JOIN absent a ON a.top = c.top
ORDER BY c.top;

-- name: listCoverage
WITH RECURSIVE shown AS MATERIALIZED (
  SELECT s.location_id AS id
  FROM floor_plan_shapes s
  WHERE s.org_id = $1
  AND s.plan_location_id = $2
  AND s.location_id IS NOT NULL
),
down AS (
  SELECT l.id, NULL::int AS shape, NULL::int AS outer_shape
  FROM locations l
  WHERE l.org_id = $3
  AND l.id = $4
  AND l.deleted_at IS NULL
  UNION ALL SELECT c.id, CASE WHEN c.id IN (SELECT shown.id FROM shown) THEN c.id ELSE d.shape END, CASE
    WHEN c.id IN (SELECT shown.id FROM shown) THEN d.shape ELSE d.outer_shape END
  FROM down d
  JOIN locations c ON c.org_id = $5
  AND c.parent_id = d.id
  AND c.deleted_at IS NULL
)
SELECT d.id AS location_id, d.shape AS shape_location_id, d.outer_shape AS outer_location_id
FROM down d
WHERE d.shape IS NOT NULL
ORDER BY d.id <> d.shape, d.id
LIMIT $6::int;

-- name: listPlanReaders
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
stated AS (
  SELECT r.id, r.name, r.location_id, r.last_message_at, CASE
    WHEN r.last_message_at > statement_timestamp() - interval '2 minutes' THEN CASE WHEN m.reads > 0 THEN 'receiving'
    WHEN m.rejected > 0 THEN 'rejecting' ELSE 'connected' END WHEN r.last_refused_at > coalesce(greatest(r.last_message_at,
    r.last_connected_at + interval '45 seconds'), '-infinity') THEN 'refused' WHEN r.last_message_at IS NULL
  AND r.last_connected_at > statement_timestamp() - interval '65 seconds' THEN 'connected' WHEN r.last_message_at IS NULL
  AND r.last_connected_at IS NULL THEN 'never' ELSE 'silent' END AS status, coalesce(m.reads, 0) AS recent_reads
  FROM readers r
  LEFT JOIN LATERAL (
    SELECT sum(c.reads)::float8 AS reads, sum(c.rejected)::float8 AS rejected
    FROM reader_minutes c
    WHERE c.org_id = r.org_id
    AND c.reader_id = r.id
    AND c.minute >= date_trunc('minute', statement_timestamp()) - interval '4 minutes'
  ) m ON true
  WHERE r.org_id = $4
  AND r.deleted_at IS NULL
  AND (r.location_id IN (SELECT d.id FROM down d) OR r.id IN (
    SELECT s.reader_id
    FROM floor_plan_shapes s
    WHERE s.org_id = $5
    AND s.plan_location_id = $6
    AND s.reader_id IS NOT NULL
  ))
)
SELECT s.id, s.name, s.status, r.location_id
FROM stated s
JOIN readers r ON r.org_id = $7
AND r.id = s.id
ORDER BY s.name COLLATE natural_order, s.id
LIMIT $8::int;

-- name: listPlanRows
SELECT CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name) END AS location, json_build_object('id', i.id,
  'width', i.width, 'height', i.height) AS image, depth.level
FROM floor_plans p
JOIN images i ON i.org_id = p.org_id
AND i.id = p.image_id
JOIN locations l ON l.org_id = p.org_id
AND l.id = p.location_id
AND l.deleted_at IS NULL
CROSS JOIN LATERAL (
  WITH RECURSIVE up AS (
    SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id
    FROM (SELECT l.*) l
    UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id
    FROM up
    JOIN locations p ON p.org_id = $1
    AND p.id = up.parent_id
  )
  SELECT max(up.distance) + 1 AS level
  FROM up
) depth
WHERE p.org_id = $2
ORDER BY depth.level, l.name COLLATE natural_order, l.id
LIMIT $3::int;

-- name: findOnPlan
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id
  FROM asset_positions p
  JOIN assets a ON a.org_id = p.org_id
  AND a.id = p.asset_id
  AND a.deleted_at IS NULL
  JOIN locations l ON l.org_id = p.org_id
  AND l.id = p.location_id
  AND l.deleted_at IS NULL
  WHERE p.org_id = $1
  AND p.asset_id = $2
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
  AND p.deleted_at IS NULL
)
SELECT plan.id AS location_id, shape.id AS shape_location_id
FROM up plan
JOIN up shape ON shape.distance < plan.distance
JOIN floor_plan_shapes s ON s.org_id = $4
AND s.plan_location_id = plan.id
AND s.location_id = shape.id
ORDER BY plan.distance, shape.distance
LIMIT 1;
