-- name: resetPicture
INSERT INTO location_pictures AS p (org_id, location_id, visits, antennas, reset_at)
SELECT org_id, id, 0, '[]', now()
FROM locations
WHERE org_id = $1
AND id = $2 ON CONFLICT (location_id) DO UPDATE
SET visits = 0, antennas = '[]', reset_at = EXCLUDED.reset_at, updated_at = EXCLUDED.updated_at;

-- name: hasReadableTag
SELECT 1
FROM tags
WHERE org_id = $1
AND asset_id = $2
AND tag_type = ANY ($3::text[])
AND deleted_at IS NULL
LIMIT 1;

-- name: readNames
SELECT (SELECT name FROM locations WHERE org_id = $1 AND id = $2) AS location,
  (SELECT name FROM assets WHERE org_id = $3 AND id = $4) AS asset;
