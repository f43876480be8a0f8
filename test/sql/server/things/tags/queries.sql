-- name: lockTagParent
SELECT
  id
FROM
  assets
WHERE
  org_id = $1
  AND id = $2
  AND deleted_at IS NULL
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Index Scan assets by assets_live_key_order

-- name: lockTagParent
SELECT
  id
FROM
  locations
WHERE
  org_id = $1
  AND id = $2
  AND deleted_at IS NULL
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Index Scan locations by locations_live_parent

-- name: attachTag
INSERT INTO
  tags (org_id, asset_id, tag_type, value)
SELECT
  $1,
  $2,
  $3,
  $4
WHERE
  (
    SELECT
      count(*)
    FROM
      tags t
    WHERE
      t.org_id = $5
      AND t.asset_id = $6
  ) < $7
  AND (
    SELECT
      set_config('whereabouts.author', $8, true)
  ) IS NOT NULL
RETURNING
  id,
  tag_type,
  value;
-- plan:
--   ModifyTable tags
--     InitPlan 1: Aggregate
--       Index Only Scan tags by tags_asset
--     InitPlan 2: Result
--     Result

-- name: attachTag
INSERT INTO
  tags (org_id, location_id, tag_type, value)
SELECT
  $1,
  $2,
  $3,
  $4
WHERE
  (
    SELECT
      count(*)
    FROM
      tags t
    WHERE
      t.org_id = $5
      AND t.location_id = $6
  ) < $7
  AND (
    SELECT
      set_config('whereabouts.author', $8, true)
  ) IS NOT NULL
RETURNING
  id,
  tag_type,
  value;
-- plan:
--   ModifyTable tags
--     InitPlan 1: Aggregate
--       Index Only Scan tags by tags_location
--     InitPlan 2: Result
--     Result

-- name: detachTag
DELETE FROM tags t
WHERE
  t.org_id = $1
  AND t.id = $2
  AND t.asset_id = $3
  AND (
    SELECT
      set_config('whereabouts.author', $4, true)
  ) IS NOT NULL;
-- plan:
--   ModifyTable tags
--     InitPlan 1: Result
--     Result
--       Index Scan tags by tags_asset

-- name: detachTag
DELETE FROM tags t
WHERE
  t.org_id = $1
  AND t.id = $2
  AND t.location_id = $3
  AND (
    SELECT
      set_config('whereabouts.author', $4, true)
  ) IS NOT NULL;
-- plan:
--   ModifyTable tags
--     InitPlan 1: Result
--     Result
--       Index Scan tags by tags_location

-- name: holderOfKey
SELECT
  id
FROM
  assets
WHERE
  org_id = $1
  AND external_key = $2
  AND deleted_at IS NULL;
-- plan:
--   Index Only Scan assets by assets_live_key_order

-- name: holderOfKey
SELECT
  id
FROM
  locations
WHERE
  org_id = $1
  AND external_key = $2
  AND deleted_at IS NULL;
-- plan:
--   Index Scan locations by locations_live_parent

-- name: firstTaken
SELECT
  t.tag_type,
  t.value,
  t.asset_id,
  t.location_id
FROM
  unnest($1::text[], $2::text[]) AS given (tag_type, value)
  JOIN tags t ON t.org_id = $3
  AND t.tag_type = given.tag_type
  AND t.value = given.value
  AND t.deleted_at IS NULL;
-- plan:
--   Hash Join
--     Function Scan
--     Hash
--       Index Scan tags by tags_live_pair
