-- name: lockTargets
SELECT 1
FROM assets t
WHERE t.org_id = $1
AND t.deleted_at IS NULL
AND t.external_key IN (SELECT external_key FROM staged WHERE is_valid)
ORDER BY t.id
FOR NO KEY UPDATE;

-- name: lockTargets
SELECT 1
FROM locations t
WHERE t.org_id = $1
AND t.deleted_at IS NULL
AND t.external_key IN (SELECT external_key FROM staged WHERE is_valid)
ORDER BY t.id
FOR NO KEY UPDATE;

-- name: writeStaged
DISCARD PLANS;

-- name: writeStaged
SELECT set_config('whereabouts.count_shard', '16', true);

-- name: giveIds
UPDATE staged s
SET new_id = numbered.id
FROM (
  SELECT line, nextval($1)::int AS id
  FROM (SELECT line FROM staged WHERE id IS NULL ORDER BY line) ordered
) numbered
WHERE s.line = numbered.line;

-- name: resolveParents
UPDATE staged s
SET parent_id = coalesce((SELECT coalesce(p.id, p.new_id) FROM staged p WHERE p.line = s.parent_line), (SELECT coalesce(p.id,
  p.new_id) FROM staged p WHERE p.external_key = s.parent_key), (
  SELECT l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.external_key = s.parent_key
  AND l.deleted_at IS NULL
))
WHERE s.parent_key IS NOT NULL OR s.parent_line IS NOT NULL;

-- name: detachTags
DELETE FROM tags t USING staged s
WHERE s.tags_change
AND t.org_id = $1
AND t.asset_id = s.id
AND t.deleted_at IS NULL
AND t.tag_type = ANY($2::text[])
AND NOT EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line AND g.tag_type = t.tag_type AND g.value = t.value);

-- name: detachTags
DELETE FROM tags t USING staged s
WHERE s.tags_change
AND t.org_id = $1
AND t.location_id = s.id
AND t.deleted_at IS NULL
AND t.tag_type = ANY($2::text[])
AND NOT EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line AND g.tag_type = t.tag_type AND g.value = t.value);

-- name: insertRowsAndTags
WITH made AS (
  INSERT INTO assets (id, org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, kind_id,
    belongs_to_id, created_at, updated_at)
  SELECT s.new_id, $1, s.external_key, s.name, s.description, coalesce(s.is_active, true), coalesce(s.metadata, '{}'),
    coalesce(s.valid_from, clock.now), s.valid_to, s.kind_id, s.belongs_to_id, clock.now, clock.now
  FROM staged s
  CROSS JOIN (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
  WHERE s.id IS NULL
  ORDER BY s.external_key
) INSERT INTO tags (id, org_id, asset_id, tag_type, value)
SELECT numbered.id, $2, numbered.parent_id, numbered.tag_type, numbered.value
FROM (
  SELECT nextval('tags_id_seq')::int AS id, ordered.*
  FROM (
    SELECT coalesce(s.id, s.new_id) AS parent_id, g.tag_type, g.value
    FROM staged_tags g
    JOIN staged s ON s.line = g.line
    WHERE s.id IS NULL OR (s.tags_change AND NOT EXISTS (
      SELECT
      FROM tags t
      WHERE t.org_id = $3
      AND t.asset_id = s.id
      AND t.deleted_at IS NULL
      AND t.tag_type = g.tag_type
      AND t.value = g.value
    ))
    ORDER BY g.line, g.ordinal
  ) ordered
) numbered
ORDER BY numbered.tag_type, numbered.value;

-- name: insertRowsAndTags
WITH made AS (
  INSERT INTO locations (id, org_id, external_key, name, description, parent_id, is_active, valid_from, valid_to, created_at,
    updated_at)
  SELECT s.new_id, $1, s.external_key, s.name, s.description, s.parent_id, coalesce(s.is_active, true), coalesce(s.valid_from,
    clock.now), s.valid_to, clock.now, clock.now
  FROM staged s
  CROSS JOIN (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
  WHERE s.id IS NULL
  ORDER BY s.external_key
) INSERT INTO tags (id, org_id, location_id, tag_type, value)
SELECT numbered.id, $2, numbered.parent_id, numbered.tag_type, numbered.value
FROM (
  SELECT nextval('tags_id_seq')::int AS id, ordered.*
  FROM (
    SELECT coalesce(s.id, s.new_id) AS parent_id, g.tag_type, g.value
    FROM staged_tags g
    JOIN staged s ON s.line = g.line
    WHERE s.id IS NULL OR (s.tags_change AND NOT EXISTS (
      SELECT
      FROM tags t
      WHERE t.org_id = $3
      AND t.location_id = s.id
      AND t.deleted_at IS NULL
      AND t.tag_type = g.tag_type
      AND t.value = g.value
    ))
    ORDER BY g.line, g.ordinal
  ) ordered
) numbered
ORDER BY numbered.tag_type, numbered.value;

-- name: changeRows
UPDATE assets t
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), t.updated_at + interval '1 millisecond'),
  name = coalesce(s.name, t.name)
FROM staged s
WHERE t.org_id = $1
AND t.id = s.id
AND s.row_changes;

-- name: changeRows
UPDATE assets t
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), t.updated_at + interval '1 millisecond'),
  name = coalesce(s.name, t.name), belongs_to_id = s.belongs_to_id
FROM staged s
WHERE t.org_id = $1
AND t.id = s.id
AND s.row_changes;

-- name: changeRows
-- further: 26f83ee23c 2b72381a33 44faa1fcdd 718fe418b8 71b8e2df89 aace890303 bf4880f830 c678f11ead
