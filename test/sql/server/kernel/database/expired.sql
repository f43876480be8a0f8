-- name: flagBatch
SELECT
  id
FROM
  assets
WHERE
  valid_to IS NOT NULL
  AND NOT is_expired
  AND valid_to <= statement_timestamp()
ORDER BY
  org_id,
  id
LIMIT
  $1
FOR UPDATE
  SKIP LOCKED;
-- plan:
--   Limit
--     LockRows
--       Incremental Sort
--         Index Scan assets by assets_unexpired

-- name: flagBatch
SELECT
  id
FROM
  locations
WHERE
  valid_to IS NOT NULL
  AND NOT is_expired
  AND valid_to <= statement_timestamp()
ORDER BY
  org_id,
  id
LIMIT
  $1
FOR UPDATE
  SKIP LOCKED;
-- plan:
--   Limit
--     LockRows
--       Incremental Sort
--         Index Scan locations by locations_unexpired

-- name: flagBatch
UPDATE assets
SET
  is_expired = true
WHERE
  id = ANY ($1::int[]);
-- plan:
--   ModifyTable assets
--     Bitmap Heap Scan assets
--       Bitmap Index Scan by assets_pkey

-- name: flagBatch
UPDATE locations
SET
  is_expired = true
WHERE
  id = ANY ($1::int[]);
-- plan:
--   ModifyTable locations
--     Bitmap Heap Scan locations
--       Bitmap Index Scan by locations_pkey
