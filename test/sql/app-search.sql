SELECT
  c.text
FROM
  (
    (
      SELECT
        search_text (r.name, r.external_key, r.description) AS text
      FROM
        assets r
      WHERE
        r.org_id = $1
        AND r.deleted_at IS NULL
        AND search_grams (r.org_id, search_text (r.name, r.external_key, r.description)) @@ (
          SELECT
            search_query ($2::int, fold_case ($3)) || search_query ($4::int, fold_case ($5)) || search_query ($6::int, fold_case ($7)) || search_query ($8::int, fold_case ($9))
        )
      LIMIT
        $10
    )
    UNION ALL
    (
      SELECT
        search_text (r.name, r.external_key, r.description) AS text
      FROM
        locations r
      WHERE
        r.org_id = $11
        AND r.deleted_at IS NULL
        AND search_grams (r.org_id, search_text (r.name, r.external_key, r.description)) @@ (
          SELECT
            search_query ($12::int, fold_case ($13)) || search_query ($14::int, fold_case ($15)) || search_query ($16::int, fold_case ($17)) || search_query ($18::int, fold_case ($19))
        )
      LIMIT
        $20
    )
    UNION ALL
    SELECT
      fold_case (k.name)
    FROM
      asset_kinds k
    WHERE
      k.org_id = $21
  ) c
WHERE
  c.text ~ fold_case ($22)
ORDER BY
  strpos(c.text, fold_case ($23)) = 0
LIMIT
  $24;

SELECT
  r.id,
  r.name,
  NULL::text AS mqtt_username
FROM
  readers r
WHERE
  r.org_id = $1
  AND r.deleted_at IS NULL
  AND (
    (
      SELECT
        bool_and(strpos(fold_case (r.name), fold_case (w.word)) > 0)
      FROM
        unnest($2::text[]) AS w (word)
    )
    OR strpos(fold_case (NULL::text), fold_case ($3)) > 0
  )
ORDER BY
  NOT starts_with(fold_case (r.name), fold_case ($4)),
  r.name COLLATE natural_order,
  r.id
LIMIT
  $5;

SELECT
  w.at,
  array_agg(DISTINCT k.id) AS ids
FROM
  unnest($1::int[], $2::text[]) AS w (at, text)
  JOIN asset_kinds k ON k.org_id = $3
  AND strpos(fold_case (k.name), fold_case (w.text)) > 0
WHERE
  char_length(w.text) >= 3
GROUP BY
  w.at;

SELECT DISTINCT
  ON (p.asset_id) p.asset_id,
  p.image_id
FROM
  asset_photos p
WHERE
  p.org_id = $1
  AND p.asset_id = ANY ($2::int[])
ORDER BY
  p.asset_id,
  p.added_at,
  p.image_id;

WITH
  beginning AS MATERIALIZED (
    SELECT
      b.id,
      min(b.rank) AS rank
    FROM
      (
        SELECT
          r.id,
          0 AS rank
        FROM
          assets r
        WHERE
          r.org_id = $1
          AND r.deleted_at IS NULL
          AND r.external_key = ANY ($2::text[])
        UNION ALL
        SELECT
          k.id,
          1
        FROM
          unnest($3::text[]) AS form (text)
          CROSS JOIN LATERAL (
            SELECT
              r.id
            FROM
              assets r
            WHERE
              r.org_id = $4
              AND r.deleted_at IS NULL
              AND (
                r.external_key >= form.text
                AND r.external_key < form.text || $5
              )
            ORDER BY
              r.external_key
            LIMIT
              $6
          ) k
        UNION ALL
        SELECT
          n.id,
          2
        FROM
          unnest($7::text[]) AS form (text)
          CROSS JOIN LATERAL (
            SELECT
              r.id
            FROM
              assets r
            WHERE
              r.org_id = $8
              AND r.deleted_at IS NULL
              AND (
                r.name >= form.text
                AND r.name < form.text || $9
              )
            ORDER BY
              r.name,
              r.id
            LIMIT
              $10
          ) n
      ) b
    GROUP BY
      b.id
    ORDER BY
      2,
      1
    LIMIT
      $11
  ),
  contained AS MATERIALIZED (
    SELECT
      r.id
    FROM
      assets r
    WHERE
      r.org_id = $12
      AND r.deleted_at IS NULL
      AND search_grams (r.org_id, search_text (r.name, r.external_key, r.description)) @@ (
        SELECT
          search_query ($13::int, fold_case ($14))
      )
      AND (
        (
          SELECT
            char_length(fold_case ($15)) <= $16::int
        )
        OR search_text (r.name, r.external_key, r.description) LIKE (
          SELECT
            fold_case ($17)
        )
      )
      AND r.id NOT IN (
        SELECT
          id
        FROM
          beginning
      )
    LIMIT
      $18::bigint - (
        SELECT
          count(*)
        FROM
          beginning
      )
  )
SELECT
  a.id
FROM
  (
    SELECT
      id,
      rank
    FROM
      beginning
    UNION ALL
    SELECT
      id,
      3
    FROM
      contained
  ) f
  JOIN assets a ON a.org_id = $19
  AND a.id = f.id
WHERE
  f.rank = 0
  OR NOT $20
ORDER BY
  f.rank,
  a.name COLLATE natural_order,
  a.external_key
LIMIT
  $21;

WITH
  beginning AS MATERIALIZED (
    SELECT
      b.id,
      min(b.rank) AS rank
    FROM
      (
        SELECT
          t.id,
          0 AS rank
        FROM
          tags t
        WHERE
          t.org_id = $1
          AND t.deleted_at IS NULL
          AND tag_normal_form (t.tag_type, t.value) = ANY ($2::text[])
        UNION ALL
        SELECT
          e.id,
          0
        FROM
          unnest($3::text[], $4::text[]) AS epc (first, last)
          CROSS JOIN LATERAL (
            SELECT
              t.id
            FROM
              tags t
            WHERE
              t.org_id = $5
              AND t.deleted_at IS NULL
              AND t.tag_type = 'rfid'
              AND tag_normal_form (t.tag_type, t.value) BETWEEN epc.first AND epc.last
              AND length(t.value) >= 24
            LIMIT
              $6
          ) e
        UNION ALL
        SELECT
          v.id,
          1
        FROM
          unnest($7::text[]) AS form (text)
          CROSS JOIN unnest('{rfid,ble,barcode}'::text[]) AS type (name)
          CROSS JOIN LATERAL (
            SELECT
              t.id
            FROM
              tags t
            WHERE
              t.org_id = $8
              AND t.deleted_at IS NULL
              AND t.tag_type = type.name
              AND (
                t.value >= form.text
                AND t.value < form.text || $9
              )
            ORDER BY
              t.value
            LIMIT
              $10
          ) v
      ) b
    GROUP BY
      b.id
    ORDER BY
      2,
      1
    LIMIT
      $11
  ),
  contained AS MATERIALIZED (
    SELECT
      r.id
    FROM
      tags r
    WHERE
      r.org_id = $12
      AND r.deleted_at IS NULL
      AND search_grams (r.org_id, fold_case (r.value)) @@ (
        SELECT
          search_query ($13::int, fold_case ($14))
      )
      AND (
        (
          SELECT
            char_length(fold_case ($15)) <= $16::int
        )
        OR fold_case (r.value) LIKE (
          SELECT
            fold_case ($17)
        )
      )
      AND r.id NOT IN (
        SELECT
          id
        FROM
          beginning
      )
    LIMIT
      $18::bigint - (
        SELECT
          count(*)
        FROM
          beginning
      )
  )
SELECT
  t.id,
  t.tag_type,
  t.value,
  CASE
    WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'external_key', a.external_key, 'name', a.name)
  END AS asset,
  CASE
    WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'external_key', l.external_key, 'name', l.name)
  END AS location
FROM
  (
    SELECT
      id,
      rank
    FROM
      beginning
    UNION ALL
    SELECT
      id,
      2
    FROM
      contained
  ) f
  JOIN tags t ON t.id = f.id
  LEFT JOIN assets a ON a.org_id = $19
  AND a.id = t.asset_id
  LEFT JOIN locations l ON l.org_id = $20
  AND l.id = t.location_id
ORDER BY
  f.rank,
  t.value,
  t.id
LIMIT
  $21;

WITH RECURSIVE
  beginning AS MATERIALIZED (
    SELECT
      b.id,
      min(b.rank) AS rank
    FROM
      (
        SELECT
          r.id,
          0 AS rank
        FROM
          locations r
        WHERE
          r.org_id = $1
          AND r.deleted_at IS NULL
          AND r.external_key = ANY ($2::text[])
        UNION ALL
        SELECT
          k.id,
          1
        FROM
          unnest($3::text[]) AS form (text)
          CROSS JOIN LATERAL (
            SELECT
              r.id
            FROM
              locations r
            WHERE
              r.org_id = $4
              AND r.deleted_at IS NULL
              AND (
                r.external_key >= form.text
                AND r.external_key < form.text || $5
              )
            ORDER BY
              r.external_key
            LIMIT
              $6
          ) k
        UNION ALL
        SELECT
          n.id,
          2
        FROM
          unnest($7::text[]) AS form (text)
          CROSS JOIN LATERAL (
            SELECT
              r.id
            FROM
              locations r
            WHERE
              r.org_id = $8
              AND r.deleted_at IS NULL
              AND (
                r.name >= form.text
                AND r.name < form.text || $9
              )
            ORDER BY
              r.name,
              r.id
            LIMIT
              $10
          ) n
      ) b
    GROUP BY
      b.id
    ORDER BY
      2,
      1
    LIMIT
      $11
  ),
  contained AS MATERIALIZED (
    SELECT
      r.id
    FROM
      locations r
    WHERE
      r.org_id = $12
      AND r.deleted_at IS NULL
      AND search_grams (r.org_id, search_text (r.name, r.external_key, r.description)) @@ (
        SELECT
          search_query ($13::int, fold_case ($14))
      )
      AND (
        (
          SELECT
            char_length(fold_case ($15)) <= $16::int
        )
        OR search_text (r.name, r.external_key, r.description) LIKE (
          SELECT
            fold_case ($17)
        )
      )
      AND r.id NOT IN (
        SELECT
          id
        FROM
          beginning
      )
    LIMIT
      $18::bigint - (
        SELECT
          count(*)
        FROM
          beginning
      )
  ),
  named AS (
    SELECT
      id
    FROM
      beginning
    WHERE
      false
  ),
  up AS (
    SELECT
      l.id AS start_id,
      0 AS distance,
      l.id,
      l.parent_id,
      l.name
    FROM
      (
        SELECT
          id
        FROM
          beginning
        UNION
        SELECT
          id
        FROM
          contained
        UNION
        SELECT
          id
        FROM
          named
      ) f
      JOIN locations l ON l.org_id = $19
      AND l.id = f.id
    UNION ALL
    SELECT
      up.start_id,
      up.distance + 1,
      p.id,
      p.parent_id,
      p.name
    FROM
      up
      JOIN locations p ON p.org_id = $20
      AND p.id = up.parent_id
      AND p.deleted_at IS NULL
  ),
  paths AS (
    SELECT
      start_id AS start,
      coalesce(
        array_agg(
          name
          ORDER BY
            distance DESC
        ) FILTER (
          WHERE
            distance > 0
        ),
        '{}'
      ) AS path
    FROM
      up
    GROUP BY
      start_id
  )
SELECT
  l.id,
  l.external_key,
  l.name,
  l.is_active,
  paths.path
FROM
  paths
  JOIN locations l ON l.org_id = $21
  AND l.id = paths.start
  LEFT JOIN beginning b ON b.id = l.id
WHERE
  b.id IS NOT NULL
  OR l.id IN (
    SELECT
      id
    FROM
      contained
  )
  OR (false)
ORDER BY
  coalesce(b.rank, 3),
  cardinality(paths.path),
  l.name COLLATE natural_order,
  l.external_key
LIMIT
  $22;

WITH RECURSIVE
  candidate AS MATERIALIZED (
    (
      SELECT
        s.id
      FROM
        assets s
      WHERE
        s.org_id = $1
        AND s.deleted_at IS NULL
        AND search_grams (s.org_id, search_text (s.name, s.external_key, s.description)) @@ (
          SELECT
            search_query ($2::int, fold_case ($3))
        )
        AND (
          (
            SELECT
              char_length(fold_case ($4)) <= $5::int
          )
          OR search_text (s.name, s.external_key, s.description) LIKE (
            SELECT
              fold_case ($6)
          )
        )
      LIMIT
        $7
    )
    UNION
    (
      SELECT
        t.asset_id AS id
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
      LIMIT
        $14
    )
  ),
  matched AS MATERIALIZED (
    SELECT
      a.id,
      a.external_key,
      a.name,
      a.kind_id,
      a.created_at,
      a.updated_at
    FROM
      candidate c
      CROSS JOIN LATERAL (
        SELECT
          *
        FROM
          assets r
        WHERE
          r.org_id = $15
          AND r.id = c.id
        OFFSET
          0
      ) a
    WHERE
      a.org_id = $16
      AND a.deleted_at IS NULL
    LIMIT
      $17
  ),
  page AS MATERIALIZED (
    SELECT
      a.id
    FROM
      matched a
    ORDER BY
      a.name COLLATE natural_order ASC,
      a.id
    LIMIT
      $18
    OFFSET
      $19
  ),
  counts AS (
    SELECT
      (
        SELECT
          count(*)::float8
        FROM
          matched
      ) AS total_count,
      (
        SELECT
          count(*)::int
        FROM
          candidate
      ) AS found
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

WITH RECURSIVE
  named AS MATERIALIZED (
    SELECT
      l.id,
      l.parent_id,
      l.name
    FROM
      floor_plans p
      CROSS JOIN LATERAL (
        SELECT
          r.id,
          r.parent_id,
          r.name,
          r.external_key
        FROM
          locations r
        WHERE
          r.org_id = $1
          AND r.id = p.location_id
          AND r.deleted_at IS NULL
        LIMIT
          1
      ) l
    WHERE
      p.org_id = $2
      AND EXISTS (
        SELECT
        FROM
          unnest($3::text[]) AS w (word)
        WHERE
          strpos(fold_case (l.name || ' ' || l.external_key), fold_case (w.word)) > 0
      )
    ORDER BY
      NOT starts_with(fold_case (l.name), fold_case ($4)),
      l.name COLLATE natural_order,
      l.id
    LIMIT
      $5
  ),
  up AS (
    SELECT
      l.id AS start_id,
      0 AS distance,
      l.id,
      l.parent_id,
      l.name
    FROM
      named l
    UNION ALL
    SELECT
      up.start_id,
      up.distance + 1,
      p.id,
      p.parent_id,
      p.name
    FROM
      up
      JOIN locations p ON p.org_id = $6
      AND p.id = up.parent_id
      AND p.deleted_at IS NULL
  ),
  paths AS (
    SELECT
      start_id AS start,
      coalesce(
        array_agg(
          name
          ORDER BY
            distance DESC
        ) FILTER (
          WHERE
            distance > 0
        ),
        '{}'
      ) AS path
    FROM
      up
    GROUP BY
      start_id
  )
SELECT
  l.id,
  l.external_key,
  l.name,
  paths.path
FROM
  paths
  JOIN locations l ON l.org_id = $7
  AND l.id = paths.start
WHERE
  NOT EXISTS (
    SELECT
    FROM
      unnest($8::text[]) AS w (word)
    WHERE
      strpos(fold_case (array_to_string(paths.path || l.name || l.external_key, ' ')), fold_case (w.word)) = 0
  )
ORDER BY
  NOT starts_with(fold_case (l.name), fold_case ($9)),
  cardinality(paths.path),
  l.name COLLATE natural_order,
  l.external_key
LIMIT
  $10;
