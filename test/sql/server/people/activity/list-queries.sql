-- name: findEntries
SELECT
  e.id::text AS id,
  round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at,
  e.kind,
  e.object_id,
  e.object_name,
  e.action,
  e.entry_point,
  e.actor,
  e.before,
  e.after,
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (
      SELECT
        u.name
      FROM
        users u
      WHERE
        u.id = split_part(e.actor, ':', 2)::int
    )
    WHEN 'key' THEN (
      SELECT
        k.name
      FROM
        api_keys k
      WHERE
        k.org_id = $1
        AND k.id = split_part(e.actor, ':', 2)::uuid
    )
  END AS actor_name
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          *
        FROM
          activity_log
        WHERE
          org_id = $2
        ORDER BY
          occurred_at DESC,
          id DESC
        LIMIT
          $3
      ) examined
    WHERE
      kind = ANY ($4::text[])
    ORDER BY
      occurred_at DESC,
      id DESC
    LIMIT
      $5
  ) e
ORDER BY
  e.occurred_at DESC,
  e.id DESC;
-- plan:
--   Subquery Scan
--     Limit
--       Subquery Scan
--         Limit
--           Index Scan activity_log_default by activity_log_default_pkey
--     SubPlan 1: Index Scan users by users_pkey
--     SubPlan 2: Index Scan api_keys by api_keys_pkey

-- name: findEntries
SELECT
  e.id::text AS id,
  round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at,
  e.kind,
  e.object_id,
  e.object_name,
  e.action,
  e.entry_point,
  e.actor,
  e.before,
  e.after,
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (
      SELECT
        u.name
      FROM
        users u
      WHERE
        u.id = split_part(e.actor, ':', 2)::int
    )
    WHEN 'key' THEN (
      SELECT
        k.name
      FROM
        api_keys k
      WHERE
        k.org_id = $1
        AND k.id = split_part(e.actor, ':', 2)::uuid
    )
  END AS actor_name
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          *
        FROM
          activity_log
        WHERE
          org_id = $2
        ORDER BY
          occurred_at DESC,
          id DESC
        LIMIT
          $3
      ) examined
    WHERE
      kind = ANY ($4::text[])
      AND actor = $5
    ORDER BY
      occurred_at DESC,
      id DESC
    LIMIT
      $6
  ) e
ORDER BY
  e.occurred_at DESC,
  e.id DESC;
-- plan:
--   Subquery Scan
--     Limit
--       Subquery Scan
--         Limit
--           Index Scan activity_log_default by activity_log_default_pkey
--     SubPlan 1: Index Scan users by users_pkey
--     SubPlan 2: Index Scan api_keys by api_keys_pkey

-- name: findEntries
SELECT
  e.id::text AS id,
  round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at,
  e.kind,
  e.object_id,
  e.object_name,
  e.action,
  e.entry_point,
  e.actor,
  e.before,
  e.after,
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (
      SELECT
        u.name
      FROM
        users u
      WHERE
        u.id = split_part(e.actor, ':', 2)::int
    )
    WHEN 'key' THEN (
      SELECT
        k.name
      FROM
        api_keys k
      WHERE
        k.org_id = $1
        AND k.id = split_part(e.actor, ':', 2)::uuid
    )
  END AS actor_name
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          *
        FROM
          activity_log
        WHERE
          org_id = $2
        ORDER BY
          occurred_at DESC,
          id DESC
        LIMIT
          $3
      ) examined
    WHERE
      kind = ANY ($4::text[])
      AND entry_point = $5
    ORDER BY
      occurred_at DESC,
      id DESC
    LIMIT
      $6
  ) e
ORDER BY
  e.occurred_at DESC,
  e.id DESC;
-- plan:
--   Subquery Scan
--     Limit
--       Subquery Scan
--         Limit
--           Index Scan activity_log_default by activity_log_default_pkey
--     SubPlan 1: Index Scan users by users_pkey
--     SubPlan 2: Index Scan api_keys by api_keys_pkey

-- name: findEntries
SELECT
  e.id::text AS id,
  round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at,
  e.kind,
  e.object_id,
  e.object_name,
  e.action,
  e.entry_point,
  e.actor,
  e.before,
  e.after,
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (
      SELECT
        u.name
      FROM
        users u
      WHERE
        u.id = split_part(e.actor, ':', 2)::int
    )
    WHEN 'key' THEN (
      SELECT
        k.name
      FROM
        api_keys k
      WHERE
        k.org_id = $1
        AND k.id = split_part(e.actor, ':', 2)::uuid
    )
  END AS actor_name
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          *
        FROM
          activity_log
        WHERE
          org_id = $2
          AND (occurred_at, id) < (to_timestamp($3::float8 / 1000), $4::bigint)
        ORDER BY
          occurred_at DESC,
          id DESC
        LIMIT
          $5
      ) examined
    WHERE
      kind = ANY ($6::text[])
    ORDER BY
      occurred_at DESC,
      id DESC
    LIMIT
      $7
  ) e
ORDER BY
  e.occurred_at DESC,
  e.id DESC;
-- plan:
--   Subquery Scan
--     Limit
--       Subquery Scan
--         Limit
--           Index Scan activity_log_default by activity_log_default_pkey
--     SubPlan 1: Index Scan users by users_pkey
--     SubPlan 2: Index Scan api_keys by api_keys_pkey

-- name: findEntries
SELECT
  e.id::text AS id,
  round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at,
  e.kind,
  e.object_id,
  e.object_name,
  e.action,
  e.entry_point,
  e.actor,
  e.before,
  e.after,
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (
      SELECT
        u.name
      FROM
        users u
      WHERE
        u.id = split_part(e.actor, ':', 2)::int
    )
    WHEN 'key' THEN (
      SELECT
        k.name
      FROM
        api_keys k
      WHERE
        k.org_id = $1
        AND k.id = split_part(e.actor, ':', 2)::uuid
    )
  END AS actor_name
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          *
        FROM
          activity_log
        WHERE
          org_id = $2
          AND kind = $3
          AND object_id = $4
        ORDER BY
          occurred_at DESC,
          id DESC
        LIMIT
          $5
      ) examined
    WHERE
      kind = ANY ($6::text[])
    ORDER BY
      occurred_at DESC,
      id DESC
    LIMIT
      $7
  ) e
ORDER BY
  e.occurred_at DESC,
  e.id DESC;
-- plan:
--   Subquery Scan
--     Limit
--       Subquery Scan
--         Limit
--           Index Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx
--     SubPlan 1: Index Scan users by users_pkey
--     SubPlan 2: Index Scan api_keys by api_keys_pkey

-- name: findEntries
SELECT
  e.id::text AS id,
  round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at,
  e.kind,
  e.object_id,
  e.object_name,
  e.action,
  e.entry_point,
  e.actor,
  e.before,
  e.after,
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (
      SELECT
        u.name
      FROM
        users u
      WHERE
        u.id = split_part(e.actor, ':', 2)::int
    )
    WHEN 'key' THEN (
      SELECT
        k.name
      FROM
        api_keys k
      WHERE
        k.org_id = $1
        AND k.id = split_part(e.actor, ':', 2)::uuid
    )
  END AS actor_name
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          *
        FROM
          activity_log
        WHERE
          org_id = $2
          AND occurred_at < to_timestamp($3::float8 / 1000)
        ORDER BY
          occurred_at DESC,
          id DESC
        LIMIT
          $4
      ) examined
    WHERE
      kind = ANY ($5::text[])
    ORDER BY
      occurred_at DESC,
      id DESC
    LIMIT
      $6
  ) e
ORDER BY
  e.occurred_at DESC,
  e.id DESC;
-- plan:
--   Subquery Scan
--     Limit
--       Subquery Scan
--         Limit
--           Index Scan activity_log_default by activity_log_default_pkey
--     SubPlan 1: Index Scan users by users_pkey
--     SubPlan 2: Index Scan api_keys by api_keys_pkey

-- name: findEntries
SELECT
  e.id::text AS id,
  round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at,
  e.kind,
  e.object_id,
  e.object_name,
  e.action,
  e.entry_point,
  e.actor,
  e.before,
  e.after,
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (
      SELECT
        u.name
      FROM
        users u
      WHERE
        u.id = split_part(e.actor, ':', 2)::int
    )
    WHEN 'key' THEN (
      SELECT
        k.name
      FROM
        api_keys k
      WHERE
        k.org_id = $1
        AND k.id = split_part(e.actor, ':', 2)::uuid
    )
  END AS actor_name
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          *
        FROM
          activity_log
        WHERE
          org_id = $2
          AND occurred_at >= to_timestamp($3::float8 / 1000)
        ORDER BY
          occurred_at DESC,
          id DESC
        LIMIT
          $4
      ) examined
    WHERE
      kind = ANY ($5::text[])
    ORDER BY
      occurred_at DESC,
      id DESC
    LIMIT
      $6
  ) e
ORDER BY
  e.occurred_at DESC,
  e.id DESC;
-- plan:
--   Subquery Scan
--     Limit
--       Subquery Scan
--         Limit
--           Index Scan activity_log_default by activity_log_default_pkey
--     SubPlan 1: Index Scan users by users_pkey
--     SubPlan 2: Index Scan api_keys by api_keys_pkey

-- name: lastExamined
SELECT
  round(date_part('epoch', occurred_at) * 1000) AS occurred_at,
  id::text AS id
FROM
  activity_log
WHERE
  org_id = $1
ORDER BY
  occurred_at DESC,
  id DESC
OFFSET
  $2
LIMIT
  1;
-- plan:
--   Limit
--     Sort
--       Index Only Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx

-- name: lastExamined
SELECT
  round(date_part('epoch', occurred_at) * 1000) AS occurred_at,
  id::text AS id
FROM
  activity_log
WHERE
  org_id = $1
  AND (occurred_at, id) < (to_timestamp($2::float8 / 1000), $3::bigint)
ORDER BY
  occurred_at DESC,
  id DESC
OFFSET
  $4
LIMIT
  1;
-- plan:
--   Limit
--     Sort
--       Index Only Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx

-- name: lastExamined
SELECT
  round(date_part('epoch', occurred_at) * 1000) AS occurred_at,
  id::text AS id
FROM
  activity_log
WHERE
  org_id = $1
  AND kind = $2
  AND object_id = $3
ORDER BY
  occurred_at DESC,
  id DESC
OFFSET
  $4
LIMIT
  1;
-- plan:
--   Limit
--     Sort
--       Index Only Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx

-- name: lastExamined
SELECT
  round(date_part('epoch', occurred_at) * 1000) AS occurred_at,
  id::text AS id
FROM
  activity_log
WHERE
  org_id = $1
  AND occurred_at < to_timestamp($2::float8 / 1000)
ORDER BY
  occurred_at DESC,
  id DESC
OFFSET
  $3
LIMIT
  1;
-- plan:
--   Limit
--     Sort
--       Index Only Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx

-- name: lastExamined
SELECT
  round(date_part('epoch', occurred_at) * 1000) AS occurred_at,
  id::text AS id
FROM
  activity_log
WHERE
  org_id = $1
  AND occurred_at >= to_timestamp($2::float8 / 1000)
ORDER BY
  occurred_at DESC,
  id DESC
OFFSET
  $3
LIMIT
  1;
-- plan:
--   Limit
--     Sort
--       Index Only Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx

-- name: findEntry
SELECT
  action,
  before,
  after
FROM
  activity_log
WHERE
  org_id = $1
  AND occurred_at = to_timestamp($2::float8 / 1000)
  AND id = $3::bigint
  AND kind = $4
  AND object_id = $5;
-- plan:
--   Index Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx
