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
