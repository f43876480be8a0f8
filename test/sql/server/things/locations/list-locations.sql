-- name: listLocations, as in locations
WITH RECURSIVE
  page AS MATERIALIZED (
    SELECT
      l.id
    FROM
      locations l
    WHERE
      l.org_id = $1
      AND l.deleted_at IS NULL
      AND l.valid_from <= statement_timestamp()
      AND (
        l.valid_to IS NULL
        OR l.valid_to > statement_timestamp()
      )
    ORDER BY
      l.external_key ASC
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
              locations r
            WHERE
              org_id = $6
              AND deleted_at IS NULL
              AND NOT r.is_expired
              AND r.valid_from > statement_timestamp()
          ) + (
            SELECT
              count(*)
            FROM
              locations r
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
  l.id,
  l.external_key,
  l.name,
  l.description,
  l.parent_id,
  l.is_active,
  round(date_part('epoch', l.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', l.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', l.created_at) * 1000) AS created_at,
  round(date_part('epoch', l.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', l.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      parent.external_key
    FROM
      locations parent
    WHERE
      parent.org_id = l.org_id
      AND parent.id = l.parent_id
  ) AS parent_external_key,
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
      t.org_id = l.org_id
      AND t.location_id = l.id
  ) AS tags
FROM
  counts
  LEFT JOIN (
    page
    CROSS JOIN LATERAL (
      SELECT
        *
      FROM
        locations r
      WHERE
        r.org_id = $8
        AND r.id = page.id
      OFFSET
        0
    ) l
  ) ON true
ORDER BY
  l.external_key ASC;
-- plan:
--   Sort
--     CTE page: Limit
--       Index Only Scan locations by locations_live_external_key
--     InitPlan 2: Aggregate
--       Index Scan row_counts by row_counts_pkey
--     InitPlan 3: Aggregate
--       Index Scan locations by locations_live_parent
--     InitPlan 4: Aggregate
--       Index Scan locations by locations_live_parent
--     Nested Loop
--       Result
--       Nested Loop
--         CTE Scan page
--         Index Scan locations by locations_org_id_id_key
--       SubPlan 5: Index Scan locations by locations_org_id_id_key
--       SubPlan 6: Aggregate
--         Sort
--           Index Scan tags by tags_location
