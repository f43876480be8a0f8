-- name: listAuditRows
WITH RECURSIVE
  down AS (
    SELECT
      l.id AS top,
      l.id
    FROM
      locations l
    WHERE
      l.org_id = $1
      AND l.id = $2::int
      AND true
    UNION ALL
    SELECT
      d.top,
      c.id
    FROM
      down d
      JOIN locations c ON c.org_id = $3
      AND c.parent_id = d.id
      AND true
  )
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      audits a
    WHERE
      a.org_id = $4
      AND a.location_id = ANY (
        ARRAY(
          SELECT
            d.id
          FROM
            down d
        )
      )
  ) total
  LEFT JOIN (
    SELECT
      u.id,
      json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL) AS location,
      round(date_part('epoch', u.started_at) * 1000) AS started_at,
      round(date_part('epoch', u.saved_at) * 1000) AS saved_at,
      p.name AS saved_by,
      u.found,
      u.missing,
      u.unexpected,
      u.unassigned
    FROM
      (
        SELECT
          a.*
        FROM
          audits a
        WHERE
          a.org_id = $5
          AND a.location_id = ANY (
            ARRAY(
              SELECT
                d.id
              FROM
                down d
            )
          )
        ORDER BY
          a.saved_at DESC,
          a.id DESC
        LIMIT
          $6
        OFFSET
          $7
      ) u
      JOIN locations l ON l.org_id = $8
      AND l.id = u.location_id
      LEFT JOIN users p ON p.id = u.saved_by
  ) page ON true
ORDER BY
  page.saved_at DESC,
  page.id DESC;
-- plan:
--   Sort
--     CTE down: Recursive Union
--       Index Only Scan locations by locations_org_id_id_key
--       Hash Join
--         WorkTable Scan down
--         Hash
--           Bitmap Heap Scan locations
--             Bitmap Index Scan by locations_valid_from
--     Nested Loop
--       Aggregate
--         InitPlan 2: CTE Scan down
--         Index Only Scan audits by audits_location
--       Nested Loop
--         Nested Loop
--           Limit
--             InitPlan 3: CTE Scan down
--             Sort
--               Index Scan audits by audits_location
--           Bitmap Heap Scan locations
--             Bitmap Index Scan by locations_valid_from
--         Index Scan users by users_pkey

-- name: listAuditRows
WITH RECURSIVE
  down AS (
    SELECT
      l.id AS top,
      l.id
    FROM
      locations l
    WHERE
      l.org_id = $1
      AND l.id = $2::int
      AND true
    UNION ALL
    SELECT
      d.top,
      c.id
    FROM
      down d
      JOIN locations c ON c.org_id = $3
      AND c.parent_id = d.id
      AND true
  )
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      audits a
    WHERE
      a.org_id = $4
      AND a.saved_at < to_timestamp($5::float8 / 1000)
  ) total
  LEFT JOIN (
    SELECT
      u.id,
      json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL) AS location,
      round(date_part('epoch', u.started_at) * 1000) AS started_at,
      round(date_part('epoch', u.saved_at) * 1000) AS saved_at,
      p.name AS saved_by,
      u.found,
      u.missing,
      u.unexpected,
      u.unassigned
    FROM
      (
        SELECT
          a.*
        FROM
          audits a
        WHERE
          a.org_id = $6
          AND a.saved_at < to_timestamp($7::float8 / 1000)
        ORDER BY
          a.saved_at DESC,
          a.id DESC
        LIMIT
          $8
        OFFSET
          $9
      ) u
      JOIN locations l ON l.org_id = $10
      AND l.id = u.location_id
      LEFT JOIN users p ON p.id = u.saved_by
  ) page ON true
ORDER BY
  page.saved_at DESC,
  page.id DESC;
-- plan:
--   Sort
--     Nested Loop
--       Aggregate
--         Index Only Scan audits by audits_saved_at
--       Nested Loop
--         Index Scan locations by locations_org_id_id_key
--         Materialize
--           Nested Loop
--             Limit
--               Index Scan audits by audits_saved_at
--             Index Scan users by users_pkey

-- name: listAuditRows
WITH RECURSIVE
  down AS (
    SELECT
      l.id AS top,
      l.id
    FROM
      locations l
    WHERE
      l.org_id = $1
      AND l.id = $2::int
      AND true
    UNION ALL
    SELECT
      d.top,
      c.id
    FROM
      down d
      JOIN locations c ON c.org_id = $3
      AND c.parent_id = d.id
      AND true
  )
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      audits a
    WHERE
      a.org_id = $4
      AND a.saved_at >= to_timestamp($5::float8 / 1000)
  ) total
  LEFT JOIN (
    SELECT
      u.id,
      json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL) AS location,
      round(date_part('epoch', u.started_at) * 1000) AS started_at,
      round(date_part('epoch', u.saved_at) * 1000) AS saved_at,
      p.name AS saved_by,
      u.found,
      u.missing,
      u.unexpected,
      u.unassigned
    FROM
      (
        SELECT
          a.*
        FROM
          audits a
        WHERE
          a.org_id = $6
          AND a.saved_at >= to_timestamp($7::float8 / 1000)
        ORDER BY
          a.saved_at DESC,
          a.id DESC
        LIMIT
          $8
        OFFSET
          $9
      ) u
      JOIN locations l ON l.org_id = $10
      AND l.id = u.location_id
      LEFT JOIN users p ON p.id = u.saved_by
  ) page ON true
ORDER BY
  page.saved_at DESC,
  page.id DESC;
-- plan:
--   Sort
--     Nested Loop
--       Aggregate
--         Index Only Scan audits by audits_saved_at
--       Nested Loop
--         Index Scan locations by locations_org_id_id_key
--         Materialize
--           Nested Loop
--             Limit
--               Index Scan audits by audits_saved_at
--             Index Scan users by users_pkey

-- name: listAuditRows
WITH RECURSIVE
  down AS (
    SELECT
      l.id AS top,
      l.id
    FROM
      locations l
    WHERE
      l.org_id = $1
      AND l.id = $2::int
      AND true
    UNION ALL
    SELECT
      d.top,
      c.id
    FROM
      down d
      JOIN locations c ON c.org_id = $3
      AND c.parent_id = d.id
      AND true
  )
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      audits a
    WHERE
      a.org_id = $4
  ) total
  LEFT JOIN (
    SELECT
      u.id,
      json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL) AS location,
      round(date_part('epoch', u.started_at) * 1000) AS started_at,
      round(date_part('epoch', u.saved_at) * 1000) AS saved_at,
      p.name AS saved_by,
      u.found,
      u.missing,
      u.unexpected,
      u.unassigned
    FROM
      (
        SELECT
          a.*
        FROM
          audits a
        WHERE
          a.org_id = $5
        ORDER BY
          a.saved_at DESC,
          a.id DESC
        LIMIT
          $6
        OFFSET
          $7
      ) u
      JOIN locations l ON l.org_id = $8
      AND l.id = u.location_id
      LEFT JOIN users p ON p.id = u.saved_by
  ) page ON true
ORDER BY
  page.saved_at DESC,
  page.id DESC;
-- plan:
--   Sort
--     Nested Loop
--       Aggregate
--         Bitmap Heap Scan audits
--           Bitmap Index Scan by audits_saved_at
--       Nested Loop
--         Nested Loop
--           Limit
--             Index Scan audits by audits_saved_at
--           Bitmap Heap Scan locations
--             Bitmap Index Scan by locations_valid_from
--         Index Scan users by users_pkey

-- name: listAuditRows
WITH RECURSIVE
  down AS (
    SELECT
      l.id AS top,
      l.id
    FROM
      locations l
    WHERE
      l.org_id = $1
      AND l.id = $2::int
      AND true
  )
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      audits a
    WHERE
      a.org_id = $3
      AND a.location_id = ANY (
        ARRAY(
          SELECT
            d.id
          FROM
            down d
        )
      )
  ) total
  LEFT JOIN (
    SELECT
      u.id,
      json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL) AS location,
      round(date_part('epoch', u.started_at) * 1000) AS started_at,
      round(date_part('epoch', u.saved_at) * 1000) AS saved_at,
      p.name AS saved_by,
      u.found,
      u.missing,
      u.unexpected,
      u.unassigned
    FROM
      (
        SELECT
          a.*
        FROM
          audits a
        WHERE
          a.org_id = $4
          AND a.location_id = ANY (
            ARRAY(
              SELECT
                d.id
              FROM
                down d
            )
          )
        ORDER BY
          a.saved_at DESC,
          a.id DESC
        LIMIT
          $5
        OFFSET
          $6
      ) u
      JOIN locations l ON l.org_id = $7
      AND l.id = u.location_id
      LEFT JOIN users p ON p.id = u.saved_by
  ) page ON true
ORDER BY
  page.saved_at DESC,
  page.id DESC;
-- plan:
--   Sort
--     CTE down: Index Only Scan locations by locations_org_id_id_key
--     Nested Loop
--       Aggregate
--         InitPlan 2: CTE Scan down
--         Index Only Scan audits by audits_location
--       Nested Loop
--         Nested Loop
--           Limit
--             InitPlan 3: CTE Scan down
--             Sort
--               Index Scan audits by audits_location
--           Bitmap Heap Scan locations
--             Bitmap Index Scan by locations_valid_from
--         Index Scan users by users_pkey

-- name: findAudit
SELECT
  u.id,
  json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL) AS location,
  round(date_part('epoch', u.started_at) * 1000) AS started_at,
  round(date_part('epoch', u.saved_at) * 1000) AS saved_at,
  p.name AS saved_by,
  u.found,
  u.missing,
  u.unexpected,
  u.unassigned
FROM
  audits u
  JOIN locations l ON l.org_id = $1
  AND l.id = u.location_id
  LEFT JOIN users p ON p.id = u.saved_by
WHERE
  u.org_id = $2
  AND u.id = $3;
-- plan:
--   Nested Loop
--     Nested Loop
--       Index Scan audits by audits_pkey
--       Bitmap Heap Scan locations
--         Bitmap Index Scan by locations_valid_from
--     Index Scan users by users_pkey

-- name: listItemRows
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      audit_items i
    WHERE
      i.org_id = $1
      AND i.audit_id = $2
  ) total
  LEFT JOIN (
    SELECT
      i.position AS id,
      i.outcome,
      CASE
        WHEN i.asset_id IS NOT NULL THEN json_build_object('id', i.asset_id, 'external_key', coalesce(i.external_key, ''))
      END AS asset,
      i.name,
      CASE
        WHEN i.last_location_id IS NOT NULL THEN json_build_object('id', i.last_location_id, 'name', coalesce(i.last_location_name, ''))
      END AS last_location,
      round(date_part('epoch', i.last_seen_at) * 1000) AS last_seen_at
    FROM
      audit_items i
    WHERE
      i.org_id = $3
      AND i.audit_id = $4
    ORDER BY
      i.position
    LIMIT
      $5
    OFFSET
      $6
  ) page ON true
ORDER BY
  page.id;
-- plan:
--   Sort
--     Nested Loop
--       Aggregate
--         Index Only Scan audit_items by audit_items_pkey
--       Limit
--         Index Scan audit_items by audit_items_pkey

-- name: listItemRows
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      audit_items i
    WHERE
      i.org_id = $1
      AND i.audit_id = $2
      AND i.outcome = $3
  ) total
  LEFT JOIN (
    SELECT
      i.position AS id,
      i.outcome,
      CASE
        WHEN i.asset_id IS NOT NULL THEN json_build_object('id', i.asset_id, 'external_key', coalesce(i.external_key, ''))
      END AS asset,
      i.name,
      CASE
        WHEN i.last_location_id IS NOT NULL THEN json_build_object('id', i.last_location_id, 'name', coalesce(i.last_location_name, ''))
      END AS last_location,
      round(date_part('epoch', i.last_seen_at) * 1000) AS last_seen_at
    FROM
      audit_items i
    WHERE
      i.org_id = $4
      AND i.audit_id = $5
      AND i.outcome = $6
    ORDER BY
      i.position
    LIMIT
      $7
    OFFSET
      $8
  ) page ON true
ORDER BY
  page.id;
-- plan:
--   Sort
--     Nested Loop
--       Aggregate
--         Index Scan audit_items by audit_items_pkey
--       Limit
--         Index Scan audit_items by audit_items_pkey

-- name: listDifferenceRows
WITH
  difference AS MATERIALIZED (
    SELECT
      coalesce(n.asset_id, e.asset_id) AS asset_id,
      coalesce(n.name, e.name) AS name,
      coalesce(n.external_key, e.external_key) AS external_key,
      e.outcome AS before,
      n.outcome AS after
    FROM
      (
        SELECT
          i.asset_id,
          i.name,
          i.external_key,
          i.outcome,
          coalesce('a' || i.asset_id, 'v' || i.name) AS key
        FROM
          audit_items i
        WHERE
          i.org_id = $1
          AND i.audit_id = $2
      ) e
      FULL JOIN (
        SELECT
          i.asset_id,
          i.name,
          i.external_key,
          i.outcome,
          coalesce('a' || i.asset_id, 'v' || i.name) AS key
        FROM
          audit_items i
        WHERE
          i.org_id = $3
          AND i.audit_id = $4
      ) n ON n.key = e.key
    WHERE
      e.outcome IS DISTINCT FROM n.outcome
  )
SELECT
  total.n AS total_count,
  page.*
FROM
  (
    SELECT
      count(*)::float8 AS n
    FROM
      difference
  ) total
  LEFT JOIN (
    SELECT
      (
        row_number() OVER (
          ORDER BY
            d.name COLLATE natural_order,
            d.asset_id
        )
      )::int AS id,
      CASE
        WHEN d.asset_id IS NOT NULL THEN json_build_object('id', d.asset_id, 'external_key', coalesce(d.external_key, ''))
      END AS asset,
      d.name,
      d.before,
      d.after
    FROM
      difference d
    ORDER BY
      d.name COLLATE natural_order,
      d.asset_id
    LIMIT
      $5
    OFFSET
      $6
  ) page ON true
ORDER BY
  page.id;
-- plan:
--   Sort
--     CTE difference: Hash Join
--       Index Scan audit_items by audit_items_pkey
--       Hash
--         Index Scan audit_items by audit_items_pkey
--     Nested Loop
--       Aggregate
--         CTE Scan difference
--       Limit
--         WindowAgg
--           Sort
--             CTE Scan difference
