-- name: findImportEntries
SELECT round(date_part('epoch', l.occurred_at) * 1000) AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name
FROM activity_log l
WHERE l.org_id = $1
AND l.occurred_at BETWEEN to_timestamp($2::float8 / 1000) - interval '31 minutes'
AND to_timestamp($3::float8 / 1000)
AND l.import_id = $4::uuid
AND l.kind = $5
AND l.action = $6
AND (l.occurred_at, l.id) > (to_timestamp($7::float8 / 1000), $8::bigint)
ORDER BY l.occurred_at, l.id
LIMIT $9;

-- name: findImportEntries
SELECT round(date_part('epoch', l.occurred_at) * 1000) AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name
FROM activity_log l
WHERE l.org_id = $1
AND l.occurred_at BETWEEN to_timestamp($2::float8 / 1000) - interval '31 minutes'
AND to_timestamp($3::float8 / 1000)
AND l.import_id = $4::uuid
AND l.kind = $5
AND l.action = $6
AND true
ORDER BY l.occurred_at, l.id
LIMIT $7;

-- name: canUndo
SELECT EXISTS (
  SELECT
  FROM activity_log l
  WHERE l.org_id = $1
  AND l.occurred_at BETWEEN to_timestamp($2::float8 / 1000) - interval '31 minutes'
  AND to_timestamp($3::float8 / 1000)
  AND l.import_id = $4::uuid
  AND l.action IN ('created', 'updated', 'tag_attached', 'tag_detached')
) AS found;

-- name: lockTagParents
SELECT r.id
FROM assets r
WHERE r.org_id = $1
AND r.id = ANY($2::int[])
ORDER BY r.id
FOR NO KEY UPDATE;

-- name: detachAgain
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, split_part((l.after ->> 'tag'), ':', 1) AS tag_type,
    substr((l.after ->> 'tag'), strpos((l.after ->> 'tag'), ':') + 1) AS value
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
) DELETE FROM tags t USING g
WHERE t.org_id = $4
AND t.asset_id = g.row_id
AND t.tag_type = g.tag_type
AND t.value = g.value
AND t.deleted_at IS NULL
AND (SELECT set_config('whereabouts.author', $5, true)) IS NOT NULL;

-- name: attachAgain
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, split_part((l.before ->> 'tag'), ':', 1) AS tag_type,
    substr((l.before ->> 'tag'), strpos((l.before ->> 'tag'), ':') + 1) AS value
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
) INSERT INTO tags (org_id, asset_id, tag_type, value)
SELECT $4, g.row_id, g.tag_type, g.value
FROM g
JOIN assets r ON r.org_id = $5
AND r.id = g.row_id
AND r.deleted_at IS NULL
WHERE (SELECT set_config('whereabouts.author', $6, true)) IS NOT NULL
ORDER BY g.tag_type, g.value ON CONFLICT (org_id, tag_type, value)
WHERE deleted_at IS NULL DO NOTHING;

-- name: attachAgain
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, split_part((l.before ->> 'tag'), ':', 1) AS tag_type,
    substr((l.before ->> 'tag'), strpos((l.before ->> 'tag'), ':') + 1) AS value
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
)
SELECT g.entry_id::text AS id
FROM g
WHERE NOT EXISTS (
  SELECT
  FROM tags t
  WHERE t.org_id = $4
  AND t.tag_type = g.tag_type
  AND t.value = g.value
  AND t.asset_id = g.row_id
  AND t.deleted_at IS NULL
);

-- name: occupancyOf
SELECT l.id, NOT (EXISTS (SELECT FROM locations c WHERE c.org_id = $1 AND c.parent_id = l.id AND c.deleted_at IS NULL) OR EXISTS (
  SELECT
  FROM asset_positions p
  WHERE p.org_id = $2
  AND p.location_id = l.id
  AND p.hidden_by IN (0, 2)
)) AS is_empty
FROM locations l
WHERE l.org_id = $3
AND l.id = ANY($4::int[])
AND l.deleted_at IS NULL
ORDER BY l.id;

-- name: noteUndone
UPDATE imports
SET undone_at = date_trunc('milliseconds', clock_timestamp())
WHERE org_id = $1
AND id = $2::uuid
AND undone_at IS NULL;
