-- name: resetPicture
INSERT INTO
  location_pictures AS p (org_id, location_id, visits, antennas, reset_at)
SELECT
  org_id,
  id,
  0,
  '[]',
  now()
FROM
  locations
WHERE
  org_id = $1
  AND id = $2
ON CONFLICT (location_id) DO UPDATE
SET
  visits = 0,
  antennas = '[]',
  reset_at = EXCLUDED.reset_at,
  updated_at = EXCLUDED.updated_at;
-- plan:
--   ModifyTable location_pictures
--     Index Only Scan locations by locations_org_id_id_key

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
