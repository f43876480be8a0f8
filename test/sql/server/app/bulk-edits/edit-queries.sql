-- name: previewRows
WITH live AS MATERIALIZED (
  SELECT a.id, a.external_key, a.name, (a.belongs_to_id IS DISTINCT FROM $1::int) AS is_changed
  FROM assets a
  WHERE a.org_id = $2
  AND a.id = ANY($3::int[])
  AND a.deleted_at IS NULL
),
shown AS MATERIALIZED (SELECT id FROM live WHERE is_changed ORDER BY external_key LIMIT $4)
SELECT (SELECT count(*)::int FROM live) AS found, (SELECT count(*)::int FROM live WHERE is_changed) AS changed, (
  SELECT coalesce(json_agg(json_build_object('id', a.id, 'external_key', a.external_key, 'name', a.name, 'before',
    json_build_object('belongs_to', (
    SELECT m.names -> 'belongs_to'
    FROM names_of('asset', a.org_id, json_build_object('belongs_to_id', a.belongs_to_id)) m
  )), 'after', json_build_object('belongs_to', (
    SELECT m.names -> 'belongs_to'
    FROM names_of('asset', a.org_id, json_build_object('belongs_to_id', $5::int)) m
  ))) ORDER BY a.external_key), '[]')
  FROM shown
  JOIN assets a ON a.org_id = $6
  AND a.id = shown.id
) AS rows;

-- name: previewRows
WITH live AS MATERIALIZED (
  SELECT a.id, a.external_key, a.name, (a.description IS DISTINCT FROM $1::text OR changed_metadata(a.metadata, $2::json,
    $3::text[])::text <> a.metadata::text OR a.valid_to IS DISTINCT FROM to_timestamp($4::float8 / 1000)) AS is_changed
  FROM assets a
  WHERE a.org_id = $5
  AND a.id = ANY($6::int[])
  AND a.deleted_at IS NULL
),
shown AS MATERIALIZED (SELECT id FROM live WHERE is_changed ORDER BY external_key LIMIT $7)
SELECT (SELECT count(*)::int FROM live) AS found, (SELECT count(*)::int FROM live WHERE is_changed) AS changed, (
  SELECT coalesce(json_agg(json_build_object('id', a.id, 'external_key', a.external_key, 'name', a.name, 'before',
    json_build_object('description', left(a.description, $8::int), 'details', (
    SELECT coalesce(json_object_agg(member.key, left(member.value, $9::int)), '{}')
    FROM json_each_text(a.metadata) AS member (key, value)
    WHERE member.key = ANY($10::text[])
    AND member.value IS NOT NULL
  ), 'valid_to', round(date_part('epoch', a.valid_to) * 1000)), 'after', json_build_object('description', left($11::text,
    $12::int), 'details', (
    SELECT coalesce(json_object_agg(member.key, left(member.value, $13::int)), '{}')
    FROM json_each_text(changed_metadata(a.metadata, $14::json, $15::text[])) AS member (key, value)
    WHERE member.key = ANY($16::text[])
    AND member.value IS NOT NULL
  ), 'valid_to', round(date_part('epoch', to_timestamp($17::float8 / 1000)) * 1000))) ORDER BY a.external_key), '[]')
  FROM shown
  JOIN assets a ON a.org_id = $18
  AND a.id = shown.id
) AS rows;

-- name: previewRows
-- further: 3c198506c0 5281b4bdf3 e7540ba151

-- name: lockAssets
SELECT id, octet_length(metadata::text) AS bytes
FROM assets
WHERE org_id = $1
AND id = ANY($2::int[])
AND deleted_at IS NULL
ORDER BY id
FOR NO KEY UPDATE;

-- name: largestDetailsAfter
SELECT coalesce(max(octet_length(changed_metadata(a.metadata, $1::json, $2::text[])::text)), 0)::int AS bytes
FROM assets a
WHERE a.org_id = $3
AND a.id = ANY($4::int[]);

-- name: changeAssets
UPDATE assets a
SET belongs_to_id = $1::int, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  a.updated_at + interval '1 millisecond')
WHERE a.org_id = $2
AND a.id = ANY($3::int[])
AND a.deleted_at IS NULL
AND (a.belongs_to_id IS DISTINCT FROM $4::int)
AND (SELECT set_config('whereabouts.author', $5, true)) IS NOT NULL;

-- name: changeAssets
UPDATE assets a
SET description = $1::text, metadata = changed_metadata(a.metadata, $2::json, $3::text[]),
  valid_to = to_timestamp($4::float8 / 1000), updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  a.updated_at + interval '1 millisecond')
WHERE a.org_id = $5
AND a.id = ANY($6::int[])
AND a.deleted_at IS NULL
AND (a.description IS DISTINCT FROM $7::text OR changed_metadata(a.metadata, $8::json, $9::text[])::text <> a.metadata::text
  OR a.valid_to IS DISTINCT FROM to_timestamp($10::float8 / 1000))
AND (SELECT set_config('whereabouts.author', $11, true)) IS NOT NULL;

-- name: changeAssets
-- further: 16265ac357 4226a7ea2c 8a83b08951 ccce5fc478
