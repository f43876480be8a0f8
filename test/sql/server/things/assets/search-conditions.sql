-- name: workingSearchOf, as in app-assets-export-search
SELECT
  id
FROM
  (
    (
      SELECT
        s.id
      FROM
        assets s
      WHERE
        s.org_id = $1
        AND s.deleted_at IS NULL
        AND search_grams (s.org_id, search_text (s.name, s.external_key, s.description)) @@ (
          SELECT
            search_query ($2::int, fold_case ($3))
        )
        AND (
          (
            SELECT
              char_length(fold_case ($4)) <= $5::int
          )
          OR search_text (s.name, s.external_key, s.description) LIKE (
            SELECT
              fold_case ($6)
          )
        )
      LIMIT
        $7
    )
    UNION
    (
      SELECT
        t.asset_id AS id
      FROM
        tags t
      WHERE
        t.org_id = $8
        AND t.deleted_at IS NULL
        AND t.asset_id IS NOT NULL
        AND search_grams (t.org_id, fold_case (t.value)) @@ (
          SELECT
            search_query ($9::int, fold_case ($10))
        )
        AND (
          (
            SELECT
              char_length(fold_case ($11)) <= $12::int
          )
          OR fold_case (t.value) LIKE (
            SELECT
              fold_case ($13)
          )
        )
      LIMIT
        $14
    )
  ) found
LIMIT
  1;
-- plan:
--   Limit
--     Unique
--       Sort
--         Append
--           Limit
--             InitPlan 1: Result
--             InitPlan 2: Result
--             InitPlan 3: Result
--             Index Scan assets by assets_live_key_order
--           Limit
--             InitPlan 4: Result
--             InitPlan 5: Result
--             InitPlan 6: Result
--             Index Scan tags by tags_live_pair
