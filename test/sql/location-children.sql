WITH RECURSIVE
  walked AS (
    SELECT
      l.id,
      row_number() OVER (
        ORDER BY
          l.name,
          l.id
      ) AS ordinal
    FROM
      locations l
    WHERE
      l.org_id = $1
      AND l.parent_id = $2
      AND l.deleted_at IS NULL
  ),
  page AS MATERIALIZED (
    SELECT
      *
    FROM
      walked
    ORDER BY
      ordinal
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
          walked
      ) AS total_count
    FROM
      locations l
    WHERE
      l.org_id = $5
      AND l.id = $6
      AND l.deleted_at IS NULL
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
    JOIN locations l ON l.id = page.id
    AND l.org_id = $7
  ) ON true
ORDER BY
  page.ordinal;
