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
      AND l.deleted_at IS NULL
    UNION ALL
    SELECT
      d.top,
      c.id
    FROM
      down d
      JOIN locations c ON c.org_id = $3
      AND c.parent_id = d.id
      AND c.deleted_at IS NULL
  )
SELECT
  id
FROM
  down;

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
