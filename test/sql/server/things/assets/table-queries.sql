-- name: countKept
SELECT
  (
    (
      SELECT
        coalesce(sum(n), 0)::float8
      FROM
        row_counts
      WHERE
        org_id = $1
        AND kind = $2
        AND NOT is_expired
        AND NOT is_deleted
    ) - (
      (
        SELECT
          count(*)
        FROM
          assets r
        WHERE
          org_id = $3
          AND deleted_at IS NULL
          AND NOT r.is_expired
          AND r.valid_from > statement_timestamp()
      ) + (
        SELECT
          count(*)
        FROM
          assets r
        WHERE
          org_id = $4
          AND deleted_at IS NULL
          AND NOT r.is_expired
          AND r.valid_to <= statement_timestamp()
          AND r.valid_from <= statement_timestamp()
      )
    )
  ) AS kept_count;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 2: Aggregate
--       Index Scan assets by assets_live_key_order
--     InitPlan 3: Aggregate
--       Index Scan assets by assets_live_key_order

-- name: countKept
SELECT
  (
    SELECT
      coalesce(sum(n), 0)::float8
    FROM
      row_counts
    WHERE
      org_id = $1
      AND kind = $2
      AND NOT is_deleted
  ) - (
    (
      SELECT
        coalesce(sum(n), 0)::float8
      FROM
        row_counts
      WHERE
        org_id = $3
        AND kind = $4
        AND NOT is_expired
        AND NOT is_deleted
    ) - (
      (
        SELECT
          count(*)
        FROM
          assets r
        WHERE
          org_id = $5
          AND deleted_at IS NULL
          AND NOT r.is_expired
          AND r.valid_from > statement_timestamp()
      ) + (
        SELECT
          count(*)
        FROM
          assets r
        WHERE
          org_id = $6
          AND deleted_at IS NULL
          AND NOT r.is_expired
          AND r.valid_to <= statement_timestamp()
          AND r.valid_from <= statement_timestamp()
      )
    )
  ) AS kept_count;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 2: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 3: Aggregate
--       Index Scan assets by assets_live_key_order
--     InitPlan 4: Aggregate
--       Index Scan assets by assets_live_key_order

-- name: countKept
SELECT
  (
    SELECT
      coalesce(sum(n), 0)::float8
    FROM
      row_counts
    WHERE
      org_id = $1
      AND kind = $2
      AND NOT is_deleted
  ) - (
    SELECT
      coalesce(sum(n), 0)::float8
    FROM
      row_counts
    WHERE
      org_id = $3
      AND kind = $4
      AND NOT is_deleted
  ) AS kept_count;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 2: Aggregate
--       Index Scan row_counts by row_counts_pkey

-- name: countKept
SELECT
  (
    SELECT
      coalesce(sum(n), 0)::float8
    FROM
      row_counts
    WHERE
      org_id = $1
      AND kind = $2
      AND NOT is_deleted
  ) AS kept_count;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Index Scan row_counts by row_counts_pkey

-- name: countKept
SELECT
  (
    SELECT
      coalesce(sum(n), 0)::float8
    FROM
      row_counts
    WHERE
      org_id = $1
      AND kind = $2
      AND is_active = $3
      AND NOT is_deleted
  ) AS kept_count;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Index Scan row_counts by row_counts_pkey

-- name: collectPage, as in app-assets-by-last-seen
WITH RECURSIVE
  matched AS MATERIALIZED (
    SELECT
      a.id,
      a.external_key,
      a.name,
      a.kind_id,
      a.created_at,
      a.updated_at
    FROM
      (
        SELECT
          p.asset_id AS id
        FROM
          asset_positions p
        WHERE
          p.org_id = $1
          AND p.hidden_by IN (0, 2)
          AND p.location_id = ANY ($2::int[])
        OFFSET
          0
      ) c
      CROSS JOIN LATERAL (
        SELECT
          *
        FROM
          assets r
        WHERE
          r.org_id = $3
          AND r.id = c.id
        OFFSET
          0
      ) a
    WHERE
      a.org_id = $4
      AND a.deleted_at IS NULL
    LIMIT
      $5
  ),
  page AS MATERIALIZED (
    SELECT
      p.asset_id AS id
    FROM
      (
        SELECT
          *
        FROM
          asset_positions p
        WHERE
          p.org_id = $6
          AND p.asset_id = ANY (
            ARRAY(
              SELECT
                m.id
              FROM
                matched m
            )
          )
      ) p
    ORDER BY
      p.asset_last_seen DESC,
      p.asset_id
    LIMIT
      $7
    OFFSET
      $8
  ),
  counts AS (
    SELECT
      (
        SELECT
          count(*)::float8
        FROM
          matched
      ) AS total_count,
      0 AS found
  )
SELECT
  counts.*,
  ARRAY(
    SELECT
      id
    FROM
      page
  ) AS ids
FROM
  counts;
-- plan:
--   Result
--     CTE matched: Limit
--       Nested Loop
--         Index Only Scan asset_positions by asset_positions_location
--         Subquery Scan
--           Index Scan assets by assets_org_id_id_key
--     CTE page: Limit
--       InitPlan 2: CTE Scan matched
--       Sort
--         Index Scan asset_positions by asset_positions_pkey
--     InitPlan 4: Aggregate
--       CTE Scan matched
--     InitPlan 5: CTE Scan page

-- name: collectPage, as in app-assets-search
WITH RECURSIVE
  candidate AS MATERIALIZED (
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
  ),
  matched AS MATERIALIZED (
    SELECT
      a.id,
      a.external_key,
      a.name,
      a.kind_id,
      a.created_at,
      a.updated_at
    FROM
      candidate c
      CROSS JOIN LATERAL (
        SELECT
          *
        FROM
          assets r
        WHERE
          r.org_id = $15
          AND r.id = c.id
        OFFSET
          0
      ) a
    WHERE
      a.org_id = $16
      AND a.deleted_at IS NULL
    LIMIT
      $17
  ),
  page AS MATERIALIZED (
    SELECT
      a.id
    FROM
      matched a
    ORDER BY
      a.external_key COLLATE natural_order ASC
    LIMIT
      $18
    OFFSET
      $19
  ),
  counts AS (
    SELECT
      (
        SELECT
          count(*)::float8
        FROM
          matched
      ) AS total_count,
      (
        SELECT
          count(*)::int
        FROM
          candidate
      ) AS found
  )
SELECT
  counts.*,
  ARRAY(
    SELECT
      id
    FROM
      page
  ) AS ids
FROM
  counts;
-- plan:
--   Result
--     CTE candidate: Unique
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
--     CTE matched: Limit
--       Nested Loop
--         CTE Scan candidate
--         Subquery Scan
--           Index Scan assets by assets_org_id_id_key
--     CTE page: Limit
--       Sort
--         CTE Scan matched
--     InitPlan 10: Aggregate
--       CTE Scan matched
--     InitPlan 11: Aggregate
--       CTE Scan candidate
--     InitPlan 12: CTE Scan page

-- name: scanPage, as in app-assets
SELECT
  ARRAY(
    SELECT
      a.id
    FROM
      (
        SELECT
          *
        FROM
          assets a
        WHERE
          a.org_id = $1
          AND a.deleted_at IS NULL
      ) a
    ORDER BY
      a.external_key COLLATE natural_order ASC
    LIMIT
      $2
    OFFSET
      $3
  ) AS ids;
-- plan:
--   Result
--     InitPlan 1: Limit
--       Index Only Scan assets by assets_live_key_order
