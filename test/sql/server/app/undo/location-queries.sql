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

-- name: obstacleAbove
SELECT name, deleted_at IS NULL AS is_live
FROM locations
WHERE org_id = $1
AND id = $2;
