-- name: readLocationPaths
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id, l.external_key, l.name, l.deleted_at, l.assets_free
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = ANY($2::int[])
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id, p.external_key, p.name, p.deleted_at, p.assets_free
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
)
SELECT start_id, id, external_key, name, deleted_at IS NOT NULL AS is_deleted, assets_free
FROM up
ORDER BY start_id, distance DESC;

-- name: findSubtree
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
SELECT id
FROM down;
