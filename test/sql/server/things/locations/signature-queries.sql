-- name: deleteSignatures
SELECT
  1
FROM
  locations
WHERE
  org_id = $1
  AND id = $2
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Index Scan locations by locations_org_id_id_key

-- name: deleteSignatures
DELETE FROM location_signatures
WHERE
  org_id = $1
  AND location_id = $2;
-- plan:
--   ModifyTable location_signatures
--     Bitmap Heap Scan location_signatures
--       BitmapAnd
--         Bitmap Index Scan by location_signatures_org
--         Bitmap Index Scan by location_signatures_pkey

-- name: hasReadableTag
SELECT
  1
FROM
  tags
WHERE
  org_id = $1
  AND asset_id = $2
  AND tag_type = ANY ($3::text[])
  AND deleted_at IS NULL
LIMIT
  1;
-- plan:
--   Limit
--     Index Scan tags by tags_live_pair

-- name: readNames
SELECT
  (
    SELECT
      name
    FROM
      locations
    WHERE
      org_id = $1
      AND id = $2
  ) AS location,
  (
    SELECT
      name
    FROM
      assets
    WHERE
      org_id = $3
      AND id = $4
  ) AS asset;
-- plan:
--   Result
--     InitPlan 1: Index Scan locations by locations_org_id_id_key
--     InitPlan 2: Index Scan assets by assets_org_id_id_key
