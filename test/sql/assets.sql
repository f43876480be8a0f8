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
