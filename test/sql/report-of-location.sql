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
