-- name: changingRows
SELECT line, cells, target_id
FROM import_rows
WHERE org_id = $1
AND import_id = $2::uuid
AND is_change
AND target_id IS NOT NULL
ORDER BY line
LIMIT $3
OFFSET $4;

-- name: storedRows
SELECT a.id, a.external_key, a.name, a.description, a.is_active, left(a.metadata::text, 500) AS metadata_start,
  encode(sha256(convert_to(a.metadata::text, 'UTF8')), 'hex') AS metadata_hash, round(date_part('epoch',
  a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
  a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at, round(date_part('epoch',
  a.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = a.org_id
  AND t.asset_id = a.id
) AS tags, (SELECT json_object_agg(name, left(a.metadata ->> name, $1)) FROM unnest($2::text[]) AS name) AS details
FROM assets a
WHERE a.org_id = $3
AND a.id = ANY($4::int[])
AND a.deleted_at IS NULL;

-- name: storedRows
SELECT l.id, l.external_key, l.name, l.description, l.parent_id,
  (SELECT p.external_key FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_external_key, l.is_active,
  round(date_part('epoch', l.valid_from) * 1000) AS valid_from, round(date_part('epoch', l.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', l.created_at) * 1000) AS created_at, round(date_part('epoch', l.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', l.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = l.org_id
  AND t.location_id = l.id
) AS tags, (SELECT p.name FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_name
FROM locations l
WHERE l.org_id = $1
AND l.id = ANY($2::int[])
AND l.deleted_at IS NULL;
