-- name: createReportStarts
WITH
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
  )
SELECT
  $4::float8 + k.n - 1 AS position,
  round(date_part('epoch', k.asset_last_seen) * 1000) AS last_seen,
  k.asset_id
FROM
  (
    SELECT
      p.asset_last_seen,
      p.asset_id,
      row_number() OVER (
        ORDER BY
          p.asset_last_seen ASC,
          p.asset_id
      ) AS n
    FROM
      asset_positions p
    WHERE
      p.org_id = $5
      AND p.hidden_by = 0
      AND p.asset_id NOT IN (
        SELECT
          asset_id
        FROM
          outside
      )
    ORDER BY
      p.asset_last_seen ASC,
      p.asset_id
    LIMIT
      $6::bigint
  ) k
WHERE
  k.n % $7::int = 1
ORDER BY
  k.n;
-- plan:
--   Sort
--     CTE outside: Index Scan asset_positions by asset_positions_pkey
--       InitPlan 1: Append
--         Index Scan assets by assets_live_key_order
--         Index Scan assets by assets_live_key_order
--     Subquery Scan
--       Limit
--         WindowAgg
--           Incremental Sort
--             Index Only Scan asset_positions by asset_positions_order
--               SubPlan 3: CTE Scan outside

-- name: createReportStarts
WITH
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
  )
SELECT
  $4::float8 + k.n - 1 AS position,
  round(date_part('epoch', k.asset_last_seen) * 1000) AS last_seen,
  k.asset_id
FROM
  (
    SELECT
      p.asset_last_seen,
      p.asset_id,
      row_number() OVER (
        ORDER BY
          p.asset_last_seen ASC,
          p.asset_id
      ) AS n
    FROM
      asset_positions p
    WHERE
      p.org_id = $5
      AND p.hidden_by = 0
      AND p.asset_id NOT IN (
        SELECT
          asset_id
        FROM
          outside
      )
      AND p.asset_last_seen >= to_timestamp($6::float8 / 1000)
      AND (
        p.asset_last_seen > to_timestamp($7::float8 / 1000)
        OR p.asset_id >= $8::int
      )
    ORDER BY
      p.asset_last_seen ASC,
      p.asset_id
    LIMIT
      $9::bigint
  ) k
WHERE
  k.n % $10::int = 1
ORDER BY
  k.n;
-- plan:
--   Sort
--     CTE outside: Index Scan asset_positions by asset_positions_pkey
--       InitPlan 1: Append
--         Index Scan assets by assets_live_key_order
--         Index Scan assets by assets_live_key_order
--     Subquery Scan
--       Limit
--         WindowAgg
--           Incremental Sort
--             Index Only Scan asset_positions by asset_positions_order
--               SubPlan 3: CTE Scan outside

-- name: createReportStarts
WITH
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
  )
SELECT
  $4::float8 + k.n - 1 AS position,
  round(date_part('epoch', k.asset_last_seen) * 1000) AS last_seen,
  k.asset_id
FROM
  (
    SELECT
      p.asset_last_seen,
      p.asset_id,
      row_number() OVER (
        ORDER BY
          p.asset_last_seen DESC,
          p.asset_id
      ) AS n
    FROM
      asset_positions p
    WHERE
      p.org_id = $5
      AND p.hidden_by = 0
      AND p.asset_id NOT IN (
        SELECT
          asset_id
        FROM
          outside
      )
    ORDER BY
      p.asset_last_seen DESC,
      p.asset_id
    LIMIT
      $6::bigint
  ) k
WHERE
  k.n % $7::int = 1
ORDER BY
  k.n;
-- plan:
--   Sort
--     CTE outside: Index Scan asset_positions by asset_positions_pkey
--       InitPlan 1: Append
--         Index Scan assets by assets_live_key_order
--         Index Scan assets by assets_live_key_order
--     Subquery Scan
--       Limit
--         WindowAgg
--           Index Only Scan asset_positions by asset_positions_order
--             SubPlan 3: CTE Scan outside

-- name: createReportStarts
WITH
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
  )
SELECT
  $4::float8 + k.n - 1 AS position,
  round(date_part('epoch', k.asset_last_seen) * 1000) AS last_seen,
  k.asset_id
FROM
  (
    SELECT
      p.asset_last_seen,
      p.asset_id,
      row_number() OVER (
        ORDER BY
          p.asset_last_seen DESC,
          p.asset_id
      ) AS n
    FROM
      asset_positions p
    WHERE
      p.org_id = $5
      AND p.hidden_by = 0
      AND p.asset_id NOT IN (
        SELECT
          asset_id
        FROM
          outside
      )
      AND p.asset_last_seen <= to_timestamp($6::float8 / 1000)
      AND (
        p.asset_last_seen < to_timestamp($7::float8 / 1000)
        OR p.asset_id >= $8::int
      )
    ORDER BY
      p.asset_last_seen DESC,
      p.asset_id
    LIMIT
      $9::bigint
  ) k
WHERE
  k.n % $10::int = 1
ORDER BY
  k.n;
-- plan:
--   Sort
--     CTE outside: Index Scan asset_positions by asset_positions_pkey
--       InitPlan 1: Append
--         Index Scan assets by assets_live_key_order
--         Index Scan assets by assets_live_key_order
--     Subquery Scan
--       Limit
--         WindowAgg
--           Index Only Scan asset_positions by asset_positions_order
--             SubPlan 3: CTE Scan outside
