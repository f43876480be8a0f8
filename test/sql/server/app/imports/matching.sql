-- name: matchRows
UPDATE staged s
SET
  name = t.name,
  raw_name = NULL
FROM
  assets t
WHERE
  s.raw_name IS NOT NULL
  AND t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL
  AND t.name = s.raw_name;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_name
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  name = t.name,
  raw_name = NULL
FROM
  locations t
WHERE
  s.raw_name IS NOT NULL
  AND t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL
  AND t.name = s.raw_name;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan locations by locations_live_name
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR (s.kind IS NULL) <> (t.kind_id IS NULL)
    OR (
      s.kind IS NOT NULL
      AND s.kind_id IS DISTINCT FROM t.kind_id
    )
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR (s.kind IS NULL) <> (t.kind_id IS NULL)
    OR (
      s.kind IS NOT NULL
      AND s.kind_id IS DISTINCT FROM t.kind_id
    )
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR coalesce(s.is_active <> t.is_active, false)
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
    OR coalesce(s.valid_from <> t.valid_from, false)
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR coalesce(s.is_active <> t.is_active, false)
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
    OR s.valid_to IS DISTINCT FROM t.valid_to
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR coalesce(s.is_active <> t.is_active, false)
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
    OR s.valid_to IS DISTINCT FROM t.valid_to
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.description IS DISTINCT FROM t.description
    OR coalesce(s.is_active <> t.is_active, false)
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
    OR coalesce(s.valid_from <> t.valid_from, false)
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.description IS DISTINCT FROM t.description
    OR coalesce(s.is_active <> t.is_active, false)
    OR coalesce(s.valid_from <> t.valid_from, false)
    OR s.valid_to IS DISTINCT FROM t.valid_to
    OR (s.kind IS NULL) <> (t.kind_id IS NULL)
    OR (
      s.kind IS NOT NULL
      AND s.kind_id IS DISTINCT FROM t.kind_id
    )
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.description IS DISTINCT FROM t.description
    OR coalesce(s.is_active <> t.is_active, false)
    OR coalesce(s.valid_from <> t.valid_from, false)
    OR s.valid_to IS DISTINCT FROM t.valid_to
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.description IS DISTINCT FROM t.description
    OR coalesce(s.is_active <> t.is_active, false)
    OR coalesce(s.valid_from <> t.valid_from, false)
    OR s.valid_to IS DISTINCT FROM t.valid_to
    OR s.parent_key IS DISTINCT FROM (
      SELECT
        p.external_key
      FROM
        locations p
      WHERE
        p.org_id = $1
        AND p.id = t.parent_id
    )
  )
FROM
  locations t
WHERE
  t.org_id = $2
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan locations by locations_live_external_key
--       Index Scan staged by staged_external_key_idx
--       SubPlan 1: Index Scan locations by locations_org_id_id_key

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.description IS DISTINCT FROM t.description
    OR coalesce(
      s.metadata::text <> t.metadata::text
      AND s.metadata::jsonb <> t.metadata::jsonb,
      false
    )
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.description IS DISTINCT FROM t.description
    OR s.parent_key IS DISTINCT FROM (
      SELECT
        p.external_key
      FROM
        locations p
      WHERE
        p.org_id = $1
        AND p.id = t.parent_id
    )
  )
FROM
  locations t
WHERE
  t.org_id = $2
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan locations by locations_live_external_key
--       Index Scan staged by staged_external_key_idx
--       SubPlan 1: Index Scan locations by locations_org_id_id_key

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.description IS DISTINCT FROM t.description
  )
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (
    s.name <> t.name
    OR s.parent_key IS DISTINCT FROM (
      SELECT
        p.external_key
      FROM
        locations p
      WHERE
        p.org_id = $1
        AND p.id = t.parent_id
    )
  )
FROM
  locations t
WHERE
  t.org_id = $2
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan locations by locations_live_external_key
--       Index Scan staged by staged_external_key_idx
--       SubPlan 1: Index Scan locations by locations_org_id_id_key

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (s.name <> t.name)
FROM
  assets t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan assets by assets_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged s
SET
  id = t.id,
  updated_at = t.updated_at,
  row_changes = (s.name <> t.name)
FROM
  locations t
WHERE
  t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Index Scan locations by locations_live_external_key
--       Index Scan staged by staged_external_key_idx

-- name: matchRows
UPDATE staged_tags g
SET
  value = t.value,
  is_new = false
FROM
  staged s
  JOIN tags t ON t.org_id = $1
  AND t.asset_id = s.id
  AND t.deleted_at IS NULL
WHERE
  g.is_new
  AND g.line = s.line
  AND t.tag_type = g.tag_type
  AND t.value = coalesce(g.raw, g.value);
-- plan:
--   ModifyTable staged_tags
--     Nested Loop
--       Nested Loop
--         Index Scan tags by tags_live_pair
--         Bitmap Heap Scan staged_tags
--           Bitmap Index Scan by staged_tags_tag_type_value_idx
--       Index Scan staged by staged_pkey

-- name: matchRows
UPDATE staged_tags g
SET
  value = t.value,
  is_new = false
FROM
  staged s
  JOIN tags t ON t.org_id = $1
  AND t.asset_id = s.id
  AND t.deleted_at IS NULL
WHERE
  g.is_new
  AND g.line = s.line
  AND t.tag_type = g.tag_type
  AND t.value = g.value;
-- plan:
--   ModifyTable staged_tags
--     Nested Loop
--       Nested Loop
--         Index Scan tags by tags_live_pair
--         Index Scan staged_tags by staged_tags_tag_type_value_idx
--       Index Scan staged by staged_pkey

-- name: matchRows
UPDATE staged_tags g
SET
  value = t.value,
  is_new = false
FROM
  staged s
  JOIN tags t ON t.org_id = $1
  AND t.location_id = s.id
  AND t.deleted_at IS NULL
WHERE
  g.is_new
  AND g.line = s.line
  AND t.tag_type = g.tag_type
  AND t.value = coalesce(g.raw, g.value);
-- plan:
--   ModifyTable staged_tags
--     Nested Loop
--       Nested Loop
--         Index Scan tags by tags_live_pair
--         Bitmap Heap Scan staged_tags
--           Bitmap Index Scan by staged_tags_tag_type_value_idx
--       Index Scan staged by staged_pkey

-- name: matchRows
UPDATE staged_tags g
SET
  value = t.value,
  is_new = false
FROM
  staged s
  JOIN tags t ON t.org_id = $1
  AND t.location_id = s.id
  AND t.deleted_at IS NULL
WHERE
  g.is_new
  AND g.line = s.line
  AND t.tag_type = g.tag_type
  AND t.value = g.value;
-- plan:
--   ModifyTable staged_tags
--     Nested Loop
--       Nested Loop
--         Index Scan tags by tags_live_pair
--         Index Scan staged_tags by staged_tags_tag_type_value_idx
--       Index Scan staged by staged_pkey

-- name: matchRows
DELETE FROM staged_tags
WHERE
  is_new
  AND value ~ '^\s+$';
-- plan:
--   ModifyTable staged_tags
--     Seq Scan staged_tags

-- name: matchRows
UPDATE staged s
SET
  tags_change = true
WHERE
  s.id IS NOT NULL
  AND (
    EXISTS (
      SELECT
      FROM
        staged_tags g
      WHERE
        g.line = s.line
        AND g.is_new
    )
    OR EXISTS (
      SELECT
      FROM
        tags t
      WHERE
        t.org_id = $1
        AND t.asset_id = s.id
        AND t.deleted_at IS NULL
        AND t.tag_type = ANY ($2::text[])
        AND NOT EXISTS (
          SELECT
          FROM
            staged_tags g
          WHERE
            g.line = s.line
            AND g.tag_type = t.tag_type
            AND g.value = t.value
        )
    )
  );
-- plan:
--   ModifyTable staged
--     Seq Scan staged
--       SubPlan 2: Seq Scan staged_tags
--       SubPlan 3: Nested Loop
--         Index Scan tags by tags_live_pair
--         Bitmap Heap Scan staged_tags
--           Bitmap Index Scan by staged_tags_line_idx

-- name: matchRows
UPDATE staged s
SET
  tags_change = true
WHERE
  s.id IS NOT NULL
  AND (
    EXISTS (
      SELECT
      FROM
        staged_tags g
      WHERE
        g.line = s.line
        AND g.is_new
    )
    OR EXISTS (
      SELECT
      FROM
        tags t
      WHERE
        t.org_id = $1
        AND t.location_id = s.id
        AND t.deleted_at IS NULL
        AND t.tag_type = ANY ($2::text[])
        AND NOT EXISTS (
          SELECT
          FROM
            staged_tags g
          WHERE
            g.line = s.line
            AND g.tag_type = t.tag_type
            AND g.value = t.value
        )
    )
  );
-- plan:
--   ModifyTable staged
--     Seq Scan staged
--       SubPlan 2: Seq Scan staged_tags
--       SubPlan 3: Nested Loop
--         Index Scan tags by tags_live_pair
--         Bitmap Heap Scan staged_tags
--           Bitmap Index Scan by staged_tags_line_idx

-- name: mergeDetails
UPDATE staged s
SET
  metadata = (
    SELECT
      (
        '{' || string_agg(
          to_json(key)::text || ':' || value,
          ','
          ORDER BY
            place,
            at
        ) || '}'
      )::json
    FROM
      (
        SELECT
          coalesce(o.key, d.key) AS key,
          CASE
            WHEN d.key IS NULL
            OR o.value #>> '{}' = d.value #>> '{}' THEN o.value
            ELSE d.value
          END::text AS value,
          (o.key IS NULL)::int AS place,
          coalesce(o.at, d.at) AS at
        FROM
          json_each(m.known) WITH ORDINALITY AS o (key, value, at)
          FULL JOIN json_each(s.details) WITH ORDINALITY AS d (key, value, at) ON d.key = o.key
      ) merged
  )
FROM
  (
    SELECT
      s.line,
      coalesce(s.metadata, '{}') AS known
    FROM
      staged s
      LEFT JOIN assets t ON t.org_id = $1
      AND t.external_key = s.external_key
      AND t.deleted_at IS NULL
    WHERE
      s.details IS NOT NULL
  ) m
WHERE
  m.line = s.line;
-- plan:
--   ModifyTable staged
--     Hash Join
--       Merge Join
--         Index Scan staged by staged_pkey (whole)
--         Index Scan staged by staged_pkey (whole)
--       Hash
--         Index Scan assets by assets_live_external_key
--       SubPlan 1: Aggregate
--         Sort
--           Hash Join
--             Function Scan
--             Hash
--               Function Scan

-- name: mergeDetails
UPDATE staged s
SET
  metadata = (
    SELECT
      (
        '{' || string_agg(
          to_json(key)::text || ':' || value,
          ','
          ORDER BY
            place,
            at
        ) || '}'
      )::json
    FROM
      (
        SELECT
          coalesce(o.key, d.key) AS key,
          CASE
            WHEN d.key IS NULL
            OR o.value #>> '{}' = d.value #>> '{}' THEN o.value
            ELSE d.value
          END::text AS value,
          (o.key IS NULL)::int AS place,
          coalesce(o.at, d.at) AS at
        FROM
          json_each(m.known) WITH ORDINALITY AS o (key, value, at)
          FULL JOIN json_each(s.details) WITH ORDINALITY AS d (key, value, at) ON d.key = o.key
      ) merged
  )
FROM
  (
    SELECT
      s.line,
      coalesce(t.metadata, '{}') AS known
    FROM
      staged s
      LEFT JOIN assets t ON t.org_id = $1
      AND t.external_key = s.external_key
      AND t.deleted_at IS NULL
    WHERE
      s.details IS NOT NULL
  ) m
WHERE
  m.line = s.line;
-- plan:
--   ModifyTable staged
--     Hash Join
--       Merge Join
--         Index Scan staged by staged_pkey (whole)
--         Index Scan staged by staged_pkey (whole)
--       Hash
--         Index Scan assets by assets_live_external_key
--       SubPlan 1: Aggregate
--         Sort
--           Hash Join
--             Function Scan
--             Hash
--               Function Scan

-- name: countEffects
SELECT
  count(*) FILTER (
    WHERE
      id IS NULL
  )::int AS "toCreate",
  count(*) FILTER (
    WHERE
      id IS NOT NULL
      AND (
        row_changes
        OR tags_change
        OR is_moved
      )
  )::int AS "toChange",
  count(*) FILTER (
    WHERE
      id IS NOT NULL
      AND NOT row_changes
      AND NOT tags_change
      AND NOT is_moved
  )::int AS unchanged
FROM
  staged
WHERE
  is_valid;
-- plan:
--   Aggregate
--     Seq Scan staged
