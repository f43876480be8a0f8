-- name: findLocation
SELECT l.id, l.external_key, l.name, l.description, l.parent_id,
  (SELECT p.external_key FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_external_key, l.is_active,
  round(date_part('epoch', l.valid_from) * 1000) AS valid_from, round(date_part('epoch', l.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', l.created_at) * 1000) AS created_at, round(date_part('epoch', l.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', l.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = l.org_id
  AND t.location_id = l.id
) AS tags
FROM locations l
WHERE l.org_id = $1
AND l.id = $2
AND l.deleted_at IS NULL;

-- name: locationExists
SELECT 1
FROM locations
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL;

-- name: insertLocation
WITH made AS (
  INSERT INTO locations (org_id, external_key, name, description, parent_id, is_active, valid_from, valid_to, created_at,
    updated_at)
  SELECT $1, $2::text, $3::text, $4::text, $5::int, coalesce($6::boolean, true), coalesce(to_timestamp($7::float8 / 1000),
    clock.now), to_timestamp($8::float8 / 1000), clock.now, clock.now
  FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
  WHERE (SELECT set_config('whereabouts.author', $9, true)) IS NOT NULL
  AND NOT EXISTS (SELECT FROM locations k WHERE k.org_id = $10 AND k.external_key = $11 AND k.deleted_at IS NULL)
  AND NOT EXISTS (
    SELECT
    FROM unnest($12::text[], $13::text[]) AS given (tag_type, value)
    JOIN tags t ON t.org_id = $14
    AND t.tag_type = given.tag_type
    AND t.value = given.value
    AND t.deleted_at IS NULL
  )
  RETURNING *
),
attached AS (
  INSERT INTO tags (id, org_id, location_id, tag_type, value)
  SELECT numbered.id, made.org_id, made.id, numbered.tag_type, numbered.value
  FROM made
  CROSS JOIN LATERAL (
    SELECT nextval('tags_id_seq')::int AS id, given.tag_type, given.value
    FROM unnest($15::text[], $16::text[]) AS given (tag_type, value)
    WHERE made.id IS NOT NULL
  ) numbered
  ORDER BY numbered.tag_type, numbered.value
  RETURNING id, tag_type, value
)
SELECT l.id, l.external_key, l.name, l.description, l.parent_id,
  (SELECT p.external_key FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_external_key, l.is_active,
  round(date_part('epoch', l.valid_from) * 1000) AS valid_from, round(date_part('epoch', l.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', l.created_at) * 1000) AS created_at, round(date_part('epoch', l.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', l.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', id, 'tag_type', tag_type, 'value', value) ORDER BY id), '[]')
  FROM attached
) AS tags
FROM made l;

-- name: insertLocation
-- further: 36c65620cf 909d5a5a26 b535259775 fd8dc114db

-- name: changeLocation
UPDATE locations l
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), l.updated_at + interval '1 millisecond')
WHERE l.org_id = $1
AND l.id = $2
AND l.deleted_at IS NULL
AND (SELECT set_config('whereabouts.author', $3, true)) IS NOT NULL;

-- name: changeLocation
UPDATE locations l
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), l.updated_at + interval '1 millisecond'),
  description = $1::text
WHERE l.org_id = $2
AND l.id = $3
AND l.deleted_at IS NULL
AND (SELECT set_config('whereabouts.author', $4, true)) IS NOT NULL;

-- name: changeLocation
-- further: 17ce90fc4f 17dc4fc37c 2326ddc1bc 3ca7c948c6 3fd7b44bb8 6aa95f366f 70474e6700 7c4e27c780 bc62c7865a d78220d8e3 e5f2a90138 ea0620d4bb
-- further: edd7015b8d

-- name: dependentsOf
SELECT (SELECT id FROM locations WHERE org_id = $1 AND parent_id = $2 AND deleted_at IS NULL LIMIT 1) AS location, (
  SELECT asset_id
  FROM asset_positions p
  WHERE p.org_id = $3
  AND p.location_id = $4
  AND p.hidden_by IN (0, 2)
  LIMIT 1
) AS asset;

-- name: retireLocations
WITH held AS MATERIALIZED (
  SELECT l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = ANY($2::int[])
  AND l.deleted_at IS NULL
  ORDER BY l.id
  FOR NO KEY UPDATE
),
gone AS (
  UPDATE locations l
  SET deleted_at = date_trunc('milliseconds', clock_timestamp())
  FROM held
  WHERE l.org_id = $3
  AND l.id = held.id
  AND (SELECT set_config('whereabouts.author', $4, true)) IS NOT NULL
  RETURNING l.id, l.deleted_at
),
retired AS (
  UPDATE tags t
  SET deleted_at = gone.deleted_at
  FROM gone
  WHERE t.org_id = $5
  AND t.location_id = gone.id
),
forgotten AS (DELETE FROM location_pictures p USING gone WHERE p.org_id = $6 AND p.location_id = gone.id)
SELECT count(*)::int
FROM gone;
