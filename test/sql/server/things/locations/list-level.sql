-- name: listLevelRows
WITH RECURSIVE
  page AS MATERIALIZED (
    SELECT
      r.id,
      row_number() OVER (
        ORDER BY
          r.name COLLATE natural_order,
          r.id
      ) AS ordinal
    FROM
      locations r
    WHERE
      r.org_id = $1
      AND r.parent_id = $2
      AND r.deleted_at IS NULL
    ORDER BY
      ordinal
    LIMIT
      $3
    OFFSET
      $4
  ),
  down AS (
    SELECT
      l.id AS top,
      l.id
    FROM
      page l
    UNION ALL
    SELECT
      d.top,
      c.id
    FROM
      down d
      JOIN locations c ON c.org_id = $5
      AND c.parent_id = d.id
      AND c.deleted_at IS NULL
  ),
  counted AS (
    SELECT
      c.top,
      sum(c.n) FILTER (
        WHERE
          c.id = c.top
      )::float8 AS here,
      sum(c.n)::float8 AS below
    FROM
      (
        SELECT
          d.top,
          d.id,
          (
            SELECT
              count(*)
            FROM
              asset_positions p
            WHERE
              p.org_id = $6
              AND p.location_id = d.id
              AND p.hidden_by IN (0, 2)
          ) AS n
        FROM
          down d
      ) c
    GROUP BY
      c.top
  )
SELECT
  total.n AS total_count,
  l.id,
  l.external_key,
  l.name,
  l.parent_id,
  l.is_active,
  l.updated_at,
  l.children_count,
  l.assets_here,
  l.assets_below
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      locations r
    WHERE
      r.org_id = $7
      AND r.parent_id = $8
      AND r.deleted_at IS NULL
  ) total
  LEFT JOIN (
    SELECT
      s.id,
      s.external_key,
      s.name,
      s.parent_id,
      s.is_active,
      round(date_part('epoch', s.updated_at) * 1000) AS updated_at,
      (
        SELECT
          count(*)::float8
        FROM
          locations c
        WHERE
          c.org_id = $9
          AND c.parent_id = s.id
          AND c.deleted_at IS NULL
      ) AS children_count,
      counted.here AS assets_here,
      counted.below AS assets_below,
      page.ordinal
    FROM
      page
      JOIN locations s ON s.org_id = $10
      AND s.id = page.id
      JOIN counted ON counted.top = page.id
  ) l ON true
ORDER BY
  l.ordinal;
-- plan:
--   Sort
--     CTE page: Limit
--       Sort
--         WindowAgg
--           Sort
--             Index Scan locations by locations_live_parent
--     CTE down: Recursive Union
--       CTE Scan page
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Nested Loop
--       Aggregate
--         Index Only Scan locations by locations_live_parent
--       Nested Loop
--         Nested Loop
--           Aggregate
--             Sort
--               CTE Scan down
--             SubPlan 4: Aggregate
--               Index Only Scan asset_positions by asset_positions_location
--             SubPlan 5: Aggregate
--               Index Only Scan asset_positions by asset_positions_location
--           CTE Scan page
--         Index Scan locations by locations_org_id_id_key
--           SubPlan 3: Aggregate
--             Index Only Scan locations by locations_live_parent

-- name: listLevelRows
WITH RECURSIVE
  page AS MATERIALIZED (
    SELECT
      r.id,
      row_number() OVER (
        ORDER BY
          r.name COLLATE natural_order,
          r.id
      ) AS ordinal
    FROM
      locations r
    WHERE
      r.org_id = $1
      AND r.parent_id IS NULL
      AND r.deleted_at IS NULL
    ORDER BY
      ordinal
    LIMIT
      $2
    OFFSET
      $3
  ),
  down AS (
    SELECT
      l.id AS top,
      l.id
    FROM
      page l
    UNION ALL
    SELECT
      d.top,
      c.id
    FROM
      down d
      JOIN locations c ON c.org_id = $4
      AND c.parent_id = d.id
      AND c.deleted_at IS NULL
  ),
  counted AS (
    SELECT
      c.top,
      sum(c.n) FILTER (
        WHERE
          c.id = c.top
      )::float8 AS here,
      sum(c.n)::float8 AS below
    FROM
      (
        SELECT
          d.top,
          d.id,
          (
            SELECT
              count(*)
            FROM
              asset_positions p
            WHERE
              p.org_id = $5
              AND p.location_id = d.id
              AND p.hidden_by IN (0, 2)
          ) AS n
        FROM
          down d
      ) c
    GROUP BY
      c.top
  )
SELECT
  total.n AS total_count,
  l.id,
  l.external_key,
  l.name,
  l.parent_id,
  l.is_active,
  l.updated_at,
  l.children_count,
  l.assets_here,
  l.assets_below
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      locations r
    WHERE
      r.org_id = $6
      AND r.parent_id IS NULL
      AND r.deleted_at IS NULL
  ) total
  LEFT JOIN (
    SELECT
      s.id,
      s.external_key,
      s.name,
      s.parent_id,
      s.is_active,
      round(date_part('epoch', s.updated_at) * 1000) AS updated_at,
      (
        SELECT
          count(*)::float8
        FROM
          locations c
        WHERE
          c.org_id = $7
          AND c.parent_id = s.id
          AND c.deleted_at IS NULL
      ) AS children_count,
      counted.here AS assets_here,
      counted.below AS assets_below,
      page.ordinal
    FROM
      page
      JOIN locations s ON s.org_id = $8
      AND s.id = page.id
      JOIN counted ON counted.top = page.id
  ) l ON true
ORDER BY
  l.ordinal;
-- plan:
--   Sort
--     CTE page: Limit
--       Sort
--         WindowAgg
--           Sort
--             Index Scan locations by locations_live_name
--     CTE down: Recursive Union
--       CTE Scan page
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Index Only Scan locations by locations_live_parent
--     Nested Loop
--       Aggregate
--         Index Scan locations by locations_live_name
--       Nested Loop
--         Nested Loop
--           Aggregate
--             Sort
--               CTE Scan down
--             SubPlan 4: Aggregate
--               Index Only Scan asset_positions by asset_positions_location
--             SubPlan 5: Aggregate
--               Index Only Scan asset_positions by asset_positions_location
--           CTE Scan page
--         Index Scan locations by locations_org_id_id_key
--           SubPlan 3: Aggregate
--             Index Only Scan locations by locations_live_parent
