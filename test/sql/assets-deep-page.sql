WITH RECURSIVE
  start AS MATERIALIZED (
    SELECT
      c.version,
      CASE
        WHEN c.version = $1 THEN $2::text
        ELSE $3
      END AS external_key,
      CASE
        WHEN c.version = $4 THEN $5::bigint
        ELSE 0
      END AS position
    FROM
      (
        SELECT
          coalesce(sum(changes), 0)::float8 AS version
        FROM
          row_counts
        WHERE
          org_id = $6
          AND kind = $7
      ) c
  ),
  anchor AS MATERIALIZED (
    SELECT
      a.external_key
    FROM
      assets a
    WHERE
      a.org_id = $8
      AND a.deleted_at IS NULL
      AND NOT a.is_expired
      AND a.external_key >= (
        SELECT
          external_key
        FROM
          start
      )
    ORDER BY
      a.external_key ASC
    LIMIT
      1
    OFFSET
      $9::bigint - (
        SELECT
          position
        FROM
          start
      )
  ),
  page AS MATERIALIZED (
    SELECT
      a.id
    FROM
      assets a
    WHERE
      a.org_id = $10
      AND a.deleted_at IS NULL
      AND a.valid_from <= statement_timestamp()
      AND (
        a.valid_to IS NULL
        OR a.valid_to > statement_timestamp()
      )
      AND a.external_key >= (
        SELECT
          external_key
        FROM
          anchor
      )
    ORDER BY
      a.external_key ASC
    LIMIT
      $11
    OFFSET
      (
        (
          SELECT
            count(*)
          FROM
            assets a
          WHERE
            a.org_id = $12
            AND a.deleted_at IS NULL
            AND NOT a.is_expired
            AND a.external_key < (
              SELECT
                external_key
              FROM
                anchor
            )
            AND NOT a.is_expired
            AND a.valid_from > statement_timestamp()
        ) + (
          SELECT
            count(*)
          FROM
            assets a
          WHERE
            a.org_id = $13
            AND a.deleted_at IS NULL
            AND NOT a.is_expired
            AND a.external_key < (
              SELECT
                external_key
              FROM
                anchor
            )
            AND NOT a.is_expired
            AND a.valid_to <= statement_timestamp()
            AND a.valid_from <= statement_timestamp()
        )
      )
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
            org_id = $14
            AND kind = $15
            AND NOT is_expired
            AND NOT is_deleted
        ) - (
          (
            SELECT
              count(*)
            FROM
              assets r
            WHERE
              org_id = $16
              AND deleted_at IS NULL
              AND NOT r.is_expired
              AND r.valid_from > statement_timestamp()
          ) + (
            SELECT
              count(*)
            FROM
              assets r
            WHERE
              org_id = $17
              AND deleted_at IS NULL
              AND NOT r.is_expired
              AND r.valid_to <= statement_timestamp()
              AND r.valid_from <= statement_timestamp()
          )
        )
      ) AS total_count,
      (
        SELECT
          version
        FROM
          start
      ) AS version,
      (
        SELECT
          external_key
        FROM
          anchor
      ) AS anchor_key
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
        r.org_id = $18
        AND r.id = page.id
      OFFSET
        0
    ) a
  ) ON true
ORDER BY
  a.external_key ASC;
