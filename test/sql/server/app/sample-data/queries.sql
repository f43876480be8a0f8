-- name: lockSample
SELECT sample_location_ids AS locations, sample_asset_ids AS assets
FROM organizations
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: noteSample
UPDATE organizations
SET sample_location_ids = $1::int[], sample_asset_ids = $2::int[]
WHERE id = $3::int;

-- name: hasAssets
SELECT 1
FROM assets
WHERE org_id = $1::int
AND deleted_at IS NULL
LIMIT 1;
