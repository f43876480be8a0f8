-- name: occupancyOf
SELECT l.id, NOT (EXISTS (SELECT FROM locations c WHERE c.org_id = $1 AND c.parent_id = l.id AND c.deleted_at IS NULL) OR EXISTS (
  SELECT
  FROM asset_positions p
  WHERE p.org_id = $2
  AND p.location_id = l.id
  AND p.hidden_by IN (0, 2)
)) AS is_empty
FROM locations l
WHERE l.org_id = $3
AND l.id = ANY($4::int[])
AND l.deleted_at IS NULL
ORDER BY l.id;

-- name: findEmpty
WITH RECURSIVE up AS (
  SELECT l.id, l.parent_id, l.deleted_at IS NULL AS is_live
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = ANY($2::int[])
  UNION
  SELECT a.id, a.parent_id, a.deleted_at IS NULL
  FROM up
  JOIN locations a ON a.org_id = $3
  AND a.id = up.parent_id
  WHERE NOT up.is_live
  AND EXISTS (
    SELECT
    FROM activity_log w
    WHERE w.org_id = $4
    AND w.kind = 'location'
    AND w.object_id = a.id::text
    AND w.batch_id = $5::uuid
    AND w.action IN ('created', 'restored')
  )
)
SELECT l.id
FROM up l
WHERE l.is_live
AND NOT (EXISTS (SELECT FROM locations c WHERE c.org_id = $6 AND c.parent_id = l.id AND c.deleted_at IS NULL) OR EXISTS (
  SELECT
  FROM asset_positions p
  WHERE p.org_id = $7
  AND p.location_id = l.id
  AND p.hidden_by IN (0, 2)
));

-- name: obstacleAbove
SELECT name, deleted_at IS NULL AS is_live
FROM locations
WHERE org_id = $1
AND id = $2;
