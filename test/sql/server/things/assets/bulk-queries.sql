-- name: retireAssets
SELECT
  id
FROM
  assets
WHERE
  org_id = $1
  AND id = ANY ($2::int[])
  AND deleted_at IS NULL
ORDER BY
  id
FOR UPDATE;
-- plan:
--   LockRows
--     Index Scan assets by assets_org_id_id_key

-- name: retireAssets
WITH
  gone AS (
    UPDATE assets
    SET
      deleted_at = date_trunc('milliseconds', clock_timestamp())
    WHERE
      org_id = $1
      AND id = ANY ($2::int[])
      AND deleted_at IS NULL
      AND (
        SELECT
          set_config('whereabouts.author', $3, true)
      ) IS NOT NULL
    RETURNING
      id,
      deleted_at
  ),
  retired AS (
    UPDATE tags t
    SET
      deleted_at = gone.deleted_at
    FROM
      gone
    WHERE
      t.org_id = $4
      AND t.asset_id = gone.id
  )
SELECT
  id
FROM
  gone;
-- plan:
--   CTE Scan gone
--     CTE gone: ModifyTable assets
--       InitPlan 1: Result
--       Result
--         Index Scan assets by assets_live_name_order
--     CTE retired: ModifyTable tags
--       Nested Loop
--         CTE Scan gone
--         Index Scan tags by tags_asset
