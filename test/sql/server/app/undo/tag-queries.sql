-- name: detachAgain
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, l.batch_id, (l.after ->> 'tag') AS tag,
    row_number() OVER (PARTITION BY l.object_id ORDER BY l.id) AS place, split_part((l.after ->> 'tag'), ':', 1) AS tag_type,
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

-- name: detachAgain
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, l.batch_id, (l.after ->> 'tag') AS tag,
    row_number() OVER (PARTITION BY l.object_id ORDER BY l.id) AS place, split_part((l.after ->> 'tag'), ':', 1) AS tag_type,
    substr((l.after ->> 'tag'), strpos((l.after ->> 'tag'), ':') + 1) AS value
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
) DELETE FROM tags t USING g
WHERE t.org_id = $4
AND t.location_id = g.row_id
AND t.tag_type = g.tag_type
AND t.value = g.value
AND t.deleted_at IS NULL
AND (SELECT set_config('whereabouts.author', $5, true)) IS NOT NULL;

-- name: overtakenTags
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, l.batch_id, (l.before ->> 'tag') AS tag,
    row_number() OVER (PARTITION BY l.object_id ORDER BY l.id) AS place, split_part((l.before ->> 'tag'), ':', 1) AS tag_type,
    substr((l.before ->> 'tag'), strpos((l.before ->> 'tag'), ':') + 1) AS value
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
),
held AS MATERIALIZED (
  SELECT h.kind, h.object_id, t.tag, h.occurred_at, h.id
  FROM activity_log h
  CROSS JOIN LATERAL (
    SELECT h.after ->> 'tag' AS tag
    WHERE h.action = 'tag_attached'
    UNION ALL SELECT json_array_elements_text(h.after -> 'tags')
    WHERE h.action = 'created'
    AND json_typeof(h.after -> 'tags') = 'array'
  ) t
  WHERE h.org_id = $4
  AND h.batch_id = ANY(ARRAY(SELECT DISTINCT g.batch_id FROM g))
  AND h.action IN ('tag_attached', 'created')
  AND t.tag = ANY(ARRAY(SELECT g.tag FROM g))
)
SELECT g.entry_id::text AS entry_id
FROM g
JOIN held h ON h.tag = g.tag
WHERE (
  SELECT d.batch_id IS DISTINCT FROM $5::uuid
  FROM activity_log d
  WHERE d.org_id = $6
  AND d.kind = h.kind
  AND d.object_id = h.object_id
  AND d.action = 'tag_detached'
  AND d.before ->> 'tag' = h.tag
  AND (d.occurred_at, d.id) > (h.occurred_at, h.id)
  ORDER BY d.occurred_at DESC, d.id DESC
  LIMIT 1
);

-- name: attachAgain
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, l.batch_id, (l.before ->> 'tag') AS tag,
    row_number() OVER (PARTITION BY l.object_id ORDER BY l.id) AS place, split_part((l.before ->> 'tag'), ':', 1) AS tag_type,
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
JOIN LATERAL (SELECT count(*) AS tags FROM tags t WHERE t.org_id = $6 AND t.asset_id = g.row_id) present ON present.tags + g.place <= $7
WHERE (SELECT set_config('whereabouts.author', $8, true)) IS NOT NULL
ORDER BY g.tag_type, g.value ON CONFLICT (org_id, tag_type, value)
WHERE deleted_at IS NULL DO NOTHING;

-- name: attachAgain
WITH g AS MATERIALIZED (
  SELECT l.id AS entry_id, l.object_id::int AS row_id, l.batch_id, (l.before ->> 'tag') AS tag,
    row_number() OVER (PARTITION BY l.object_id ORDER BY l.id) AS place, split_part((l.before ->> 'tag'), ':', 1) AS tag_type,
    substr((l.before ->> 'tag'), strpos((l.before ->> 'tag'), ':') + 1) AS value
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
)
SELECT g.entry_id::text AS entry_id, g.value, CASE WHEN t.asset_id IS NULL THEN 'location' ELSE 'asset' END AS kind, coalesce(a.id,
  l.id) AS id, coalesce(a.name, l.name) AS name, r.id IS NULL OR r.deleted_at IS NOT NULL AS is_deleted
FROM g
LEFT JOIN assets r ON r.org_id = $4
AND r.id = g.row_id
LEFT JOIN tags t ON t.org_id = $5
AND t.tag_type = g.tag_type
AND t.value = g.value
AND t.deleted_at IS NULL
LEFT JOIN assets a ON a.org_id = t.org_id
AND a.id = t.asset_id
LEFT JOIN locations l ON l.org_id = t.org_id
AND l.id = t.location_id
WHERE t.asset_id IS DISTINCT FROM g.row_id;
