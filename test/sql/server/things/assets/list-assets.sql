-- name: listAssets, as in assets
WITH RECURSIVE
  page AS MATERIALIZED (
    SELECT
      a.id
    FROM
      assets a
    WHERE
      a.org_id = $1
      AND a.deleted_at IS NULL
      AND a.valid_from <= statement_timestamp()
      AND (
        a.valid_to IS NULL
        OR a.valid_to > statement_timestamp()
      )
    ORDER BY
      a.external_key ASC
    LIMIT
      $2
    OFFSET
      $3
  ),
  counts AS (
    SELECT
      (
        (
          SELECT
            coalesce(sum(n), 0)::float8
          FROM
            row_counts
          WHERE
            org_id = $4
            AND kind = $5
            AND NOT is_expired
            AND NOT is_deleted
        ) - (
          (
            SELECT
              count(*)
            FROM
              assets r
            WHERE
              org_id = $6
              AND deleted_at IS NULL
              AND NOT r.is_expired
              AND r.valid_from > statement_timestamp()
          ) + (
            SELECT
              count(*)
            FROM
              assets r
            WHERE
              org_id = $7
              AND deleted_at IS NULL
              AND NOT r.is_expired
              AND r.valid_to <= statement_timestamp()
              AND r.valid_from <= statement_timestamp()
          )
        )
      ) AS total_count
  )
SELECT
  counts.*,
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value)
          ORDER BY
            t.id
        ),
        '[]'
      )
    FROM
      tags t
    WHERE
      t.org_id = a.org_id
      AND t.asset_id = a.id
  ) AS tags
FROM
  counts
  LEFT JOIN (
    page
    CROSS JOIN LATERAL (
      SELECT
        *
      FROM
        assets r
      WHERE
        r.org_id = $8
        AND r.id = page.id
      OFFSET
        0
    ) a
  ) ON true
ORDER BY
  a.external_key ASC;
-- plan:
--   Sort
--     CTE page: Limit
--       Index Only Scan assets by assets_live_external_key
--     InitPlan 2: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 3: Aggregate
--       Index Scan assets by assets_live_key_order
--     InitPlan 4: Aggregate
--       Index Scan assets by assets_live_key_order
--     Nested Loop
--       Result
--       Nested Loop
--         CTE Scan page
--         Index Scan assets by assets_org_id_id_key
--       SubPlan 5: Aggregate
--         Sort
--           Index Scan tags by tags_asset

-- name: listAssets, as in assets-deep-page
WITH RECURSIVE
  start AS MATERIALIZED (
    SELECT
      c.version,
      CASE
        WHEN c.version = $1 THEN $2::text
        ELSE $3
      END AS external_key,
      CASE
        WHEN c.version = $4 THEN $5::bigint
        ELSE 0
      END AS position
    FROM
      (
        SELECT
          coalesce(sum(changes), 0)::float8 AS version
        FROM
          row_counts
        WHERE
          org_id = $6
          AND kind = $7
      ) c
  ),
  anchor AS MATERIALIZED (
    SELECT
      a.external_key
    FROM
      assets a
    WHERE
      a.org_id = $8
      AND a.deleted_at IS NULL
      AND NOT a.is_expired
      AND a.external_key >= (
        SELECT
          external_key
        FROM
          start
      )
    ORDER BY
      a.external_key ASC
    LIMIT
      1
    OFFSET
      $9::bigint - (
        SELECT
          position
        FROM
          start
      )
  ),
  page AS MATERIALIZED (
    SELECT
      a.id
    FROM
      assets a
    WHERE
      a.org_id = $10
      AND a.deleted_at IS NULL
      AND a.valid_from <= statement_timestamp()
      AND (
        a.valid_to IS NULL
        OR a.valid_to > statement_timestamp()
      )
      AND a.external_key >= (
        SELECT
          external_key
        FROM
          anchor
      )
    ORDER BY
      a.external_key ASC
    LIMIT
      $11
    OFFSET
      (
        (
          SELECT
            count(*)
          FROM
            assets a
          WHERE
            a.org_id = $12
            AND a.deleted_at IS NULL
            AND NOT a.is_expired
            AND a.external_key < (
              SELECT
                external_key
              FROM
                anchor
            )
            AND NOT a.is_expired
            AND a.valid_from > statement_timestamp()
        ) + (
          SELECT
            count(*)
          FROM
            assets a
          WHERE
            a.org_id = $13
            AND a.deleted_at IS NULL
            AND NOT a.is_expired
            AND a.external_key < (
              SELECT
                external_key
              FROM
                anchor
            )
            AND NOT a.is_expired
            AND a.valid_to <= statement_timestamp()
            AND a.valid_from <= statement_timestamp()
        )
      )
  ),
  counts AS (
    SELECT
      (
        (
          SELECT
            coalesce(sum(n), 0)::float8
          FROM
            row_counts
          WHERE
            org_id = $14
            AND kind = $15
            AND NOT is_expired
            AND NOT is_deleted
        ) - (
          (
            SELECT
              count(*)
            FROM
              assets r
            WHERE
              org_id = $16
              AND deleted_at IS NULL
              AND NOT r.is_expired
              AND r.valid_from > statement_timestamp()
          ) + (
            SELECT
              count(*)
            FROM
              assets r
            WHERE
              org_id = $17
              AND deleted_at IS NULL
              AND NOT r.is_expired
              AND r.valid_to <= statement_timestamp()
              AND r.valid_from <= statement_timestamp()
          )
        )
      ) AS total_count,
      (
        SELECT
          version
        FROM
          start
      ) AS version,
      (
        SELECT
          external_key
        FROM
          anchor
      ) AS anchor_key
  )
SELECT
  counts.*,
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value)
          ORDER BY
            t.id
        ),
        '[]'
      )
    FROM
      tags t
    WHERE
      t.org_id = a.org_id
      AND t.asset_id = a.id
  ) AS tags
FROM
  counts
  LEFT JOIN (
    page
    CROSS JOIN LATERAL (
      SELECT
        *
      FROM
        assets r
      WHERE
        r.org_id = $18
        AND r.id = page.id
      OFFSET
        0
    ) a
  ) ON true
ORDER BY
  a.external_key ASC;
-- plan:
--   Sort
--     CTE start: Subquery Scan
--       Aggregate
--         Index Scan row_counts by row_counts_pkey
--     CTE anchor: Limit
--       InitPlan 2: CTE Scan start
--       InitPlan 3: CTE Scan start
--       Index Only Scan assets by assets_shown_order
--     CTE page: Limit
--       InitPlan 5: CTE Scan anchor
--       InitPlan 7: Aggregate
--         InitPlan 6: CTE Scan anchor
--         Index Scan assets by assets_live_key_order
--       InitPlan 9: Aggregate
--         InitPlan 8: CTE Scan anchor
--         Index Scan assets by assets_live_key_order
--       Index Only Scan assets by assets_live_external_key
--     InitPlan 11: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 12: Aggregate
--       Index Scan assets by assets_live_key_order
--     InitPlan 13: Aggregate
--       Index Scan assets by assets_live_key_order
--     InitPlan 14: CTE Scan start
--     InitPlan 15: CTE Scan anchor
--     Nested Loop
--       Result
--       Nested Loop
--         CTE Scan page
--         Index Scan assets by assets_org_id_id_key
--       SubPlan 16: Aggregate
--         Sort
--           Index Scan tags by tags_asset

-- name: listAssets, as in assets-search
WITH RECURSIVE
  by_text AS MATERIALIZED (
    SELECT
      a.id,
      a.updated_at
    FROM
      assets a
    WHERE
      a.org_id = $1
      AND a.deleted_at IS NULL
      AND a.valid_from <= statement_timestamp()
      AND (
        a.valid_to IS NULL
        OR a.valid_to > statement_timestamp()
      )
      AND search_grams (a.org_id, search_text (a.name, a.external_key, a.description)) @@ (
        SELECT
          search_query ($2::int, fold_case ($3))
      )
      AND (
        (
          SELECT
            char_length(fold_case ($4)) <= $5::int
        )
        OR search_text (a.name, a.external_key, a.description) LIKE (
          SELECT
            fold_case ($6)
        )
      )
  ),
  by_tag AS MATERIALIZED (
    SELECT
      a.id,
      a.updated_at
    FROM
      assets a
    WHERE
      a.org_id = $7
      AND a.deleted_at IS NULL
      AND a.valid_from <= statement_timestamp()
      AND (
        a.valid_to IS NULL
        OR a.valid_to > statement_timestamp()
      )
      AND a.id = ANY (
        ARRAY(
          SELECT
            t.asset_id
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
            AND (
              t.asset_id IN (
                SELECT
                  id
                FROM
                  by_text
              )
            ) IS NOT TRUE
        )
      )
  ),
  matched AS NOT MATERIALIZED (
    SELECT
      *
    FROM
      by_text
    UNION ALL
    SELECT
      *
    FROM
      by_tag
  ),
  page AS MATERIALIZED (
    SELECT
      a.id
    FROM
      matched a
    ORDER BY
      a.updated_at DESC,
      a.id ASC
    LIMIT
      $14
    OFFSET
      $15
  ),
  counts AS (
    SELECT
      (
        SELECT
          count(*)::float8
        FROM
          matched a
      ) AS total_count
  )
SELECT
  counts.*,
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value)
          ORDER BY
            t.id
        ),
        '[]'
      )
    FROM
      tags t
    WHERE
      t.org_id = a.org_id
      AND t.asset_id = a.id
  ) AS tags
FROM
  counts
  LEFT JOIN (
    page
    CROSS JOIN LATERAL (
      SELECT
        *
      FROM
        assets r
      WHERE
        r.org_id = $16
        AND r.id = page.id
      OFFSET
        0
    ) a
  ) ON true
ORDER BY
  a.updated_at DESC,
  a.id ASC;
-- plan:
--   Sort
--     CTE by_text: Index Scan assets by assets_live_key_order
--       InitPlan 1: Result
--       InitPlan 2: Result
--       InitPlan 3: Result
--     CTE by_tag: Index Scan assets by assets_live_name_order
--       InitPlan 9: Index Scan tags by tags_live_pair
--         InitPlan 5: Result
--         InitPlan 6: Result
--         InitPlan 7: Result
--         SubPlan 8: CTE Scan by_text
--     CTE page: Limit
--       Sort
--         Append
--           CTE Scan by_text
--           CTE Scan by_tag
--     InitPlan 12: Aggregate
--       Append
--         CTE Scan by_text
--         CTE Scan by_tag
--     Nested Loop
--       Result
--       Nested Loop
--         CTE Scan page
--         Index Scan assets by assets_org_id_id_key
--       SubPlan 13: Aggregate
--         Sort
--           Index Scan tags by tags_asset
