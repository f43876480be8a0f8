-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            g.asset_id AS id
          FROM
            tags g
          WHERE
            g.org_id = $1
            AND g.tag_type = $2
            AND g.deleted_at IS NULL
            AND g.asset_id IS NOT NULL
          LIMIT
            $3
        ) counted
    ),
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            k.asset_id AS id
          FROM
            tag_telemetry m
            JOIN tags k ON k.id = m.tag_id
            AND k.org_id = m.org_id
          WHERE
            m.org_id = $4
            AND m.battery < 20
            AND k.deleted_at IS NULL
            AND k.asset_id IS NOT NULL
          LIMIT
            $5
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Scan tags by tags_live_pair
--     InitPlan 2: Aggregate
--       Limit
--         Nested Loop
--           Index Only Scan tag_telemetry by tag_telemetry_low_battery
--           Index Scan tags by tags_live_pair

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            v.asset_id AS id
          FROM
            metadata_values v
          WHERE
            v.org_id = $1
            AND v.key = $2
            AND v.value = $3
          LIMIT
            $4
        ) counted
    ),
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            v.asset_id AS id
          FROM
            metadata_values v
          WHERE
            v.org_id = $5
            AND v.key = $6
            AND v.value = $7
          LIMIT
            $8
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Only Scan metadata_values by metadata_values_pkey
--     InitPlan 2: Aggregate
--       Limit
--         Index Only Scan metadata_values by metadata_values_pkey

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            v.asset_id AS id
          FROM
            metadata_values v
          WHERE
            v.org_id = $1
            AND v.key = $2
            AND v.value = $3
          LIMIT
            $4
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Only Scan metadata_values by metadata_values_pkey

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            p.asset_id AS id
          FROM
            asset_positions p
          WHERE
            p.org_id = $1
            AND p.hidden_by IN (0, 2)
            AND p.asset_last_seen < to_timestamp($2::float8 / 1000)
          LIMIT
            $3
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Scan asset_positions by asset_positions_listed

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            p.asset_id AS id
          FROM
            asset_positions p
          WHERE
            p.org_id = $1
            AND p.hidden_by IN (0, 2)
            AND p.asset_last_seen < to_timestamp($2::float8 / 1000)
          UNION ALL
          SELECT
            r.id
          FROM
            assets r
          WHERE
            r.org_id = $3
            AND r.deleted_at IS NULL
            AND NOT EXISTS (
              SELECT
              FROM
                asset_positions p
              WHERE
                p.org_id = $4
                AND p.asset_id = r.id
            )
          LIMIT
            $5
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Append
--           Index Scan asset_positions by asset_positions_listed
--           Nested Loop
--             Index Only Scan assets by assets_live_key_order
--             Bitmap Heap Scan asset_positions
--               Bitmap Index Scan by asset_positions_listed

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
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
            AND p.asset_last_seen < to_timestamp($3::float8 / 1000)
          LIMIT
            $4
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Scan asset_positions by asset_positions_location

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
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
          LIMIT
            $3
        ) counted
    ),
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            k.id
          FROM
            assets k
          WHERE
            k.org_id = $4
            AND k.kind_id = $5
            AND k.deleted_at IS NULL
          LIMIT
            $6
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Only Scan asset_positions by asset_positions_location
--     InitPlan 2: Aggregate
--       Limit
--         Index Scan assets by assets_kind

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
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
          LIMIT
            $3
        ) counted
    ),
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT DISTINCT
            q.asset_id AS id
          FROM
            asset_problems q
          WHERE
            q.org_id = $4
            AND q.resolved_at IS NULL
          LIMIT
            $5
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Only Scan asset_positions by asset_positions_location
--     InitPlan 2: Aggregate
--       Limit
--         Unique
--           Sort
--             Bitmap Heap Scan asset_problems
--               Bitmap Index Scan by asset_problems_asset

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            p.asset_id AS id
          FROM
            asset_positions p
          WHERE
            p.org_id = $1
            AND p.hidden_by IN (0, 2)
            AND p.reader_id = $2
          LIMIT
            $3
        ) counted
    ),
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            g.asset_id AS id
          FROM
            tags g
          WHERE
            g.org_id = $4
            AND g.tag_type = $5
            AND g.deleted_at IS NULL
            AND g.asset_id IS NOT NULL
          LIMIT
            $6
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Scan asset_positions by asset_positions_listed
--     InitPlan 2: Aggregate
--       Limit
--         Index Scan tags by tags_live_pair

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            p.asset_id AS id
          FROM
            asset_positions p
          WHERE
            p.org_id = $1
            AND p.hidden_by IN (0, 2)
            AND p.asset_last_seen < to_timestamp($2::float8 / 1000)
            AND p.listed_at < to_timestamp($3::float8 / 1000)
          LIMIT
            $4
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Scan asset_positions by asset_positions_located_since

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
      FROM
        (
          SELECT
            p.asset_id AS id
          FROM
            asset_positions p
          WHERE
            p.org_id = $1
            AND p.hidden_by IN (0, 2)
            AND p.asset_last_seen < to_timestamp($2::float8 / 1000)
            AND p.listed_at < to_timestamp($3::float8 / 1000)
          UNION ALL
          SELECT
            r.id
          FROM
            assets r
          WHERE
            r.org_id = $4
            AND r.deleted_at IS NULL
            AND NOT EXISTS (
              SELECT
              FROM
                asset_positions p
              WHERE
                p.org_id = $5
                AND p.asset_id = r.id
            )
          LIMIT
            $6
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Append
--           Index Scan asset_positions by asset_positions_located_since
--           Nested Loop
--             Index Only Scan assets by assets_live_key_order
--             Bitmap Heap Scan asset_positions
--               Bitmap Index Scan by asset_positions_listed

-- name: narrowestPart
SELECT
  ARRAY[
    (
      SELECT
        count(*)::int
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
            AND p.asset_last_seen < to_timestamp($3::float8 / 1000)
            AND p.listed_at < to_timestamp($4::float8 / 1000)
          LIMIT
            $5
        ) counted
    )
  ] AS counts;
-- plan:
--   Result
--     InitPlan 1: Aggregate
--       Limit
--         Index Scan asset_positions by asset_positions_location
