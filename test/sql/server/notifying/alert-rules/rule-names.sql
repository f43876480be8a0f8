-- name: findLive
SELECT a.id, true AS is_asset
FROM assets a
WHERE a.org_id = $1::int
AND a.id = ANY($2::int[])
AND a.deleted_at IS NULL
UNION ALL SELECT l.id, false
FROM locations l
WHERE l.org_id = $3::int
AND l.id = ANY($4::int[])
AND l.deleted_at IS NULL;
