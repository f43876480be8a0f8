-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($5)) <= $6::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($7)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($8)
                )
              )
            )
          LIMIT
            $9
        )
        UNION ALL
        (
          SELECT
            l.id,
            $10::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $11
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($12::int, fold_case ($13))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($14)) <= $15::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($16)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($17)
                )
              )
            )
          LIMIT
            $18
        )
        UNION ALL
        (
          SELECT
            l.id,
            $19::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $20
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($21::int, fold_case ($22))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($23)) <= $24::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($25)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($26)
                )
              )
            )
          LIMIT
            $27
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $28
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $29;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           InitPlan 4: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           InitPlan 8: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 9: Result
--           InitPlan 10: Result
--           InitPlan 11: Result
--           InitPlan 12: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($5)) <= $6::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($7)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($8)
                )
              )
            )
          LIMIT
            $9
        )
        UNION ALL
        (
          SELECT
            l.id,
            $10::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $11
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($12::int, fold_case ($13))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($14)) <= $15::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($16)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($17)
                )
              )
            )
          LIMIT
            $18
        )
        UNION ALL
        (
          SELECT
            l.id,
            $19::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $20
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($21::int, fold_case ($22))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($23)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($24)
                )
              )
            )
          LIMIT
            $25
        )
        UNION ALL
        (
          SELECT
            l.id,
            $26::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $27
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($28::int, fold_case ($29))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($30)) <= $31::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($32)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($33)
                )
              )
            )
          LIMIT
            $34
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $35
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $36;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           InitPlan 4: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           InitPlan 8: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 9: Result
--           InitPlan 10: Result
--           InitPlan 11: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 12: Result
--           InitPlan 13: Result
--           InitPlan 14: Result
--           InitPlan 15: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($5)) <= $6::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($7)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($8)
                )
              )
            )
          LIMIT
            $9
        )
        UNION ALL
        (
          SELECT
            l.id,
            $10::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $11
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($12::int, fold_case ($13))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($14)) <= $15::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($16)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($17)
                )
              )
            )
          LIMIT
            $18
        )
        UNION ALL
        (
          SELECT
            l.id,
            $19::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $20
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($21::int, fold_case ($22))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($23)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($24)
                )
              )
            )
          LIMIT
            $25
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $26
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $27;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           InitPlan 4: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           InitPlan 8: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 9: Result
--           InitPlan 10: Result
--           InitPlan 11: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($5)) <= $6::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($7)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($8)
                )
              )
            )
          LIMIT
            $9
        )
        UNION ALL
        (
          SELECT
            l.id,
            $10::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $11
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($12::int, fold_case ($13))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($14)) <= $15::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($16)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($17)
                )
              )
            )
          LIMIT
            $18
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $19
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $20;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           InitPlan 4: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           InitPlan 8: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($5)) <= $6::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($7)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($8)
                )
              )
            )
          LIMIT
            $9
        )
        UNION ALL
        (
          SELECT
            l.id,
            $10::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $11
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($12::int, fold_case ($13))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($14)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($15)
                )
              )
            )
          LIMIT
            $16
        )
        UNION ALL
        (
          SELECT
            l.id,
            $17::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $18
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($19::int, fold_case ($20))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($21)) <= $22::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($23)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($24)
                )
              )
            )
          LIMIT
            $25
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $26
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $27;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           InitPlan 4: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 8: Result
--           InitPlan 9: Result
--           InitPlan 10: Result
--           InitPlan 11: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($5)) <= $6::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($7)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($8)
                )
              )
            )
          LIMIT
            $9
        )
        UNION ALL
        (
          SELECT
            l.id,
            $10::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $11
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($12::int, fold_case ($13))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($14)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($15)
                )
              )
            )
          LIMIT
            $16
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $17
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $18;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           InitPlan 4: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($5)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($6)
                )
              )
            )
          LIMIT
            $7
        )
        UNION ALL
        (
          SELECT
            l.id,
            $8::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $9
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($10::int, fold_case ($11))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($12)) <= $13::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($14)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($15)
                )
              )
            )
          LIMIT
            $16
        )
        UNION ALL
        (
          SELECT
            l.id,
            $17::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $18
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($19::int, fold_case ($20))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($21)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($22)
                )
              )
            )
          LIMIT
            $23
        )
        UNION ALL
        (
          SELECT
            l.id,
            $24::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $25
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($26::int, fold_case ($27))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($28)) <= $29::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($30)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($31)
                )
              )
            )
          LIMIT
            $32
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $33
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $34;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 4: Result
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 8: Result
--           InitPlan 9: Result
--           InitPlan 10: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 11: Result
--           InitPlan 12: Result
--           InitPlan 13: Result
--           InitPlan 14: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($5)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($6)
                )
              )
            )
          LIMIT
            $7
        )
        UNION ALL
        (
          SELECT
            l.id,
            $8::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $9
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($10::int, fold_case ($11))
                )
                AND (
                  (
                    SELECT
                      char_length(fold_case ($12)) <= $13::int
                  )
                  OR search_text (l.name, l.external_key, l.description) LIKE (
                    SELECT
                      fold_case ($14)
                  )
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($15)
                )
              )
            )
          LIMIT
            $16
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $17
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $18;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 4: Result
--           InitPlan 5: Result
--           InitPlan 6: Result
--           InitPlan 7: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down

-- name: readWordSearch
WITH RECURSIVE
  down AS (
    SELECT
      id,
      mask
    FROM
      (
        (
          SELECT
            l.id,
            $1::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $2
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($3::int, fold_case ($4))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($5)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($6)
                )
              )
            )
          LIMIT
            $7
        )
        UNION ALL
        (
          SELECT
            l.id,
            $8::int AS mask
          FROM
            locations l
          WHERE
            l.org_id = $9
            AND l.deleted_at IS NULL
            AND (
              (
                search_grams (l.org_id, search_text (l.name, l.external_key, l.description)) @@ (
                  SELECT
                    search_query ($10::int, fold_case ($11))
                )
                AND search_text (l.name, l.external_key, l.description) LIKE (
                  SELECT
                    fold_case ($12)
                )
              )
            )
            AND (
              (
                fold_case (l.name || ' ' || l.external_key) LIKE (
                  SELECT
                    fold_case ($13)
                )
              )
            )
          LIMIT
            $14
        )
      ) named
    UNION
    SELECT
      l.id,
      down.mask
    FROM
      down
      JOIN locations l ON l.org_id = $15
      AND l.parent_id = down.id
      AND l.deleted_at IS NULL
  )
SELECT
  mask,
  array_agg(id) AS ids
FROM
  (
    SELECT
      id,
      bit_or(mask) AS mask
    FROM
      down
    GROUP BY
      id
  ) location
GROUP BY
  mask
ORDER BY
  length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT
  $16;
-- plan:
--   Limit
--     CTE down: Recursive Union
--       Append
--         Limit
--           InitPlan 1: Result
--           InitPlan 2: Result
--           InitPlan 3: Result
--           Index Scan locations by locations_live_parent
--         Limit
--           InitPlan 4: Result
--           InitPlan 5: Result
--           InitPlan 6: Result
--           Index Scan locations by locations_live_parent
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Sort
--       Aggregate
--         Aggregate
--           CTE Scan down
