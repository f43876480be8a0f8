-- name: listPositionRows, as in report
WITH RECURSIVE
  outside AS MATERIALIZED (
    SELECT
      o.asset_id,
      o.located_since,
      o.asset_last_seen
    FROM
      asset_positions o
    WHERE
      o.org_id = $1
      AND o.asset_id = ANY (
        ARRAY(
          SELECT
            w.id
          FROM
            assets w
          WHERE
            w.org_id = $2
            AND w.deleted_at IS NULL
            AND NOT w.is_expired
            AND w.valid_from > statement_timestamp()
          UNION ALL
          SELECT
            w.id
          FROM
            assets w
          WHERE
            w.org_id = $3
            AND w.deleted_at IS NULL
            AND NOT w.is_expired
            AND w.valid_to <= statement_timestamp()
            AND w.valid_from <= statement_timestamp()
        )
      )
  ),
  page AS MATERIALIZED (
    SELECT
      p.asset_id,
      p.asset_last_seen,
      p.location_id,
      a.external_key AS asset_external_key,
      a.deleted_at,
      l.external_key AS location_external_key
    FROM
      (
        SELECT
          *
        FROM
          (
            (
              WITH
                first AS MATERIALIZED (
                  SELECT
                    p.asset_id,
                    p.location_id,
                    p.asset_last_seen,
                    p.listed_at
                  FROM
                    asset_positions p
                  WHERE
                    p.org_id = $4
                    AND p.hidden_by = 0
                    AND p.asset_id NOT IN (
                      SELECT
                        asset_id
                      FROM
                        outside
                    )
                  ORDER BY
                    p.listed_at DESC
                  FETCH FIRST
                    ($5::bigint) ROWS
                  WITH
                    TIES
                )
              SELECT
                f.asset_id,
                f.location_id,
                f.asset_last_seen
              FROM
                first f
              UNION ALL
              SELECT
                p.asset_id,
                p.location_id,
                p.asset_last_seen
              FROM
                asset_positions p
              WHERE
                p.org_id = $6
                AND p.hidden_by = 0
                AND p.asset_id NOT IN (
                  SELECT
                    asset_id
                  FROM
                    outside
                )
                AND p.listed_at < (
                  SELECT
                    min(f.listed_at)
                  FROM
                    first f
                )
                AND p.listed_at >= (
                  SELECT
                    min(f.listed_at)
                  FROM
                    first f
                ) - interval '2 seconds'
            )
          ) p
        ORDER BY
          asset_last_seen DESC,
          asset_id ASC
        LIMIT
          $7
        OFFSET
          $8
      ) p
      CROSS JOIN LATERAL (
        SELECT
          r.external_key,
          r.deleted_at
        FROM
          assets r
        WHERE
          r.org_id = $9
          AND r.id = p.asset_id
        OFFSET
          0
      ) a
      LEFT JOIN LATERAL (
        SELECT
          r.external_key
        FROM
          locations r
        WHERE
          r.org_id = $10
          AND r.id = p.location_id
          AND r.deleted_at IS NULL
        OFFSET
          0
      ) l ON true
    ORDER BY
      asset_last_seen DESC,
      asset_id ASC
    LIMIT
      $11
    OFFSET
      $12
  ),
  counts AS (
    SELECT
      (
        SELECT
          coalesce(sum(n), 0)::float8
        FROM
          row_counts
        WHERE
          org_id = $13
          AND kind = $14
          AND NOT is_expired
          AND NOT is_deleted
      ) - (
        SELECT
          count(*)
        FROM
          outside
      ) AS total_count
  )
SELECT
  counts.total_count,
  page.asset_id AS id,
  page.asset_external_key,
  page.location_id,
  page.location_external_key,
  round(date_part('epoch', page.asset_last_seen) * 1000) AS asset_last_seen,
  round(date_part('epoch', page.deleted_at) * 1000) AS asset_deleted_at
FROM
  counts
  LEFT JOIN page ON true
ORDER BY
  asset_last_seen DESC,
  asset_id ASC;
-- plan:
--   Sort
--     CTE outside: Index Scan asset_positions by asset_positions_pkey
--       InitPlan 1: Append
--         Index Scan assets by assets_live_key_order
--         Index Scan assets by assets_live_key_order
--     CTE page: Limit
--       Nested Loop
--         Nested Loop
--           Limit
--             Sort
--               Append
--                 CTE first: Limit
--                   Index Scan asset_positions by asset_positions_listed
--                     SubPlan 3: CTE Scan outside
--                 CTE Scan first
--                 Index Scan asset_positions by asset_positions_located_since
--                   InitPlan 6: Aggregate
--                     CTE Scan first
--                   InitPlan 7: Aggregate
--                     CTE Scan first
--                   SubPlan 5: CTE Scan outside
--           Index Scan assets by assets_org_id_id_key
--         Index Scan locations by locations_live_parent
--     InitPlan 9: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 10: Aggregate
--       CTE Scan outside
--     Nested Loop
--       Result
--       CTE Scan page

-- name: listPositionRows, as in report-of-location
WITH RECURSIVE
  matched AS MATERIALIZED (
    SELECT
      p.asset_id,
      p.asset_last_seen,
      p.location_id,
      a.external_key AS asset_external_key,
      a.deleted_at,
      l.external_key AS location_external_key
    FROM
      asset_positions p
      JOIN assets a ON a.org_id = p.org_id
      AND a.id = p.asset_id
      LEFT JOIN locations l ON l.org_id = p.org_id
      AND l.id = p.location_id
      AND l.deleted_at IS NULL
    WHERE
      p.org_id = $1
      AND a.deleted_at IS NULL
      AND a.valid_from <= statement_timestamp()
      AND (
        a.valid_to IS NULL
        OR a.valid_to > statement_timestamp()
      )
      AND p.location_id = ANY ($2::int[])
  ),
  page AS MATERIALIZED (
    SELECT
      *
    FROM
      matched
    ORDER BY
      asset_last_seen DESC,
      asset_id ASC
    LIMIT
      $3
    OFFSET
      $4
  ),
  counts AS (
    SELECT
      (
        SELECT
          count(*)::float8
        FROM
          matched
      ) AS total_count
  )
SELECT
  counts.total_count,
  page.asset_id AS id,
  page.asset_external_key,
  page.location_id,
  page.location_external_key,
  round(date_part('epoch', page.asset_last_seen) * 1000) AS asset_last_seen,
  round(date_part('epoch', page.deleted_at) * 1000) AS asset_deleted_at
FROM
  counts
  LEFT JOIN page ON true
ORDER BY
  asset_last_seen DESC,
  asset_id ASC;
-- plan:
--   Sort
--     CTE matched: Nested Loop
--       Nested Loop
--         Index Scan asset_positions by asset_positions_location
--         Index Scan assets by assets_live_key_order
--       Index Scan locations by locations_live_parent
--     CTE page: Limit
--       Sort
--         CTE Scan matched
--     InitPlan 3: Aggregate
--       CTE Scan matched
--     Nested Loop
--       Result
--       CTE Scan page
