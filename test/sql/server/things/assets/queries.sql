-- name: findAsset
SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
  a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
  a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at, round(date_part('epoch',
  a.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = a.org_id
  AND t.asset_id = a.id
) AS tags
FROM assets a
WHERE a.org_id = $1
AND a.id = $2
AND a.deleted_at IS NULL;

-- name: assetExists
SELECT 1
FROM assets
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL;

-- name: setReference
SELECT a.belongs_to_id IS NOT DISTINCT FROM $1::int AS is_same
FROM assets a
WHERE a.org_id = $2
AND a.id = $3
AND a.deleted_at IS NULL
FOR UPDATE;

-- name: setReference
SELECT a.kind_id IS NOT DISTINCT FROM $1::int AS is_same
FROM assets a
WHERE a.org_id = $2
AND a.id = $3
AND a.deleted_at IS NULL
FOR NO KEY UPDATE;

-- name: setReference
-- further: 18eacb14e2 60cd024601

-- name: insertAsset
WITH made AS (
  INSERT INTO assets (org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, kind_id, belongs_to_id,
    created_at, updated_at)
  SELECT $1, $2::text, $3::text, $4::text, coalesce($5::boolean, true), coalesce($6::json, '{}'),
    coalesce(to_timestamp($7::float8 / 1000), clock.now), to_timestamp($8::float8 / 1000), $9::int, $10::int, clock.now, clock.now
  FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
  WHERE (SELECT set_config('whereabouts.author', $11, true)) IS NOT NULL
  AND NOT EXISTS (SELECT FROM assets k WHERE k.org_id = $12 AND k.external_key = $13 AND k.deleted_at IS NULL)
  AND NOT EXISTS (
    SELECT
    FROM unnest($14::text[], $15::text[]) AS given (tag_type, value)
    JOIN tags t ON t.org_id = $16
    AND t.tag_type = given.tag_type
    AND t.value = given.value
    AND t.deleted_at IS NULL
  )
  RETURNING *
),
attached AS (
  INSERT INTO tags (id, org_id, asset_id, tag_type, value)
  SELECT numbered.id, made.org_id, made.id, numbered.tag_type, numbered.value
  FROM made
  CROSS JOIN LATERAL (
    SELECT nextval('tags_id_seq')::int AS id, given.tag_type, given.value
    FROM unnest($17::text[], $18::text[]) AS given (tag_type, value)
    WHERE made.id IS NOT NULL
  ) numbered
  ORDER BY numbered.tag_type, numbered.value
  RETURNING id, tag_type, value
)
SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
  a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
  a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at, round(date_part('epoch',
  a.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', id, 'tag_type', tag_type, 'value', value) ORDER BY id), '[]')
  FROM attached
) AS tags
FROM made a;

-- name: insertAsset
-- further: 1ff257eae2 a1ac5ef490 c5d034e49c d8aefe2286

-- name: changeAsset
UPDATE assets a
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), a.updated_at + interval '1 millisecond')
WHERE a.org_id = $1
AND a.id = $2
AND a.deleted_at IS NULL
AND (SELECT set_config('whereabouts.author', $3, true)) IS NOT NULL;

-- name: changeAsset
UPDATE assets a
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), a.updated_at + interval '1 millisecond'),
  description = $1::text
WHERE a.org_id = $2
AND a.id = $3
AND a.deleted_at IS NULL
AND (SELECT set_config('whereabouts.author', $4, true)) IS NOT NULL;

-- name: changeAsset
-- further: 0eca332dc0 2f49686feb 72a1e4d9d9 793874109e 7d30dd4297 80ea74834a 829395b64d 838a904722 8f8a39157a 908ac99bd8 9a1ff0f907 a08f7a0eec
-- further: a82d47276e c47ac0fe1f c4d96d6137 c8f927c025 de8ce71aee e2ef9f7014 ea4af99c69 f80b7535a9 f8411e7834 fa62b5f477

-- name: retireAsset
SELECT 1
FROM assets
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL
FOR UPDATE;

-- name: retireAsset
WITH gone AS (
  UPDATE assets
  SET deleted_at = date_trunc('milliseconds', clock_timestamp())
  WHERE org_id = $1
  AND id = $2
  AND deleted_at IS NULL
  AND (SELECT set_config('whereabouts.author', $3, true)) IS NOT NULL
  RETURNING id, deleted_at
),
retired AS (
  UPDATE tags t
  SET deleted_at = gone.deleted_at
  FROM gone
  WHERE t.org_id = $4
  AND t.asset_id = gone.id
)
SELECT id
FROM gone;
