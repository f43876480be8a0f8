-- name: liveParents
SELECT id, external_key
FROM locations
WHERE org_id = $1
AND deleted_at IS NULL
AND id = $2::int
UNION
SELECT id, external_key
FROM locations
WHERE org_id = $3
AND deleted_at IS NULL
AND external_key = $4;
