-- name: findPlan
SELECT p.image_id, i.width, i.height, round(date_part('epoch', p.updated_at) * 1000) AS updated_at
FROM floor_plans p
JOIN images i ON i.org_id = p.org_id
AND i.id = p.image_id
WHERE p.org_id = $1
AND p.location_id = $2;

-- name: lockPlan
SELECT p.image_id, i.width, i.height, round(date_part('epoch', p.updated_at) * 1000) AS updated_at
FROM floor_plans p
JOIN images i ON i.org_id = p.org_id
AND i.id = p.image_id
WHERE p.org_id = $1
AND p.location_id = $2
FOR UPDATE OF p;

-- name: listShapes
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
)
SELECT s.location_id, s.reader_id, coalesce(l.name, r.name) AS name, s.points
FROM floor_plan_shapes s
LEFT JOIN locations l ON l.org_id = s.org_id
AND l.id = s.location_id
LEFT JOIN readers r ON r.org_id = s.org_id
AND r.id = s.reader_id
AND r.deleted_at IS NULL
WHERE s.org_id = $4
AND s.plan_location_id = $5
AND (r.id IS NOT NULL OR s.location_id IN (SELECT d.id FROM down d) AND s.location_id <> $6)
ORDER BY coalesce(l.name, r.name) COLLATE natural_order, s.id;

-- name: insertPlan
INSERT INTO floor_plans (org_id, location_id, image_id, updated_at)
VALUES ($1::int, $2::int, $3::int, date_trunc('milliseconds', clock_timestamp())) ON CONFLICT (org_id, location_id) DO NOTHING
RETURNING round(date_part('epoch', updated_at) * 1000) AS updated_at;

-- name: touchPlan
UPDATE floor_plans p
SET image_id = coalesce($1::int, p.image_id), updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  p.updated_at + interval '1 millisecond')
WHERE p.org_id = $2::int
AND p.location_id = $3::int
RETURNING round(date_part('epoch', p.updated_at) * 1000) AS updated_at;

-- name: deletePlan
DELETE FROM floor_plans
WHERE org_id = $1::int
AND location_id = $2::int;

-- name: findInvalidReferences
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
)
SELECT d.id
FROM down d
WHERE d.id = ANY ($4::int[])
AND d.id <> $5;

-- name: findInvalidReferences
SELECT r.id
FROM readers r
WHERE r.org_id = $1
AND r.id = ANY ($2::int[])
AND r.deleted_at IS NULL
ORDER BY r.id
FOR SHARE;

-- name: replaceShapes
DELETE FROM floor_plan_shapes s
WHERE s.org_id = $1::int
AND s.plan_location_id = $2::int
AND NOT EXISTS (
  SELECT
  FROM locations l
  WHERE l.org_id = $3::int
  AND l.id = s.location_id
  AND l.deleted_at > clock_timestamp() - interval '30 days'
);

-- name: replaceShapes
INSERT INTO floor_plan_shapes (org_id, plan_location_id, location_id, reader_id, points)
SELECT $1::int, $2::int, s.location_id, s.reader_id, s.points
FROM jsonb_to_recordset($3::jsonb) AS s (location_id int, reader_id int, points float8[]);

-- name: removePlansOfDeletedLocations
DELETE FROM floor_plan_shapes
WHERE id IN (
  SELECT s.id
  FROM locations l
  JOIN floor_plan_shapes s ON s.org_id = l.org_id
  AND s.location_id = l.id
  WHERE l.deleted_at <= clock_timestamp() - interval '30 days'
  LIMIT $1::int
);

-- name: removePlansOfDeletedLocations
WITH gone AS (
  DELETE FROM floor_plans p USING (
    SELECT g.org_id, g.location_id
    FROM floor_plans g
    JOIN locations l ON l.org_id = g.org_id
    AND l.id = g.location_id
    WHERE l.deleted_at <= clock_timestamp() - interval '30 days'
    LIMIT $1::int
  ) old
  WHERE p.org_id = old.org_id
  AND p.location_id = old.location_id
  RETURNING p.org_id, p.image_id
) DELETE FROM images i USING gone
WHERE i.org_id = gone.org_id
AND i.id = gone.image_id;
