-- name: findLocationTags
WITH entries AS MATERIALIZED (
  SELECT l.id, l.name, l.external_key, l.is_active, t.tag_type, t.value, t.id AS tag_id
  FROM locations l
  LEFT JOIN tags t ON t.org_id = $1::int
  AND t.location_id = l.id
  AND t.deleted_at IS NULL
  WHERE l.org_id = $2::int
  AND l.deleted_at IS NULL
  ORDER BY t.id NULLS LAST, l.id
  LIMIT $3::int
),
present AS (
  SELECT md5(coalesce(string_agg(e::text, ' ' ORDER BY e.tag_id, e.id), '')) AS version
  FROM entries e
)
SELECT p.version, CASE WHEN p.version IS DISTINCT FROM $4::text THEN coalesce((
  SELECT json_agg(json_build_object('id', e.id, 'name', e.name, 'external_key', e.external_key, 'is_active', e.is_active,
    'tag_type', e.tag_type, 'value', e.value) ORDER BY e.tag_id, e.id)
  FROM entries e
), '[]') END AS tags
FROM present p;
