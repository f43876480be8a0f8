-- name: findFreeLocations
WITH RECURSIVE free AS (
  SELECT l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.assets_free
  AND l.deleted_at IS NULL
  UNION
  SELECT c.id
  FROM free f
  JOIN locations c ON c.org_id = $2
  AND c.parent_id = f.id
  AND c.deleted_at IS NULL
  AND c.assets_free IS NOT FALSE
)
SELECT id
FROM free;
